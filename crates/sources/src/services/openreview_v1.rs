use std::time::Duration;

use precedent_http::{HttpError, Pace, Request};

use super::openreview;
use crate::service::{Endpoint, Found, Login, Page, Service, ServiceError, Unreadable, Words};

const ID: &str = "openreview-v1";

/// OpenReview's older API v1, which alone has venues from before 2023. Its notes are like those of v2, with plain values.
pub(crate) struct OpenReviewV1Service;

impl Service for OpenReviewV1Service {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static str {
        "the same for venues until 2023, at a separate address; searched whenever openreview is"
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
        vec![words.meaningful(openreview::WORDS).join(" ")]
    }

    fn request(&self, wording: &str, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError> {
        openreview::search(ID, wording, page, endpoint)
    }

    fn read(&self, body: &str) -> Result<Found, Unreadable> {
        openreview::notes(body)
    }

    fn trouble(&self, status: u16, body: &str) -> ServiceError {
        openreview::what_is_wrong(status, body)
    }
}
