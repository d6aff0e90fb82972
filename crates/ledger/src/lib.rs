//! Room ledger.
