use super::record::{Asked, Library};

/// A response: status, extra header lines, content type, body.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) kind: &'static str,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(status: u16, body: &serde_json::Value) -> Self {
        Self {
            status,
            head: String::new(),
            kind: "application/json",
            body: body.to_string().into_bytes(),
        }
    }

    pub(crate) fn text(status: u16, kind: &'static str, body: &str) -> Self {
        Self {
            status,
            head: String::new(),
            kind,
            body: body.as_bytes().to_vec(),
        }
    }

    pub(crate) fn with_head(self, head: &str) -> Self {
        Self {
            head: format!("{}{head}\r\n", self.head),
            ..self
        }
    }
}

/// The emulation of a service: a function of path and parameters; `None` for an unknown path.
pub(crate) type Play = fn(&Asked, &Library) -> Option<Answer>;

/// One page of `works`.
pub(crate) fn page<T>(works: &[T], start: usize, size: usize) -> &[T] {
    let from = start.min(works.len());
    works.get(from..(from + size).min(works.len())).unwrap_or_default()
}
