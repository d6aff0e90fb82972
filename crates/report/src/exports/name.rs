use precedent_domain::Author;

use crate::plain::deceives;

/// A name split into the parts that reference managers use.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Person {
    /// `Donald E.`; empty for groups and names of one word.
    pub(super) given: String,
    /// `van der`: before the family name, and ignored for sorting in some languages.
    pub(super) particle: String,
    /// `Knuth`.
    pub(super) family: String,
    /// `Jr.`
    pub(super) suffix: String,
}

/// Particles before a family name.
const PARTICLES: &[&str] = &[
    "af", "al", "av", "bin", "da", "das", "de", "degli", "del", "della", "den", "der", "di", "do", "dos", "du", "el",
    "ibn", "la", "las", "le", "los", "ten", "ter", "van", "von", "zu", "zum", "zur",
];
/// Particles that belong to the family name if capitalized, as in `De Las Casas`. Other capitalized ones are given names: `Bin`, `Al`, `Do`.
const LARGE: &[&str] = &[
    "Da", "Das", "De", "Degli", "Del", "Della", "Den", "Der", "Di", "Dos", "Du", "La", "Las", "Le", "Los", "Ter",
    "Van", "Von",
];
/// Family names with which `Van` and `Le` are given names.
const VIETNAMESE: &[&str] = &[
    "bui", "dang", "dinh", "do", "duong", "ho", "hoang", "huynh", "le", "luong", "ly", "mai", "ngo", "nguyen", "pham",
    "phan", "tran", "trinh", "truong", "vo", "vu",
];
/// Words in names of groups and organizations, but not of people.
const OF_GROUPS: &[&str] = &[
    "academy",
    "agency",
    "alliance",
    "association",
    "authority",
    "center",
    "centre",
    "collaboration",
    "commission",
    "committee",
    "company",
    "consortium",
    "corp",
    "corporation",
    "department",
    "foundation",
    "gmbh",
    "inc",
    "initiative",
    "institute",
    "laboratories",
    "laboratory",
    "labs",
    "llc",
    "ltd",
    "ministry",
    "network",
    "organisation",
    "organization",
    "project",
    "research",
    "society",
    "team",
    "university",
    "workgroup",
];

impl Person {
    /// Splits a printed name: in reading order, or with the family name first, before a comma.
    pub(super) fn of(author: &Author) -> Self {
        let name = one_line(&author.name);
        if is_group(&name) {
            return Self {
                family: name,
                ..Self::default()
            };
        }
        if let Some((family, rest)) = name.split_once(',') {
            let (suffix, given) = match rest.split_once(',') {
                Some((suffix, given)) if is_suffix(suffix.trim()) => (suffix.trim(), given.trim()),
                _ if is_suffix(rest.trim()) => return Self::in_reading_order(&format!("{family} {}", rest.trim())),
                _ => ("", rest.trim()),
            };
            let words: Vec<&str> = family.split_whitespace().collect();
            let particles = words.iter().take(words.len().saturating_sub(1));
            let particles = particles.take_while(|word| is_particle(word)).count();
            return Self {
                given: given.replace(',', " ").trim().to_owned(),
                particle: joined(words.get(..particles)),
                family: joined(words.get(particles..)),
                suffix: suffix.to_owned(),
            };
        }
        Self::in_reading_order(&name)
    }

    fn in_reading_order(name: &str) -> Self {
        let mut words: Vec<&str> = name.split_whitespace().collect();
        let suffix = match words.last() {
            Some(last) if words.len() > 1 && is_suffix(last) => words.pop().unwrap_or_default(),
            _ => "",
        };
        let last = words.pop().unwrap_or_default();
        // Two joined family names: `Ortega y Gasset`.
        let family = match words.as_slice() {
            [_, .., first, and @ ("y" | "i")] => format!("{first} {and} {last}"),
            _ => last.to_owned(),
        };
        if family != last {
            words.truncate(words.len() - 2);
        }
        let vietnamese = VIETNAMESE.contains(&family.to_lowercase().as_str());
        let belongs = |word: &&&str| is_particle(word) || LARGE.contains(*word) && !vietnamese;
        let particles = words.iter().rev().take_while(belongs).count();
        // A name that starts with its particle has no given name.
        let given = words.len() - particles;
        let before = words.get(given..).unwrap_or_default();
        if given > 0 && before.iter().any(|word| !is_particle(word)) {
            return Self {
                given: joined(words.get(..given)),
                particle: String::new(),
                family: format!("{} {family}", before.join(" ")),
                suffix: suffix.to_owned(),
            };
        }
        let particles = words.iter().rev().take_while(|word| is_particle(word)).count();
        let given = words.len() - particles;
        Self {
            given: joined(words.get(..given)),
            particle: joined(words.get(given..)),
            family,
            suffix: suffix.to_owned(),
        }
    }
}

fn joined(words: Option<&[&str]>) -> String {
    words.unwrap_or_default().join(" ")
}

fn is_suffix(word: &str) -> bool {
    matches!(word.trim_end_matches('.'), "Jr" | "Sr" | "II" | "III" | "IV")
}

/// Whether a name is that of a group or an organization, and has no parts.
fn is_group(name: &str) -> bool {
    let lower = name.to_lowercase();
    let mut words = lower.split([' ', ',', '.', '/', '-']).filter(|word| !word.is_empty());
    let several = lower.contains(' ');
    several && (lower.starts_with("the ") || words.any(|word| OF_GROUPS.contains(&word)))
}

fn is_particle(word: &str) -> bool {
    PARTICLES.contains(&word)
}

/// The text on one line without invisible characters.
pub(super) fn one_line(text: &str) -> String {
    let seen: String = text
        .chars()
        .filter(|c| !deceives(*c))
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .collect();
    seen.split(' ')
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}
