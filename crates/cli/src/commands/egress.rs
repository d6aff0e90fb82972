//! Prints what would be sent to services and archives.

use precedent_app::runs::RunRequest;
use precedent_app::{App, AppError, Egress, TextEgress};

use crate::ExitCode;
use crate::console::Console;
use crate::printer::{Printer, counted, plain};

/// `--show-egress` of `precedent assess` and `precedent points`.
pub(super) fn show(request: &RunRequest, json: bool, printer: Printer) -> Result<ExitCode, AppError> {
    let found = App::default().egress(request, &Console::new(printer))?;
    if json {
        printer.json(&found)?;
        return Ok(ExitCode::Done);
    }
    if let Some(model) = &request.model {
        printer.warning(&format!(
            "in the run, {} writes the queries; these are the queries of the offline analysis",
            plain(&model.model)
        ));
    }
    for url in &found.encoders {
        printer.line(&format!(
            "{}: queries for the contributions, and up to 100 passages of papers per query, for ranking",
            plain(url)
        ));
    }
    if found.egress.is_empty() {
        printer.line("Nothing would be sent to literature services.");
    }
    for one in &found.egress {
        printer.line(&summary(one));
        for address in &one.asked {
            printer.line(&format!("  {}", method(address)));
        }
        for address in &one.perhaps {
            printer.line(&format!(
                "  only if needed (few results, details of results, or unidentified references): {}",
                method(address)
            ));
        }
    }
    if !found.egress.is_empty() {
        if let Some(texts) = &found.full_texts {
            printer.line(&plain(&full_texts(texts)));
        }
        printer.line(
            "Further result pages may be requested. Besides the requests above, services receive nothing of the paper but the names of papers that it cites.",
        );
    }
    Ok(ExitCode::Done)
}

/// One line about the requests to a service.
pub(super) fn summary(one: &Egress) -> String {
    let (least, most) = (one.asked.len(), one.asked.len() + one.perhaps.len());
    let requests = if least == most {
        counted(least, "request")
    } else {
        format!("{least} to {most} requests")
    };
    let cost = match one.at_most_dollars {
        0.0 => "free".to_owned(),
        dollars => format!("at most ${dollars:.3}, less if the service has a free daily allowance"),
    };
    format!(
        "{}: {requests}, {cost}, at least {:.0} s at its rate limit",
        one.source,
        one.least_seconds.ceil()
    )
}

/// A readable form of a request. Descriptions are unchanged.
fn method(address: &str) -> String {
    match address.starts_with("http") {
        true => format!("GET {}", plain(address)),
        false => plain(address),
    }
}

/// One line about the requests for full texts.
pub(super) fn full_texts(texts: &TextEgress) -> String {
    let by = match texts.open_copies_by.join(" or ") {
        none if none.is_empty() => none,
        indexes => format!(", and from any host where {indexes} lists an open copy"),
    };
    format!(
        "full texts: at most {} papers, requested by identifier from {}{by}; free, at most 4 minutes",
        texts.works,
        texts.archives.join(", ")
    )
}
