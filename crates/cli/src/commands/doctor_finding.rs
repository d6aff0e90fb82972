use serde::Serialize;

#[derive(Debug, Serialize)]
pub(super) struct DoctorFinding {
    /// What was checked.
    pub(super) what: String,
    /// `ok`, `not_asked`, `missing` (optional and not available) or `broken` (needed, but does not work).
    pub(super) state: CheckState,
    /// A description, with what to do.
    pub(super) detail: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum CheckState {
    Ok,
    NotAsked,
    Missing,
    Broken,
}
