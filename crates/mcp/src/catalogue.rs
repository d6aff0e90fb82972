//! The tools, with the descriptions that agents read.

use std::sync::Arc;

use crate::answer::{Answer, Arguments};
use crate::arguments::{
    AssessArguments, CancelArguments, EstimateArguments, EvidenceArguments, IdeaArguments, MatchArguments, NoArguments,
    OverlapArguments, ReadArguments, RunArguments, SearchArguments, VerifyArguments,
};
use crate::call::Call;
use crate::error::Failure;
use crate::outputs::{
    CorporaOutput, EstimateOutput, EvidenceOutput, MatchOutput, Output, OverlapOutput, ReadOutput, RunOutput,
    SearchOutput, VerifyOutput,
};
use crate::schema::{self, Schema};
use crate::server::Server;
use crate::tools;

/// A tool.
#[derive(Debug)]
pub(crate) struct Tool {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its name for people.
    pub(crate) title: &'static str,
    /// What it does, and when to use it.
    pub(crate) description: &'static str,
    /// The schema of its arguments.
    pub(crate) input: fn() -> Schema,
    /// The schema of its answer.
    pub(crate) output: fn() -> Schema,
    /// Whether its answer may have several pages.
    pub(crate) is_paged: bool,
    /// How it affects its surroundings.
    pub(crate) effect: Effect,
    /// Whether it may send something to services or a model that the user allowed.
    pub(crate) may_send: bool,
    /// Returns the whole answer. Blocks the calling thread.
    pub(crate) run: fn(&Arc<Server>, &Arguments, &Call) -> Result<Answer, Failure>,
}

/// How a tool affects its surroundings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It reads, and keeps a processor busy meanwhile.
    Reads,
    /// It only looks at runs, and may wait for one.
    Waits,
    /// It writes a run to its folder, and waits for it.
    Runs,
}

