//! Services over the network that find works, pages and repositories, behind the one trait of all sources.
//!
//! In: a short query. Out: works with their dates and identifiers, cleaned and bounded, or why the service gave nothing. What one service wants and says is a
//! file in `services/`; manners, deadlines, money, what is refused and what is told of it are here, the same for all. The network is the door's
//! alone. Works that are known by name are asked about in `relations` and `inquire`. Texts of pages and repositories are in `texts`; whole texts of papers are had elsewhere. A search takes no query longer
//! than a phrase; the one way to send more is to ask for [`Relation::Passages`], 300 words at most, which only somebody who was told so may do.

mod account;
mod batches;
mod chosen;
mod clean;
mod contract;
mod dates;
mod draft;
mod inquire;
mod json;
mod pages;
mod records;
mod refusal;
mod relations;
mod said;
mod said_dates;
mod settings;
mod signed;
mod source;
mod texts;
mod trial;
mod trouble;
mod unfolding;
mod words;

pub use chosen::{chosen, is_default, service, services};
pub use contract::{Endpoint, Found, Login, Page, Service, Tariff, TextAt, Unreadable};
pub use draft::Draft;
pub use inquire::WHOLE_WORDS;
pub use relations::{Ability, Called, Inquiry, Relation, Relations, Told, WorkName};
pub use settings::ServiceSettings;
pub use source::{MOST_CHARACTERS, MOST_WORDS, ServiceSource};
pub use trial::Trial;
pub use trouble::Trouble;
pub use words::Words;

pub(crate) use clean::{headings_apart, in_path, plain, without_tags};
pub(crate) use dates::{from_epoch_ms, from_parts, without_padding};
pub(crate) use json::{array, ends_early, list, object, string};
pub(crate) use pages::{PAGE, page, text_of_page};
pub(crate) use said::said;
pub(crate) use said_dates::from_words;

use refusal::Refusals;
