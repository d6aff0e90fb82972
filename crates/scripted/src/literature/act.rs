/// Behavior of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// Normal.
    Well,
    /// Finds nothing and reports it in its own format.
    Empty,
    /// Every optional field is null or missing.
    Nulls,
    /// Rejects the key.
    BadKey,
    /// A short-term rate limit with a wait of one second; the second attempt succeeds.
    TooFast,
    /// A permanent rate limit in its own words: the shared limit of all users, or the generic one if it has no other.
    TooMany,
    /// The daily allowance is used up.
    Spent,
    /// Blocked for half an hour.
    LockedOut,
    /// Always 503.
    Down,
    /// 500 once, then normal.
    Stumbles,
    /// An HTML page with a success status.
    Html,
    /// The body ends in the middle of the declared length.
    Truncated,
    /// The body is truncated, and the declared length matches.
    CutShort,
    /// One byte at a time, without end.
    Drip,
    /// No response.
    Hang,
    /// A redirect to an address in a private network.
    RedirectInside,
    /// A redirect to a file.
    RedirectFile,
    /// 50 MB.
    Huge,
    /// A small body that decompresses to 50 MB.
    Bomb,
    /// Normal, but in Latin-1 with a matching header.
    Latin1,
    /// Invalid bytes declared as UTF-8.
    NotText,
    /// XML with exponentially expanding entities; JSON with unlimited nesting.
    Unfolding,
    /// The connection closes without a response.
    Hangup,
    /// Titles, names and addresses with markup, paths and control characters.
    Hostile,
    /// A rate limit with `Retry-After: 3600`.
    LongPause,
    /// The first response has a truncated body or, for arXiv, an empty page. Then normal.
    DamagedOnce,
    /// Normal for the first request received; 504 for all others.
    FirstAlone,
    /// Normal, except that the headers of a service that counts money report no remaining allowance for today.
    LastOne,
}

impl Act {
    /// All variants.
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
