use precedent_app::{AppError, AuditJob, ErrorKind, Input, Job, Request};
use precedent_engine::domain::Audit;
use precedent_report::{audit_limits, omission_level, overall_score};

use super::arguments::AuditArguments;
use crate::ExitCode;
use crate::commands::job::{self, ExecutionMode};
use crate::printer::{Printer, plain};

/// `precedent audit`.
pub(in crate::commands) fn run(typed: AuditArguments, printer: Printer) -> Result<ExitCode, AppError> {
    if typed.paper.is_none() && typed.corpus.is_explicit() {
        let message = "an audit can search a corpus only for a paper";
        return Err(AppError::with_message(ErrorKind::Usage, message)
            .hint("give the paper that the report is about with --paper, or leave out --corpus"));
    }
    let request = Request {
        corpora: typed.corpus.corpora,
        sources: typed.sources.names,
        as_of: typed.as_of,
        formats: typed.formats,
        model: (&typed.model).into(),
        send_nothing: typed.estimate || typed.replay,
        ..Request::new(Job::Audit(AuditJob { paper: typed.paper }), Input::File(typed.report))
    };
    let how = ExecutionMode {
        replay: typed.replay,
        json: typed.json,
        allow_fallback: typed.model.allow_fallback,
        open: typed.open,
    };
    job::start(&request, typed.out, typed.estimate, how, printer)
}

/// The audit in a few lines.
pub(in crate::commands) fn summary(found: &Audit) -> String {
    let mut lines = vec![plain(found.title.as_deref().unwrap_or("(untitled report)"))];
    lines.extend(audit_limits(found).iter().map(|limit| format!("  {}", plain(limit))));
    for one in &found.dimensions {
        let score = one.score.map_or("not scored".to_owned(), |score| format!("{score:.2}"));
        lines.push(format!(
            "  {:<14} {score:>10}  {} yes of {} answered, {} questions",
            one.dimension.name(),
            one.yes,
            one.decided,
            one.items.len()
        ));
    }
    lines.push(format!("  {}", overall_score(found)));
    for one in &found.omissions {
        lines.push(format!(
            "  not mentioned: {} ({})",
            plain(&one.title),
            omission_level(one)
        ));
        lines.push(format!("    “{}”", plain(one.passage.text())));
    }
    let citations = &found.citations;
    lines.push(format!(
        "  {} of {} citations found in the list of {} references, {} of which are duplicates",
        citations.resolved, citations.pairs, citations.listed, citations.doubles
    ));
    for (name, share) in [
        ("words located", citations.located),
        ("citation accuracy", citations.accuracy),
        ("cited faithfulness", citations.works_faithfulness),
        ("target faithfulness", citations.paper_faithfulness),
    ] {
        if let Some(share) = share {
            lines.push(format!(
                "  {name} {:.1} % ({} of {}, 95 % interval {:.1} to {:.1} %)",
                share.percent, share.part, share.of, share.low, share.high
            ));
        }
    }
    for item in found
        .dimensions
        .iter()
        .flat_map(|one| &one.items)
        .filter(|item| item.yes == Some(false))
    {
        lines.push(format!("  no: {} ({})", plain(&item.question), plain(&item.reason)));
    }
    lines.push(String::new());
    lines.join("\n")
}
