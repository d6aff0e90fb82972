//! Room corpus.
