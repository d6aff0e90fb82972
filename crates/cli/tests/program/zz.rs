#[test]
fn zz_generate() {
    for (name, page) in precedent_cli::reference::pages() {
        std::fs::write(crate::support::root().join(name), page).unwrap();
    }
    let schema = format!(
        "{}\n",
        serde_json::to_string_pretty(&precedent_report::idea_schema()).unwrap()
    );
    std::fs::write(crate::support::root().join("docs/schema/idea-1.0.json"), schema).unwrap();
}