/// The tools, in the order in which agents see them.
pub(crate) static TOOLS: &[Tool] = &[
    Tool {
        name: "list_corpora",
        title: "List corpora",
        description: "Lists what can be searched: corpora with their number of papers, literature services, the model, and the folder below which files can be read. \
            Call it first.",
        input: schema::paged_input::<NoArguments>,
        output: schema::output::<Output<CorporaOutput>>,
        is_paged: true,
        effect: Effect::Reads,
        may_send: false,
        run: tools::list_corpora,
    },
    Tool {
        name: "match_claim",
        title: "Match a claim",
        description: "Finds the papers that state a claim, with a calibrated probability, the best passage word for word, and the terms of the claim that a paper lacks. \
            `anticipated` means that the paper states the claim nearly word for word, `similar` that a person must read the passage, `none` only that no match was \
            found in the text compared. Use it for each claim of a draft before calling the claim new.",
        input: schema::paged_input::<MatchArguments>,
        output: schema::output::<Output<MatchOutput>>,
        is_paged: true,
        effect: Effect::Reads,
        may_send: true,
        run: tools::match_claim,
    },
    Tool {
        name: "search_prior_work",
        title: "Search prior work",
        description: "Searches the corpora for papers on a topic. Use it to survey a field; to test whether a claim is new, use match_claim, which also compares the texts. \
            Searches corpora only: literature services are searched by match_claim, assess and check_idea.",
        input: schema::paged_input::<SearchArguments>,
        output: schema::output::<Output<SearchOutput>>,
        is_paged: true,
        effect: Effect::Reads,
        may_send: false,
        run: tools::search_prior_work,
    },
    Tool {
        name: "verify_quote",
        title: "Verify quotes",
        description: "Checks that a source contains quotes, word for word. `exact` and `close` are verified; `altered` means that the differences change the meaning, and \
            `absent` that the source does not contain the quote. The source is a file, a text, or a paper of a corpus by its id. Use it for every quotation before you show it to the user.",
        input: schema::paged_input::<VerifyArguments>,
        output: schema::output::<Output<VerifyOutput>>,
        is_paged: true,
        effect: Effect::Reads,
        may_send: false,
        run: tools::verify_quote,
    },
    Tool {
        name: "overlap",
        title: "Find shared passages",
        description: "Finds all passages that a text shares with other texts, with every difference in meaning. Use it to find reused text between a draft and named papers.",
        input: schema::paged_input::<OverlapArguments>,
        output: schema::output::<Output<OverlapOutput>>,
        is_paged: true,
        effect: Effect::Reads,
        may_send: false,
        run: tools::overlap,
    },
    Tool {
        name: "read_paper",
        title: "Read a paper",
        description: "Reads the text of a paper in pages, with its title, authors, date and outline: a file, or a paper of a corpus by its id. Text that is invisible in the paper \
            is left out. Give `start` from the outline, or the start of a passage's range, to read from there.",
        input: schema::paged_input::<ReadArguments>,
        output: schema::output::<Output<ReadOutput>>,
        is_paged: true,
        effect: Effect::Reads,
        may_send: false,
        run: tools::read_paper,
    },
    Tool {
        name: "assess",
        title: "Assess a paper",
        description: "Checks the novelty of a paper: extracts its claims, searches prior work, compares each claim with the most similar papers, and writes a report. \
            Levels are those of match_claim; look at `coverage` and `not_searched` before you report them. \
            Takes seconds without a model, and minutes with one. If it takes longer than a client waits, it returns a run id and goes on: call get_run then. \
            The same call again continues or reuses the run.",
        input: schema::paged_input::<AssessArguments>,
        output: schema::output::<Output<RunOutput>>,
        is_paged: true,
        effect: Effect::Runs,
        may_send: true,
        run: tools::assess,
    },
    Tool {
        name: "check_idea",
        title: "Check an idea",
        description: "Checks a research idea against prior work: novel, not novel or undecided, with the passages that decide. Returns a run id if it takes long, like assess. \
            Without a model the verdict is `not_novel` or `undecided`, never `novel`.",
        input: schema::paged_input::<IdeaArguments>,
        output: schema::output::<Output<RunOutput>>,
        is_paged: true,
        effect: Effect::Runs,
        may_send: true,
        run: tools::check_idea,
    },
    Tool {
        name: "get_run",
        title: "Get a run",
        description: "Status of a run of assess or check_idea, its findings once it has ended, and with report: true its Markdown report in pages. \
            Waits up to `wait_seconds` for the end of a run in progress.",
        input: schema::paged_input::<RunArguments>,
        output: schema::output::<Output<RunOutput>>,
        is_paged: true,
        effect: Effect::Waits,
        may_send: false,
        run: tools::get_run,
    },
    Tool {
        name: "get_evidence",
        title: "Get evidence",
        description: "The evidence of a run: pairs of passages of the assessed paper and of an earlier paper, each word for word with page and section, and why they have \
            their status. Use it before you report a claim as anticipated or similar.",
        input: schema::paged_input::<EvidenceArguments>,
        output: schema::output::<Output<EvidenceOutput>>,
        is_paged: true,
        effect: Effect::Waits,
        may_send: false,
        run: tools::get_evidence,
    },
    Tool {
        name: "cancel_run",
        title: "Cancel a run",
        description: "Cancels a run in progress. What it has recorded is kept, and the call that started it continues it.",
        input: schema::input::<CancelArguments>,
        output: schema::output::<Output<RunOutput>>,
        is_paged: false,
        effect: Effect::Runs,
        may_send: false,
        run: tools::cancel_run,
    },
    Tool {
        name: "estimate",
        title: "Estimate a run",
        description: "What assess or check_idea with the same arguments would send to services and to the model, and what it would cost at most. Sends nothing. \
            Use it before a run with a model or services.",
        input: schema::paged_input::<EstimateArguments>,
        output: schema::output::<Output<EstimateOutput>>,
        is_paged: true,
        effect: Effect::Reads,
        may_send: false,
        run: tools::estimate,
    },
];

/// The tool of this name.
pub(crate) fn tool(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;

    #[test]
    fn every_tool_has_a_name_of_its_own_and_described_arguments() {
        let names: BTreeSet<&str> = TOOLS.iter().map(|tool| tool.name).collect();
        assert_eq!(names.len(), TOOLS.len());
        for tool in TOOLS {
            let input = (tool.input)();
            assert_eq!(input["type"], "object", "{}", tool.name);
            assert_eq!(input["additionalProperties"], false, "{}", tool.name);
            for (name, property) in input["properties"].as_object().unwrap() {
                let text = property["description"].as_str().unwrap_or_default();
                assert!(text.len() > 10, "{}: {name} has no description: {property}", tool.name);
            }
            let has_cursor = input["properties"].get("cursor").is_some();
            assert_eq!(has_cursor, tool.is_paged, "{}", tool.name);
            let output = (tool.output)();
            assert_eq!(output["type"], "object", "{}: {output:?}", tool.name);
            assert!(output["properties"].get("notice").is_some(), "{}", tool.name);
            assert!(!Value::Object(input).to_string().contains("$ref"), "{}", tool.name);
            let output = Value::Object(output).to_string();
            assert!(!output.contains("\"uint"), "{}: {output}", tool.name);
        }
    }
}
