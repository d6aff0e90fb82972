//! Renders a saved report again in every format: `cargo run -p precedent-report --example render -- report.json FOLDER`.

use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(report), Some(folder)) = (arguments.next(), arguments.next()) else {
        return Err("usage: render report.json FOLDER".into());
    };
    let assessment = precedent_report::read_assessment(&std::fs::read(report)?)?;
    std::fs::create_dir_all(&folder)?;
    for renderer in precedent_report::renderers() {
        std::fs::write(folder.join(renderer.file_name()), renderer.render(&assessment)?)?;
    }
    Ok(())
}
