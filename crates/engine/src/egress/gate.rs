use std::collections::BTreeSet;

use precedent_domain::{Document, Paper, Paragraph, ParagraphKind, Query, Span, title_key};
use precedent_sources::Relation;
use sha2::{Digest, Sha256};

use super::coined::MOST_PARTS;
use super::manuscript::is_meaningful;
use super::{Manuscript, coined_names};
use crate::extract::{Personal, Reading, as_paper, tokens};

/// Minimum number of content words in a query that the gate changed. A single word is no usable query.
const FEWEST_TELLING: usize = 2;
/// Minimum letters for a title to be recognised as the manuscript's own inside its front matter.
const OWN_TITLE_LETTERS: usize = 20;
/// Maximum number of key words sent for a whole idea: the maximum length of any query.
const KEY_WORDS: usize = 40;
/// Hexadecimal digits of a gate's key.
const KEY_DIGITS: usize = 16;

/// Decides which text of a manuscript may be sent. Built once per run.
#[derive(Debug)]
pub struct EgressGate {
    personal: Personal,
    coined: BTreeSet<String>,
    manuscript: Manuscript,
    own_title: String,
    /// Title, authors and surrounding text, without spaces.
    front: String,
    key: String,
}

/// A relation with text that may be sent.
#[derive(Debug, Clone)]
pub struct CheckedRelation<'a> {
    relation: RelationKind<'a>,
    text: String,
}

#[derive(Debug, Clone, Copy)]
enum RelationKind<'a> {
    Passages,
    Near,
    Titled,
    /// Sends no words.
    Named(Relation<'a>),
}

impl CheckedRelation<'_> {
    /// The relation.
    #[must_use]
    pub fn relation(&self) -> Relation<'_> {
        match self.relation {
            RelationKind::Passages => Relation::Passages(&self.text),
            RelationKind::Near => Relation::Near(&self.text),
            RelationKind::Titled => Relation::Titled(&self.text),
            RelationKind::Named(relation) => relation,
        }
    }
}

/// Separates an idea's front matter: ideas are often written like papers, with a title and lines of names first.
fn with_front(mut idea: Paper) -> Paper {
    let text = idea.document.text.clone();
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let is_title =
            lines.is_empty() && Personal::may_be_title(line, text.get(start + line.len()..).unwrap_or_default());
        if !line.trim().is_empty() && !is_title && !Personal::may_be_names(line) {
            break;
        }
        if is_title {
            idea.title = Some(line.trim().trim_start_matches('#').trim().to_owned());
        }
        lines.push(Paragraph {
            span: Span::new(start, start + line.trim_end().len()),
            kind: ParagraphKind::Body,
        });
        start += line.len();
    }
    if start < text.len() {
        idea.abstract_span = Some(Span::new(start, text.len()));
        let rest = idea.document.paragraphs.iter().filter(|one| one.span.end > start);
        let rest = rest.map(|one| Paragraph {
            span: Span::new(one.span.start.max(start), one.span.end),
            kind: one.kind,
        });
        idea.document.paragraphs = lines.into_iter().chain(rest).collect();
    }
    idea
}

impl EgressGate {
    /// The gate of a paper.
    #[must_use]
    pub fn of_paper(paper: &Paper) -> Self {
        Self::of(&[paper])
    }

    /// The gate of an idea, and of its own paper if it has one.
    #[must_use]
    pub fn of_idea(document: &Document, own: Option<&Paper>) -> Self {
        let idea = with_front(as_paper(document));
        match own {
            Some(own) => Self::of(&[own, &idea]),
            None => Self::of(&[&idea]),
        }
    }

    fn of(papers: &[&Paper]) -> Self {
        let mut gate = Self {
            personal: Personal::default(),
            coined: BTreeSet::new(),
            manuscript: Manuscript::default(),
            own_title: String::new(),
            front: String::new(),
            key: String::new(),
        };
        let mut digest = Sha256::new();
        for paper in papers {
            let reading = Reading::new(paper);
            gate.coined.extend(coined_names(&reading));
            gate.personal.extend(reading.personal());
            gate.manuscript.read(&paper.document.text);
            let title = paper.title.as_deref().unwrap_or_default();
            gate.manuscript.read(title);
            if gate.own_title.is_empty() {
                gate.own_title = title_key(title);
            }
            gate.front
                .push_str(&title_key(&reading.personal().front).replace(' ', ""));
            gate.front.push('\n');
            digest.update(paper.document.text.as_bytes());
        }
        for word in gate.personal.words().chain(&gate.coined) {
            digest.update(word.as_bytes());
            digest.update(b"\n");
        }
        let hex = digest
            .finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>();
        gate.key = hex.chars().take(KEY_DIGITS).collect();
        gate
    }

