use super::PROVIDERS;
use crate::Provider;

/// All providers, in the order that help lists them.
#[must_use]
pub fn providers() -> &'static [&'static dyn Provider] {
    PROVIDERS
}

/// The provider with this id.
#[must_use]
pub fn provider(id: &str) -> Option<&'static dyn Provider> {
    providers().iter().copied().find(|provider| provider.id() == id)
}
