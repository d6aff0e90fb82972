use std::time::Duration;

use precedent_http::{HttpError, Pace, Request};

use super::openreview;
use crate::service::{Endpoint, Found, Login, Page, Service, Trouble, Unreadable, Words};

const ID: &str = "openreview-v1";

/// OpenReview's older interface, API v1: venues that began before 2023 stand there alone. Its notes are those of the newer with bare values.
pub(crate) struct OpenReviewV1Service;

impl Service for OpenReviewV1Service {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static str {
        "the same of venues until 2023, which stand at an address of their own; asked wherever openreview is"
    }

    fn base(&self) -> &'static str {
        "https://api.openreview.net"
    }

    fn key_variable(&self) -> Option<&'static str> {
        Some(openreview::PASSWORD)
    }

    fn part_of(&self) -> Option<&'static str> {
        Some(openreview::ID)
    }

    fn login(&self) -> Option<&'static dyn Login> {
        Some(&openreview::OpenReviewLogin)
    }

    fn pace(&self, _: &Endpoint) -> Pace {
        Pace::one_every(Duration::from_millis(1_000))
    }

    fn wordings(&self, words: &Words) -> Vec<String> {
        vec![words.telling(openreview::WORDS).join(" ")]
    }

    fn request(&self, wording: &str, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError> {
        openreview::search(ID, wording, page, endpoint)
    }

    fn read(&self, body: &str) -> Result<Found, Unreadable> {
        openreview::notes(body)
    }

    fn trouble(&self, status: u16, body: &str) -> Trouble {
        openreview::what_is_wrong(status, body)
    }
}
