use std::collections::BTreeSet;

/// A work in the library of the emulated services.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LibraryRecord {
    /// Its unique key, which is part of every id.
    pub key: String,
    /// Title.
    pub title: String,
    /// Abstract; empty for none.
    pub summary: String,
    /// Given and family name of each author.
    pub authors: Vec<(String, String)>,
    /// Publication date: `2021-03-04`.
    pub day: String,
    /// Date of the first preprint, if any.
    pub preprint: Option<String>,
    /// DOI; empty for none.
    pub doi: String,
    /// arXiv id; empty for none.
    pub arxiv: String,
    /// Venue.
    pub venue: String,
    /// Keys of the works that it cites.
    pub cites: Vec<String>,
    /// Whether it was retracted.
    pub retracted: bool,
    /// Whether OpenReview has it as a record imported from DBLP, two years after publication.
    pub imported: bool,
    /// The PubMed Central id, including its letters; empty for none.
    pub pmc: String,
    /// The ACL Anthology id; empty for none.
    pub acl: String,
}

impl LibraryRecord {
    /// A numeric id.
    pub(super) fn number(&self) -> u64 {
        let digits: String = self.key.chars().filter(char::is_ascii_digit).collect();
        digits.parse().unwrap_or_default()
    }

    /// How many works cite it, by the service that counts the fewest.
    pub(super) fn citations(&self) -> u64 {
        self.number() % 500
    }

    /// The address of its web page.
    pub(super) fn page(&self) -> String {
        format!("https://www.pages.example/ropes/{}", self.key)
    }

    /// The date as people write it: `May 17, 2018`.
    pub(super) fn day_in_words(&self) -> String {
        const MONTHS: [&str; 12] = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ];
        let mut parts = self
            .day
            .split('-')
            .map(|part| part.parse::<usize>().unwrap_or_default());
        let (year, month, day) = (parts.next(), parts.next(), parts.next());
        let month = MONTHS.get(month.unwrap_or_default().saturating_sub(1)).copied();
        format!(
            "{} {}, {}",
            month.unwrap_or_default(),
            day.unwrap_or_default(),
            year.unwrap_or_default()
        )
    }

    pub(super) fn year(&self) -> &str {
        self.day.get(..4).unwrap_or_default()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        self.authors.iter().map(|(given, family)| format!("{given} {family}"))
    }
}

/// The works, searched by shared words.
#[derive(Debug, Clone, Default)]
pub(crate) struct Library {
    pub(super) records: Vec<LibraryRecord>,
    /// Every optional field is null.
    pub(super) nulls: bool,
    /// Other texts on the web.
    pub(super) texts: Vec<HeldText>,
}

impl Library {
    /// The work with this key.
    pub(super) fn of_key(&self, key: &str) -> Option<&LibraryRecord> {
        self.records.iter().find(|record| record.key == key)
    }

    /// The works that `record` cites, in its order.
    pub(super) fn cited_by(&self, record: &LibraryRecord) -> Vec<&LibraryRecord> {
        record.cites.iter().filter_map(|key| self.of_key(key)).collect()
    }

    /// The works that cite `record`.
    pub(super) fn citing(&self, record: &LibraryRecord) -> Vec<&LibraryRecord> {
        let cites = |one: &&LibraryRecord| one.cites.contains(&record.key);
        self.records.iter().filter(cites).collect()
    }

    /// The work with this title, or else the most similar one by words.
    pub(super) fn titled(&self, title: &str) -> Option<&LibraryRecord> {
        let asked = bag(title);
        let same = self.records.iter().find(|record| bag(&record.title) == asked);
        same.or_else(|| self.search(title, false, None).first().copied())
    }

    /// Works that share words with `query`, best first. `all` requires every word; `until` excludes later works.
    pub(super) fn search(&self, query: &str, all: bool, until: Option<&str>) -> Vec<&LibraryRecord> {
        let asked = bag(query);
        let mut ranked: Vec<(usize, &LibraryRecord)> = self
            .records
            .iter()
            .filter(|record| until.is_none_or(|until| record.day.as_str() <= until))
            .map(|record| {
                let title = bag(&record.title);
                let own: BTreeSet<String> = title.union(&bag(&record.summary)).cloned().collect();
                let shared = asked.intersection(&own).count();
                let counts = if all && shared < asked.len() {
                    0
                } else {
                    shared + asked.intersection(&title).count()
                };
                (counts, record)
            })
            .filter(|(counts, _)| *counts > 0)
            .collect();
        ranked.sort_by(|(a, one), (b, other)| b.cmp(a).then_with(|| one.key.cmp(&other.key)));
        ranked.into_iter().map(|(_, record)| record).collect()
    }
}

fn bag(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| word.len() > 2).map(str::to_lowercase).collect()
}

/// A request: the path after the service's name, the parameters and the body.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(super) path: String,
    pub(super) parameters: Vec<(String, String)>,
    pub(super) body: String,
    /// The request head.
    pub(super) head: String,
}

impl Asked {
    /// Parses `/path?a=b`.
    pub(super) fn read(target: &str, body: &str) -> Self {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        let pair = |pair: &str| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (unescaped(name), unescaped(value))
        };
        Self {
            path: path.to_owned(),
            parameters: pairs.map(pair).collect(),
            body: body.to_owned(),
            head: String::new(),
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.parameters
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    pub(super) fn number(&self, name: &str, otherwise: usize) -> usize {
        self.get(name).and_then(|value| value.parse().ok()).unwrap_or(otherwise)
    }

    /// The first parameter that is not in the list.
    pub(super) fn stranger(&self, known: &[&str]) -> Option<&str> {
        let mut names = self.parameters.iter().map(|(name, _)| name.as_str());
        names.find(|name| !known.contains(name))
    }
}

pub(super) fn unescaped(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, more)) = rest.split_first() {
        let hex = more
            .get(..2)
            .and_then(|two| std::str::from_utf8(two).ok())
            .and_then(|two| u8::from_str_radix(two, 16).ok());
        match (first, hex) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = more.get(2..).unwrap_or_default();
            }
            (b'+', _) => {
                bytes.push(b' ');
                rest = more;
            }
            _ => {
                bytes.push(*first);
                rest = more;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A text as its host serves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldText {
    /// Its path after the base address, including the slash: `/https://pages.example/1001`.
    pub path: String,
    /// Its declared content type; empty for none.
    pub kind: &'static str,
    /// Its bytes.
    pub body: Vec<u8>,
}
