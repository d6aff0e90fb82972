//! Help that is longer than a few lines: examples, exit codes, fields of JSON and the meaning of each outcome.

/// End of `precedent --help`.
pub(crate) const AFTER_HELP: &str = "\
Examples:
  precedent assess paper.pdf --corpus works.jsonl      compare paper.pdf with the papers in a file
  precedent corpus add library works.jsonl papers/     build a corpus that is searched in milliseconds
  precedent assess paper.pdf --corpus library          compare paper.pdf with that corpus
  precedent verify --source paper.pdf --quote '…'      check that the paper contains this sentence, word for word

Exit codes: 0 success, 1 bug, 2 usage error, 3 input unreadable or not a paper, 4 model or key
needed, 5 no source could be searched, 6 budget exceeded, 7 a quote is not word for word
(verify --strict), 8 a watch found something (watch run), 130 interrupted (resumable).

Precedent sends nothing over the network unless you choose a model or an online source, or give a paper by identifier or URL, or by title with --title.";

/// `precedent match --help`.
pub(crate) const MATCH_HELP: &str = "\
Levels:
  anticipated     the paper states the claim nearly word for word; the probability is 1
  similar         the paper may state something similar: read the passage (full text: from 30 %, abstract: from 13 %)
  none            no match was found in the text that was compared
  not_assessable  the claim has too few terms to compare

The probability was calibrated on English claims that other authors restated in their own words. It also depends on the other papers found.
docs/matcher-card.md has the figures. Without --sources, nothing leaves this machine. Services receive one short query for each claim, and their
papers are compared by title and abstract.

Fields of --json, one line per claim:
  id         as given; absent without --claims
  results    best first:
    id, title, year
    level        one of the above
    probability  that the compared text states the claim, 0 to 1
    compared     full_text, abstract or title_only
    passage      text, range (bytes), section, page; null if no sentence has a word of the claim
    shared       terms of the claim in the passage
    missing      terms of the claim that the whole text lacks
  sent       the words that services received; only with --sources";

pub(crate) const VERIFY_HELP: &str = "\
Outcomes:
  exact      the source contains the quote word for word (ignoring case, punctuation, line breaks and accents)
  close      small edits that do not change the meaning: citation marks, an article, an ending
  stitched   the quote has an ellipsis, and its pieces are in the source in order; the omitted text may change the meaning
  altered    the passage is in the source, but the differences change the meaning: NOT verified
  absent     the quote is not in the source
  too_short  not checked: fewer than 5 words or 20 letters, or, below 8 words, function words only or in more than 5 places

Exit codes:
  0          every quote was checked, whatever the outcomes
  3          the source or a line of --quotes cannot be read
  7          with --strict: the outcome of at least one quote is not exact, so close, stitched and too_short count too

Fields of --json, one line per quote:
  id         as given; 1 for --quote
  outcome    one of the above
  verified   true for exact, close and stitched
  score      0 to 1: share of the quote's words that match; it does not show whether the other words change the meaning
  ranges     byte range [start, end] of each piece: in the file for .txt and .md (UTF-8, UTF-16 or Windows-1252), otherwise in
             the output of `precedent read`
  text       the source text in these ranges, joined by ' […] '; null if there is none
  left_out   the text between the pieces of a stitched quote: range (as in ranges), words, text, crosses (sentence or
             paragraph, null within one sentence), limits (negating or limiting words in it)
  cut_off_before, cut_off_after
             negating or limiting words of the sentence next to the quote: range, text, word; null if none
  sentence_before, sentence_after
             the rest of the sentence if the quote starts or ends inside it: range, text; null otherwise
  lead_in    the words ending in a colon that introduce the list or paragraph: range, text; null if none
  occurrences  number of places where its words occur
  line       the line where it starts, from 1; null if not found
  edits      differences, in order: kind (inserted, deleted, replaced), source, quote, note (sign, layout, letter_case, …)
  reasons    why an altered quote is not verified: negation, number, comparison, name, quantifier, content_words, sign, …
  note       explanation of the outcome; omitted if there is none
  page       the page where the first piece starts, from 1; omitted if the source has no pages
  section    the heading above it; omitted if there is none

Examples:
  precedent verify --source paper.pdf --quote \"We treat the rope as a spring whose stiffness drifts\"
  precedent verify --source paper.pdf --quotes quotes.jsonl --json
  precedent verify --source paper.pdf --quotes quotes.jsonl --strict";

/// `precedent overlap --help`.
pub(crate) const OVERLAP_HELP: &str = "\
Fields of --json:
  passages               passages that the target shares with the other texts, by file, then by position in the target
  paraphrase_candidates  passages that may be paraphrases; they need a human reader and are never counted as reuse

Fields of a passage:
  b_file          the file that contains b, as given
  a, b            byte range [start, end] in the target and in b_file: in the file for .txt and .md (UTF-8, UTF-16 or
                  Windows-1252), otherwise in the output of `precedent read`
  a_page, b_page  the pages where it starts, from 1; omitted if there are no pages
  a_line, b_line  the lines where it starts, from 1
  words           words of the shorter side, at least --min-words; `non-linear` counts as two, signs as none
  kind            direct: at least 90 % of the words agree, and no edits; near_verbatim: fewer, in another order, or edited;
                  paraphrase_candidate
  agreement       0 to 1: twice the agreeing words divided by the words of both sides; for a candidate, the weighted share of
                  content words that both sides have
  marks           harmless explanations: reference_list, quoted_with_citation, boilerplate
  edits           differences in meaning: a, b (as above), a_text, b_text, reason (negation, number, comparison,
                  name, quantifier, content_words, sign, foreign_part, unmarked_gap, …); a side without the words is empty
  a_text, b_text  the text of both files in these ranges

Examples:
  precedent overlap paper.pdf earlier.pdf
  precedent overlap paper.pdf others/*.pdf --min-words 12 --json";
