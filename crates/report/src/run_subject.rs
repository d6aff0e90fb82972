/// What a run is about. It decides some words: a points report has points where an assessment has claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunSubject {
    /// A paper and its claims.
    Paper,
    /// A paper and its points.
    Points,
    /// An idea.
    Idea,
    /// An idea that is reviewed.
    Review,
    /// A group of ideas.
    Ideas,
}

impl RunSubject {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Paper | Self::Points => "the paper",
            Self::Idea | Self::Review => "the idea",
            Self::Ideas => "the ideas",
        }
    }

    /// What a model was sent.
    pub(crate) fn texts(self) -> &'static str {
        match self {
            Self::Paper | Self::Points => "text of the paper and of other papers",
            Self::Idea | Self::Review => "text of the idea and of other papers",
            Self::Ideas => "text of the ideas",
        }
    }

    pub(crate) fn claim(self) -> &'static str {
        if self == Self::Points { "point" } else { "claim" }
    }
}
