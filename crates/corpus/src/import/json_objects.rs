use std::collections::BTreeMap;
use std::fmt;
use std::io::BufRead;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use super::BadRecord;
use super::kind::Items;
use super::lines::{Line, Lines};
use super::values::{names, string};
use super::work_builder::WorkBuilder;
use crate::Record;

/// Maximum size of a line in bytes: a book with its markup.
const LONGEST_LINE: usize = 64 << 20;

/// The schema of a format's JSON objects.
pub(super) trait Shape {
    /// The members that are read; others are skipped.
    const MEMBERS: &'static [&'static str];

    /// Builds a work from an object; `None` for objects that are not works and need no report (a note, an attachment).
    fn work(object: &Object<Self>) -> Option<WorkBuilder>
    where
        Self: Sized;
}

/// The required members of a JSON object. If a member occurs twice, the first one counts.
pub(super) struct Object<S> {
    members: BTreeMap<&'static str, Value>,
    shape: std::marker::PhantomData<S>,
}

impl<S> Object<S> {
    /// A member; `null` counts as missing.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.members.get(name).filter(|value| !value.is_null())
    }

    /// The first of these members that exists.
    pub(super) fn first(&self, names: &[&str]) -> Option<&Value> {
        names.iter().find_map(|name| self.get(name))
    }

    /// The first of these members that has text.
    pub(super) fn string(&self, names: &[&str]) -> Option<String> {
        let texts = names.iter().filter_map(|name| string(self.get(name)));
        texts.into_iter().find(|text| !text.trim().is_empty())
    }

    /// The number in the first of these members that is a number.
    pub(super) fn count(&self, names: &[&str]) -> Option<u32> {
        let counts = names.iter().filter_map(|name| self.get(name)?.as_u64());
        counts.filter_map(|count| count.try_into().ok()).next()
    }

    /// The people in the first of these members that has any.
    pub(super) fn names(&self, members: &[&str]) -> Vec<String> {
        let lists = members.iter().map(|member| names(self.get(member)));
        lists.into_iter().find(|list| !list.is_empty()).unwrap_or_default()
    }
}

impl<'de, S: Shape> Deserialize<'de> for Object<S> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members<S>(std::marker::PhantomData<S>);
        impl<'de, S: Shape> Visitor<'de> for Members<S> {
            type Value = BTreeMap<&'static str, Value>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = BTreeMap::new();
                while let Some(key) = map.next_key::<std::borrow::Cow<'de, str>>()? {
                    match S::MEMBERS.iter().find(|&&member| member == key) {
                        Some(&member) if !members.contains_key(member) => {
                            members.insert(member, map.next_value()?);
                        }
                        _ => {
                            map.next_value::<IgnoredAny>()?;
                        }
                    }
                }
                Ok(members)
            }
        }
        let members = deserializer.deserialize_map(Members::<S>(std::marker::PhantomData))?;
        Ok(Self {
            members,
            shape: std::marker::PhantomData,
        })
    }
}

/// The record in an object of this schema; `None` if the object is not a work.
pub(super) fn record<S: Shape>(position: u64, bytes: &[u8]) -> Option<Result<Record, BadRecord>> {
    let object: Object<S> = match serde_json::from_slice(bytes) {
        Ok(object) => object,
        Err(error) => {
            let reason = format!("it cannot be parsed as a work: {error}");
            return Some(Err(BadRecord::new(position, None, reason)));
        }
    };
    let builder = S::work(&object)?;
    let name = builder.id.clone().unwrap_or_else(|| builder.title.clone());
    let name = Some(name).filter(|name| !name.trim().is_empty());
    Some(
        builder
            .build()
            .map_err(|reason| BadRecord::new(position, name.as_deref(), reason)),
    )
}

/// One JSON object per line.
pub(super) struct ObjectLines<R, S> {
    lines: Lines<R>,
    ended: bool,
    shape: std::marker::PhantomData<fn() -> S>,
}

impl<R: BufRead, S> ObjectLines<R, S> {
    pub(super) fn new(input: R) -> Self {
        Self {
            lines: Lines::new(input, LONGEST_LINE),
            ended: false,
            shape: std::marker::PhantomData,
        }
    }

    /// The next non-empty line, or its error.
    fn line(&mut self) -> Option<Result<(u64, String), BadRecord>> {
        while !self.ended {
            let (number, line) = match self.lines.next() {
                Ok(Some(line)) => line,
                Ok(None) => break,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(BadRecord::broken_off(&error)));
                }
            };
            return Some(match line {
                Line::Text(text) if text.trim().is_empty() => continue,
                Line::Text(text) => Ok((number, text)),
                Line::TooLong => Err(BadRecord::new(number, None, "the line is longer than 64 MiB")),
                Line::NotText(_) => Err(BadRecord::new(number, None, "the line is not UTF-8")),
            });
        }
        None
    }
}

impl<R: BufRead, S: Shape> Iterator for ObjectLines<R, S> {
    type Item = Result<Record, BadRecord>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.line()? {
            Ok((number, text)) => Some(record::<S>(number, text.as_bytes()).unwrap_or_else(|| {
                let reason = "it is not a work";
                Err(BadRecord::new(number, None, reason))
            })),
            Err(bad) => Some(Err(bad)),
        }
    }
}

impl<R: BufRead + Send, S: Shape> Items for ObjectLines<R, S> {
    fn pass_over(&mut self, items: u64) {
        for _ in 0..items {
            if self.line().is_none() {
                break;
            }
        }
    }
}
