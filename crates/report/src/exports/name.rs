use precedent_domain::Author;

/// A name in the parts that reference managers sort and cite by.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Person {
    /// `Donald E.`; empty for a name of one word, as groups have.
    pub(super) given: String,
    /// `van der`: before the family name, and not sorted by in every language.
    pub(super) particle: String,
    /// `Knuth`.
    pub(super) family: String,
    /// `Jr.`
    pub(super) suffix: String,
}

/// Words before a family name that belong to it.
const PARTICLES: &[&str] = &[
    "af", "al", "av", "bin", "da", "das", "de", "del", "della", "den", "der", "di", "do", "dos", "du", "el", "ibn",
    "la", "le", "ten", "ter", "van", "von", "zu", "zum", "zur",
];

impl Person {
    /// The parts of a name as it was printed: in reading order, or family name first before a comma.
    pub(super) fn of(author: &Author) -> Self {
        let name = super::entry::one_line(&author.name);
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
        let family = words.pop().unwrap_or_default();
        let particles = words.iter().rev().take_while(|word| is_particle(word)).count();
        // A name that begins with its particle has no given name before it.
        let given = words.len() - particles;
        Self {
            given: joined(words.get(..given)),
            particle: joined(words.get(given..)),
            family: family.to_owned(),
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

fn is_particle(word: &str) -> bool {
    PARTICLES.contains(&word)
}
