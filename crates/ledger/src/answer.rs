/// A recorded response of an external service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// A description of the request for people, without secrets.
    pub asked: String,
    /// The HTTP status; 0 if there was no response.
    pub status: u16,
    /// The kept headers and other metadata of the response, as JSON.
    pub head: String,
    /// The body as received.
    pub body: Vec<u8>,
    /// Whether a new request would return the same. "Not found" is settled; "too busy" is not.
    pub settled: bool,
}

/// One outgoing request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// The component that sent it.
    pub who: String,
    /// The host that received it.
    pub host: String,
    /// A description of the request for people, without secrets.
    pub asked: String,
    /// Bytes of the address and body sent.
    pub bytes_out: u64,
    /// Bytes of the body received.
    pub bytes_in: u64,
    /// The status, or a short description of the failure.
    pub outcome: String,
}
