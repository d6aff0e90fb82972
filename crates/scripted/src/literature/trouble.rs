//! What each service says when it does not answer.

use serde_json::json;

use super::{Act, Answer, arxiv};

/// The service's own words for a trouble that it tells with a status.
pub(super) fn trouble(service: &str, act: Act) -> Option<Answer> {
    Some(match act {
        Act::BadKey => bad_key(service),
        Act::TooFast => too_many(service).with_head("Retry-After: 1"),
        Act::TooMany => too_many(service),
        Act::Spent => Answer::json(
            429,
            &json!({"error": "Rate limit exceeded", "message": "Insufficient budget. This request costs $0.001 but you only have $0 remaining. Resets at midnight UTC.",
                "retryAfter": 43200, "costUsd": 0.001, "dailyRemainingUsd": 0, "creditsRequired": 10, "creditsRemaining": 0}),
        )
        .with_head("Retry-After: 43200"),
        Act::LockedOut => Answer::json(
            429,
            &json!({"name": "RateLimitError", "status": 429,
                "message": "Too many requests: You have made 102 requests, surpassing the limit of 98 requests. Please try again in 30 minutes and 8 seconds (2026-08-05-13683655)"}),
        ),
        Act::Down => Answer::text(503, "text/html", "<html><body><h1>503 Service Temporarily Unavailable</h1></body></html>"),
        Act::Stumbles => Answer::json(500, &json!({"message": "Internal Server Error"})),
        Act::Html => Answer::text(200, "text/html; charset=utf-8", "<!DOCTYPE html>\n<html><head><title>Just a moment...</title></head><body>Checking your browser</body></html>"),
        _ => return None,
    })
}

fn bad_key(service: &str) -> Answer {
    match service {
        "openalex" => Answer::json(
            401,
            &json!({"error": "Invalid or missing API key", "message": "API key not found"}),
        ),
        "semantic-scholar" => {
            Answer::json(403, &json!({"message": "Forbidden"})).with_head("x-amzn-ErrorType: ForbiddenException")
        }
        "openreview" | "openreview-v1" => Answer::json(
            403,
            &json!({"name": "ChallengeRequiredError", "message": "Please complete the challenge", "status": 403, "details": {"url": "https://openreview.net/challenge"}}),
        ),
        "arxiv" => arxiv::error(403, "forbidden"),
        _ => Answer::text(
            403,
            "text/html",
            "<html><head><title>403 Forbidden</title></head></html>",
        ),
    }
}

fn too_many(service: &str) -> Answer {
    match service {
        "openalex" => Answer::json(
            429,
            &json!({"error": "Rate limit exceeded", "message": "Too many requests per second"}),
        ),
        "semantic-scholar" => Answer::json(
            429,
            &json!({"message": "Too Many Requests. Please wait and try again or apply for a key for higher rate limits.", "code": "429"}),
        ),
        "arxiv" => Answer::text(429, "text/plain", "Rate exceeded."),
        "openreview" | "openreview-v1" => Answer::json(
            429,
            &json!({"name": "RateLimitError", "message": "Too many requests. Please try again in 2 seconds", "status": 429}),
        ),
        // The others answer with a page.
        _ => Answer::text(
            429,
            "text/html",
            "<html><head><title>429 Too Many Requests</title></head><body>Too Many Requests</body></html>",
        ),
    }
}
