/// How a service behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// As it should.
    Well,
    /// It finds nothing, and says so in its own way.
    Empty,
    /// Every field that may be null or missing is.
    Nulls,
    /// It does not know the key.
    BadKey,
    /// Too many within a moment, with a wait of a second named; well at the second try.
    TooFast,
    /// Too many, in its own way, without end: what its users share, or its own wording where it has none of the others.
    TooMany,
    /// The day's allowance is used up.
    Spent,
    /// Shut out for half an hour.
    LockedOut,
    /// In trouble: 503, without end.
    Down,
    /// 500 once, then well.
    Stumbles,
    /// A web page with a status of success.
    Html,
    /// The body ends in the middle; the head promised more.
    Truncated,
    /// The body is cut, and the head promises just that.
    CutShort,
    /// A byte every so often, without end.
    Drip,
    /// Nothing at all.
    Hang,
    /// On to an address of a private network.
    RedirectInside,
    /// On to a file.
    RedirectFile,
    /// 50 MB.
    Huge,
    /// A small body that unpacks to 50 MB.
    Bomb,
    /// Well, but in Latin-1, and the head says so.
    Latin1,
    /// Bytes that are no text, said to be UTF-8.
    NotText,
    /// XML with a document type whose entities unfold without end; JSON nested without end.
    Unfolding,
    /// The connection ends before a word.
    Hangup,
    /// Titles, names and addresses that try to be markup, paths and control characters.
    Hostile,
    /// Too many, with `Retry-After: 3600`.
    LongPause,
    /// The first time a body that ends early or, at arXiv, an empty page; then well.
    DamagedOnce,
    /// Well for the first question that it hears; 504 for every other one.
    FirstAlone,
    /// As it should, and where it counts money its headers say that nothing more may be spent today.
    LastOne,
}

impl Act {
    /// All of them.
    pub const ALL: [Self; 28] = [
        Self::Well,
        Self::Empty,
        Self::Nulls,
        Self::BadKey,
        Self::TooFast,
        Self::TooMany,
        Self::Spent,
        Self::LockedOut,
        Self::Down,
        Self::Stumbles,
        Self::Html,
        Self::Truncated,
        Self::CutShort,
        Self::Drip,
        Self::Hang,
        Self::RedirectInside,
        Self::RedirectFile,
        Self::Huge,
        Self::Bomb,
        Self::Latin1,
        Self::NotText,
        Self::Unfolding,
        Self::Hangup,
        Self::Hostile,
        Self::LongPause,
        Self::DamagedOnce,
        Self::FirstAlone,
        Self::LastOne,
    ];
}
