use precedent_app::ErrorKind;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::Failure;

/// The whole answer of a tool, before it is cut into pages.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    /// The answer. What is paged is empty here.
    pub(crate) base: Value,
    /// What is paged.
    pub(crate) paged: Paged,
}

/// The part of an answer that may have many pages.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Paged {
    /// Items of lists, each with the JSON pointer of its list.
    Items(Vec<(&'static str, Value)>),
    /// A text, and the JSON pointer of the [`TextPage`](crate::outputs::TextPage) that gets its part.
    Text {
        /// Where the part goes.
        pointer: &'static str,
        /// The whole text.
        text: String,
        /// The byte where the first page begins.
        from: usize,
        /// A list that only the first page has.
        first_page_only: Option<&'static str>,
    },
}

impl Answer {
    /// An answer with lists at these JSON pointers. A pointer without a list is ignored.
    pub(crate) fn with_lists(answer: &impl Serialize, lists: &[&'static str]) -> Result<Self, Failure> {
        let mut base = to_value(answer)?;
        let mut items = Vec::new();
        for pointer in lists {
            if let Some(Value::Array(list)) = base.pointer_mut(pointer) {
                items.extend(std::mem::take(list).into_iter().map(|item| (*pointer, item)));
            }
        }
        Ok(Self {
            base,
            paged: Paged::Items(items),
        })
    }

    /// An answer with a long text.
    pub(crate) fn with_text(
        answer: &impl Serialize,
        pointer: &'static str,
        text: String,
        from: usize,
        first_page_only: Option<&'static str>,
    ) -> Result<Self, Failure> {
        let paged = Paged::Text {
            pointer,
            text,
            from,
            first_page_only,
        };
        Ok(Self {
            base: to_value(answer)?,
            paged,
        })
    }

    /// Adds a list of warnings.
    pub(crate) fn add_warnings(&mut self, warnings: Vec<String>) {
        if let Some(base) = self.base.as_object_mut() {
            base.insert("warnings".to_owned(), warnings.into());
        }
    }
}

fn to_value(answer: &impl Serialize) -> Result<Value, Failure> {
    serde_json::to_value(answer)
        .ok()
        .filter(Value::is_object)
        .ok_or_else(|| Failure::new(ErrorKind::Bug, "failed to write the answer"))
}

/// The arguments of a tool.
pub(crate) type Arguments = Map<String, Value>;
