//! Tests of `precedent serve`.
