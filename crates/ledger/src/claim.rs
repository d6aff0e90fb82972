use crate::InputHash;

/// The result of an attempt to claim a request.
#[derive(Debug, PartialEq, Eq)]
pub enum Claim {
    /// This process sends the request, and then settles or releases the lease.
    Ours(Lease),
    /// A settled response is recorded.
    Answered,
    /// Another process holds the claim.
    Held,
}

/// The right to send a request, until the lease ends. Every lease has a token of its own, so an earlier holder of a claim cannot settle it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    pub(crate) key: InputHash,
    pub(crate) token: i64,
    pub(crate) was_held: bool,
}

impl Lease {
    /// Whether another process had claimed the request and did not settle it. It may have sent it.
    #[must_use]
    pub fn was_held(&self) -> bool {
        self.was_held
    }
}
