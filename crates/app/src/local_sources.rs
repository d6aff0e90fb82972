//! Local sources that are selected like services: `acl`, `acl:FOLDER`, `corpus:FOLDER`.

use std::path::Path;
use std::sync::Arc;

use precedent_engine::sources::{Source, SourceKind, kinds, open as open_source};

use crate::settings::Settings;
use crate::{AppError, ErrorKind, input};

/// Whether a name selects a local source.
pub fn is_one(name: &str) -> bool {
    kind_of(name).is_some()
}

/// The kind of the local source with this name.
pub fn kind_of(name: &str) -> Option<&'static SourceKind> {
    let kind = name.split_once(':').map_or(name, |(kind, _)| kind);
    kinds().iter().find(|known| known.id == kind)
}

/// The sources with these names as `kind:place`, without duplicates. `all` adds those with a folder in the settings.
pub fn selected(names: &[String], all: bool, settings: &Settings) -> Result<Vec<String>, AppError> {
    let mut found: Vec<String> = Vec::new();
    let placed = kinds().iter().filter(|kind| place_in(settings, kind).is_some());
    let with_all = placed.filter(|_| all).map(|kind| kind.id.to_owned());
    for name in names.iter().cloned().chain(with_all) {
        let Some(kind) = kind_of(&name) else { continue };
        let typed = name.split_once(':').map(|(_, place)| Path::new(place));
        let Some(place) = typed.or_else(|| place_in(settings, kind)) else {
            return Err(unplaced(kind));
        };
        let place = place.canonicalize().map_err(|error| input::cannot_read(place, error))?;
        let whole = format!("{}:{}", kind.id, place.display());
        if !found.contains(&whole) {
            found.push(whole);
        }
    }
    Ok(found)
}

/// The folder of a kind in the settings, if the kind has one usual place for all runs.
pub fn place_in<'s>(settings: &'s Settings, kind: &SourceKind) -> Option<&'s Path> {
    let own = settings.sources.get(kind.id).filter(|_| kind.usual_place)?;
    own.corpus.as_deref()
}

fn unplaced(kind: &SourceKind) -> AppError {
    let message = format!("failed to open {}: no folder is configured", kind.id);
    AppError::with_message(ErrorKind::Usage, message).hint(kind.about)
}

/// Opens the local sources among these.
pub fn open(names: &[String]) -> Result<Vec<Arc<dyn Source>>, AppError> {
    let here = names.iter().filter(|name| is_one(name));
    let opened = here.map(|name| open_source(name).map_err(|error| AppError::new(ErrorKind::Input, error)));
    opened.collect()
}
