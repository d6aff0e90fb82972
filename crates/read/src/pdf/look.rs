//! The look of a font, from its name and its descriptor. Names are more reliable.

/// Visible properties of a font.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) mono: bool,
    /// Whether it is a font of mathematical letters or symbols.
    pub(super) math: bool,
}

impl Look {
    /// The look for this font name (possibly with a subset tag), these descriptor flags (ISO 32000-1, table 123) and this weight.
    pub(super) fn from_descriptor(name: &str, flags: u32, weight: f64) -> Self {
        let name = name.split_once('+').map_or(name, |(_, name)| name);
        let lower = name.to_ascii_lowercase();
        let has = |parts: &[&str]| parts.iter().any(|part| lower.contains(part));
        let starts = |parts: &[&str]| parts.iter().any(|part| lower.starts_with(part));
        let math = starts(&[
            "cmmi", "cmsy", "cmex", "msam", "msbm", "cmmib", "cmbsy", "eufm", "euex", "rsfs", "txsy", "txmi", "pxsy",
            "pxmi", "stmary", "wasy", "bbm", "mtsy", "mtmi", "rtxmi", "rpxmi", "ntxmi", "ntxsy", "txex", "pxex",
            "lmmath", "dsrom", "mathpi", "rmtmi", "esint",
        ]) || name == "Symbol"
            || name.starts_with("Symbol,")
            || name.starts_with("SymbolMT")
            || has(&["math"]);
        Self {
            bold: has(&["bold", "black", "heavy", "demi", "semibd"])
                || starts(&["cmbx", "cmb1", "sfbx", "ecbx", "cmssbx", "lmbx", "tibx", "cmbcsc"])
                || ["-medi", "-bd", "-bx", "-hv", "medi", "-b", ".b", "-bol"]
                    .iter()
                    .any(|end| lower.ends_with(end))
                || weight >= 600.0
                || flags & (1 << 18) != 0,
            italic: has(&["italic", "oblique"])
                || starts(&["cmti", "cmsl", "sfti", "ecti", "cmbxti", "lmri", "lmroman10-it"])
                || ["-ital", "ital", "-it", "-i", "-regu-slant_167", "-obl"]
                    .iter()
                    .any(|end| lower.ends_with(end))
                || flags & (1 << 6) != 0,
            mono: has(&[
                "courier",
                "mono",
                "typewriter",
                "consol",
                "menlo",
                "inconsolata",
                "cousine",
            ]) || starts(&[
                "cmtt", "sftt", "ectt", "lmtt", "txtt", "cmsltt", "cmitt", "beramono", "fvm", "zi4",
            ]) || flags & 1 != 0 && !math,
            math,
        }
    }
}
