//! Error responses of each service.

use serde_json::json;

use super::{Act, Answer, arxiv, brave, opensearch};

/// The service's own error response for a failure with a status.
pub(super) fn trouble(service: &str, act: Act) -> Option<Answer> {
    if let Some(answer) = used_up(service, act) {
        return Some(answer);
    }
    Some(match act {
        Act::BadKey => bad_key(service),
        Act::TooFast => too_many(service).with_head("Retry-After: 1"),
        Act::TooMany => too_many(service),
        Act::LongPause => too_many(service).with_head("Retry-After: 3600"),
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
        Act::FirstAlone => Answer::json(504, &json!({"message": "The upstream server did not answer in time"})),
        Act::Stumbles => Answer::json(500, &json!({"message": "Internal Server Error"})),
        Act::Html => Answer::text(200, "text/html; charset=utf-8", "<!DOCTYPE html>\n<html><head><title>Just a moment...</title></head><body>Checking your browser</body></html>"),
        _ => return None,
    })
}

/// How services for pages and repositories report a used-up allowance: monthly, of the plan, beyond the plan, per minute.
fn used_up(service: &str, act: Act) -> Option<Answer> {
    let plan = |status: u16, what: &str| Answer::json(status, &json!({"detail": {"error": what}}));
    Some(match (service, act) {
        ("brave", Act::Spent) => brave::error(
            429,
            "RATE_LIMITED",
            "Request quota limit exceeded for plan",
            &json!({"plan": "Free", "rate_limit": 1, "rate_current": 0, "quota_limit": 2000, "quota_current": 2000, "component": "rate_limiter"}),
        ),
        ("brave", Act::LockedOut) => brave::error(402, "PAYMENT_REQUIRED", "A payment is due", &json!({})),
        ("serper" | "google-scholar", Act::Spent) => Answer::json(400, &json!({"message": "Not enough credits", "statusCode": 400})),
        ("tavily", Act::Spent) => plan(432, "This request exceeds your plan's set usage limit."),
        ("tavily", Act::LockedOut) => plan(433, "This request exceeds the pay-as-you-go limit."),
        ("github", Act::Spent | Act::LockedOut) => Answer::json(
            if act == Act::Spent { 403 } else { 429 },
            &json!({"message": "API rate limit exceeded for 203.0.113.9.", "documentation_url": "https://docs.github.com/rest", "status": "403"}),
        )
        .with_head("x-ratelimit-remaining: 0")
        .with_head("x-ratelimit-reset: 1800000000"),
        ("serper" | "google-scholar" | "searxng", Act::Spent | Act::LockedOut) => too_many(service),
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
        // As the security plugin words it.
        "opensearch" => Answer::text(401, "text/plain", "Unauthorized"),
        "brave" => brave::error(
            422,
            "SUBSCRIPTION_TOKEN_INVALID",
            "The provided subscription token is invalid.",
            &json!({"component": "authentication"}),
        ),
        "serper" | "google-scholar" => Answer::json(403, &json!({"message": "Unauthorized.", "statusCode": 403})),
        "tavily" => Answer::json(
            401,
            &json!({"detail": {"error": "Unauthorized: missing or invalid API key."}}),
        ),
        "kaggle" | "kaggle-notebooks" => Answer::json(401, &json!({"code": 401, "message": "Unauthenticated"})),
        "github" => Answer::json(
            401,
            &json!({"message": "Bad credentials", "documentation_url": "https://docs.github.com/rest", "status": "401"}),
        ),
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
            &json!({"error": "Rate limit exceeded", "message": "Rate limit exceeded: 10 requests per second. Please slow down.",
                "costUsd": 0.001, "dailyRemainingUsd": 0, "creditsRequired": 10, "creditsRemaining": 0}),
        )
        .with_head("X-RateLimit-Remaining-USD: 0"),
        "semantic-scholar" => Answer::json(
            429,
            &json!({"message": "Too Many Requests. Please wait and try again or apply for a key for higher rate limits.", "code": "429"}),
        ),
        "opensearch" => opensearch::error(429, "rejected_execution_exception", "rejected execution of coordinating operation"),
        "arxiv" => Answer::text(429, "text/plain", "Rate exceeded."),
        "openreview" | "openreview-v1" => Answer::json(
            429,
            &json!({"name": "RateLimitError", "message": "Too many requests. Please try again in 2 seconds", "status": 429}),
        ),
        "brave" => brave::error(
            429,
            "RATE_LIMITED",
            "Request rate limit exceeded for plan",
            &json!({"plan": "Free", "rate_limit": 1, "rate_current": 1, "quota_limit": 2000, "quota_current": 15, "component": "rate_limiter"}),
        ),
        "serper" | "google-scholar" => Answer::json(429, &json!({"message": "Too many requests.", "statusCode": 429})),
        "tavily" => Answer::json(
            429,
            &json!({"detail": {"error": "Your request has been blocked due to excessive requests."}}),
        ),
        "github" => Answer::json(
            403,
            &json!({"message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
                "documentation_url": "https://docs.github.com/rest"}),
        ),
        // The other services return a page.
        _ => Answer::text(
            429,
            "text/html",
            "<html><head><title>429 Too Many Requests</title></head><body>Too Many Requests</body></html>",
        ),
    }
}
