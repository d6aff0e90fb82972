use std::fmt;
use std::sync::Arc;

/// Receives notices for the user while requests are in flight, such as waiting for a host that is down.
#[derive(Clone, Default)]
pub(crate) struct Notices(Option<Arc<Receive>>);

type Receive = dyn Fn(&str) + Send + Sync;

impl Notices {
    pub(crate) fn to(receive: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(receive)))
    }

    pub(crate) fn say(&self, notice: &str) {
        if let Some(receive) = &self.0 {
            receive(notice);
        }
    }
}

impl fmt::Debug for Notices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Notices")
    }
}
