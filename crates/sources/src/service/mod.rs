//! Network services that find works, pages and repositories, behind the common trait of all sources.
//!
//! A service takes a short query and returns works with dates and identifiers, cleaned and limited, or an error. The format of each service is a file
//! in `services/`. Pacing, deadlines, budgets, refusals and reporting are the same for all and live here. Only the HTTP client uses the network.
//! Requests about named works are in `relations` and `inquire`. Texts of pages and repositories are in `texts`; full texts of papers are fetched
//! elsewhere. A search accepts no query longer than a phrase. Only [`Relation::Passages`] sends more, at most 300 words, and only with explicit
//! permission.

mod batches;
mod body_text;
mod chosen;
mod clean;
mod contract;
mod dates;
mod draft;
mod error;
mod health_check;
mod inquire;
mod json;
mod message;
mod notices;
mod pages;
mod records;
mod refusal;
mod relations;
mod said_dates;
mod settings;
mod signed;
mod source;
mod spend;
mod texts;
mod unfolding;
mod words;

pub use chosen::{chosen, is_default, service, services};
pub use contract::{Endpoint, Found, Login, Page, Service, Tariff, TextAt, Unreadable};
pub use draft::Draft;
pub use error::ServiceError;
pub use health_check::HealthCheck;
pub use inquire::WHOLE_WORDS;
pub use relations::{Ability, Called, Relation, RelationAnswer, RelationQuery, Relations, WorkName};
pub use settings::ServiceSettings;
pub use source::{MOST_CHARACTERS, MOST_WORDS, ServiceSource};
pub use words::Words;

pub(crate) use clean::{headings_apart, in_path, plain, without_tags};
pub(crate) use dates::{from_epoch_ms, from_parts, without_padding};
pub(crate) use json::{array, count, ends_early, list, object, string};
pub(crate) use message::message_of;
pub(crate) use pages::{PAGE, page, text_of_page};
pub(crate) use said_dates::from_words;

use refusal::Refusals;
