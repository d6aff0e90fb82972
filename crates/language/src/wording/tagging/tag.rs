/// The part of speech of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tag {
    /// Common noun, singular or mass.
    Noun,
    /// Common noun, plural.
    Plural,
    /// Proper noun.
    Name,
    /// Adjective, including comparatives.
    Adjective,
    /// Verb, base form: `to parse`, `can parse`.
    Base,
    /// Verb, finite present except third person: `we parse`.
    Present,
    /// Verb, finite present, third person: `it parses`.
    Third,
    /// Verb, finite past.
    Past,
    /// `-ing` form of a verb.
    Gerund,
    /// Past participle.
    Participle,
    /// Modal verb.
    Modal,
    /// Adverb or particle.
    Adverb,
    /// Preposition or subordinating conjunction.
    Preposition,
    /// `to`.
    To,
    /// Article, demonstrative, possessive pronoun.
    Determiner,
    /// Pronoun.
    Pronoun,
    /// `which`, `how`, `whose`.
    Wh,
    /// `and`, `or`, `but`.
    Conjunction,
    /// Number.
    Number,
    /// `'s`.
    Possessive,
    /// Foreign words, symbols, list markers.
    Other,
    /// Punctuation: recognised by its form, never predicted.
    Mark,
}

impl Tag {
    /// All predicted tags, in the order of the table's columns.
    pub(crate) const GUESSED: [Self; 21] = [
        Self::Noun,
        Self::Plural,
        Self::Name,
        Self::Adjective,
        Self::Base,
        Self::Present,
        Self::Third,
        Self::Past,
        Self::Gerund,
        Self::Participle,
        Self::Modal,
        Self::Adverb,
        Self::Preposition,
        Self::To,
        Self::Determiner,
        Self::Pronoun,
        Self::Wh,
        Self::Conjunction,
        Self::Number,
        Self::Possessive,
        Self::Other,
    ];

    /// Whether it is a verb that forms a sentence, or a word that opens a question.
    pub fn is_finite_verb(self) -> bool {
        matches!(self, Self::Present | Self::Third | Self::Past | Self::Modal | Self::Wh)
    }

    /// Whether it names a thing or a property. Verbs, adverbs and numbers do not.
    pub fn describes(self) -> bool {
        self.is_noun() || self == Self::Adjective
    }

    /// Whether it can head a noun phrase.
    pub fn is_noun(self) -> bool {
        matches!(self, Self::Noun | Self::Plural | Self::Name)
    }
}