    /// Identifies what the gate allows. A different key means that other queries may be sent.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The query with only the words that may be sent; `None` if too little of it is left.
    #[must_use]
    pub fn query(&self, query: &Query) -> Option<Query> {
        let topic = query.topic();
        let sent = self.words(topic)?;
        if sent == topic {
            return Some(query.clone());
        }
        let prefix = query.text.strip_suffix(topic).unwrap_or_default();
        Some(Query {
            text: format!("{prefix}{sent}"),
            ..query.clone()
        })
    }

    /// The relation with only the words that may be sent; `None` if too little is left, and for the manuscript's own title.
    #[must_use]
    pub fn relation<'a>(&self, relation: &Relation<'a>) -> Option<CheckedRelation<'a>> {
        let (relation, text) = match *relation {
            Relation::Near(text) => (RelationKind::Near, self.words(text)?),
            Relation::Titled(title) => (RelationKind::Titled, self.title(title)?),
            Relation::Passages(text) => (RelationKind::Passages, self.key_words(text)?),
            named => (RelationKind::Named(named), String::new()),
        };
        Some(CheckedRelation { relation, text })
    }

    /// Applies all three rules to a short text. A text that breaks no rule is unchanged.
    fn words(&self, text: &str) -> Option<String> {
        let all = tokens(text);
        let impersonal = self.personal.without(all.clone());
        let uncoined = self.without_coined(impersonal);
        let sent = self.manuscript.shortened(uncoined);
        if sent == all {
            return Some(text.to_owned());
        }
        let telling = sent.iter().filter(|word| is_meaningful(word)).count();
        (telling >= FEWEST_TELLING).then(|| sent.join(" "))
    }

    /// Reduces a long text to its key words under all three rules. They are sorted alphabetically, because their order in the text would reveal its
    /// wording.
    fn key_words(&self, text: &str) -> Option<String> {
        let impersonal = self.personal.without(tokens(text));
        let uncoined = self.without_coined(impersonal);
        let distinct: BTreeSet<String> = uncoined.into_iter().collect();
        let mut sent = self
            .manuscript
            .best_of(&distinct.into_iter().collect::<Vec<_>>(), KEY_WORDS);
        sent.sort();
        let sent = self.manuscript.shortened(sent);
        (sent.len() >= FEWEST_TELLING).then(|| sent.join(" "))
    }

    /// The title of another work; `None` for the manuscript's own.
    fn title(&self, title: &str) -> Option<String> {
        let key = title_key(title);
        let solid = key.replace(' ', "");
        let is_own = solid == self.own_title.replace(' ', "")
            || solid.chars().count() >= OWN_TITLE_LETTERS && self.front.contains(&solid);
        let sent = self.without_personal(title);
        (!is_own && !sent.is_empty()).then_some(sent)
    }

    fn without_personal(&self, text: &str) -> String {
        let all = tokens(text);
        let sent = self.personal.without(all.clone());
        match sent == all {
            true => text.to_owned(),
            false => sent.join(" "),
        }
    }

    /// The words without coined names, which may be written in several words or with a plural `s`.
    fn without_coined(&self, words: Vec<String>) -> Vec<String> {
        if self.coined.is_empty() {
            return words;
        }
        let mut kept = Vec::new();
        let mut rest = words.as_slice();
        while let Some((first, after)) = rest.split_first() {
            let is_coined = |length: &usize| {
                let name: String = rest.iter().take(*length).map(|word| title_key(word)).collect();
                let singular = name.strip_suffix('s').filter(|one| one.chars().nth(2).is_some());
                self.coined.contains(&name) || singular.is_some_and(|one| self.coined.contains(one))
            };
            match (1..=MOST_PARTS.min(rest.len())).rev().find(is_coined) {
                Some(length) => rest = rest.get(length..).unwrap_or_default(),
                None => {
                    kept.push(first.clone());
                    rest = after;
                }
            }
        }
        kept
    }
}
