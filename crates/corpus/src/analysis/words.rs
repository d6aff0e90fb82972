/// LaTeX typesetting commands without content. Sorted, for binary search.
const TYPE_SETTING: [&str; 46] = [
    "begin",
    "bf",
    "big",
    "cal",
    "cdot",
    "cite",
    "citep",
    "citet",
    "displaystyle",
    "dots",
    "em",
    "emph",
    "end",
    "ensuremath",
    "frac",
    "hat",
    "href",
    "hspace",
    "it",
    "label",
    "langle",
    "ldots",
    "left",
    "mathbb",
    "mathbf",
    "mathcal",
    "mathit",
    "mathrm",
    "mathsf",
    "mathtt",
    "mbox",
    "operatorname",
    "overline",
    "quad",
    "rangle",
    "ref",
    "right",
    "rm",
    "sc",
    "text",
    "textbf",
    "textit",
    "textsc",
    "texttt",
    "tt",
    "url",
];

pub(super) fn is_type_setting(command: &str) -> bool {
    TYPE_SETTING.binary_search(&command).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        assert!(TYPE_SETTING.is_sorted());
    }
}
