//! What `--help` says of two commands beyond their options: every field of their JSON, and what each outcome means.

/// `precedent verify --help`.
pub(crate) const VERIFY_HELP: &str = "\
Outcomes:
  exact      stands in the source word for word (case, punctuation, line ends and accents aside)
  close      with small edits that change nothing it says: citation marks, an article, an ending
  stitched   the quote has an ellipsis, and its pieces stand there in order; what was left out may change what they say together
  altered    the passage is there, and what differs changes what it says: NOT verified
  absent     it does not stand there
  too_short  not looked for: fewer than 5 words or 20 letters, or, below 8 words, function words only or in more than 5 places

Fields of --json, a line a quote:
  id         as it was given; 1 for --quote
  outcome    one of the above
  verified   true for exact, close and stitched
  score      0 to 1: how much of the quote's words agree at the place; says nothing of what the others do
  ranges     [start, end] of each piece in bytes: of the file for .txt and .md (UTF-8, UTF-16 or Windows-1252), else of what
             `precedent read` prints
  text       the source's own characters there, pieces joined by ' […] '; null where there are none
  left_out   what stands between the pieces of a stitched quote: range (as in ranges), words, text, crosses (sentence or
             paragraph, null within one sentence), limits (the words in it that deny or limit)
  cut_off_before, cut_off_after
             words at the quote's borders, in its sentence, that deny or limit what it says: range, text, word; null if none
  sentence_before, sentence_after
             the rest of the sentence, where the quote begins or ends inside one: range, text; null if it does not
  lead_in    the words ending in a colon that lead in the list or paragraph it stands in: range, text; null if none
  occurrences  in how many places its words stand
  line       the line it starts on, from 1; null where it stands nowhere
  edits      what differs, in order: kind (inserted, deleted, replaced), source, quote, note (sign, layout, letter_case, …)
  reasons    why an altered quote is not verified: negation, number, comparison, name, quantifier, content_words, sign, …
  note       what the outcome does not say by itself; left out where there is nothing
  page       the page the first piece starts on, from 1; left out where there are none
  section    the heading it stands under; left out where there is none

Examples:
  precedent verify --source paper.pdf --quote \"We treat the rope as a spring whose stiffness drifts\"
  precedent verify --source paper.pdf --quotes quotes.jsonl --json";

/// `precedent overlap --help`.
pub(crate) const OVERLAP_HELP: &str = "\
Fields of --json:
  passages               what the target shares with the others, by file, then by place in the target
  paraphrase_candidates  what may say the same in other words: for reading, never reuse

Fields of a passage:
  b_file          the file that b is in, as it was named
  a, b            [start, end] in the target and in b_file, in bytes: of the file for .txt and .md (UTF-8, UTF-16 or
                  Windows-1252), else of what `precedent read` prints
  a_page, b_page  the pages it starts on, from 1; left out where there are none
  a_line, b_line  the lines it starts on, from 1
  words           words of the side that has fewer; never below --min-words; `non-linear` is two, signs are none
  kind            direct: 90 % of the words or more agree, and no edit; near_verbatim: fewer, in another order, or edited;
                  paraphrase_candidate
  agreement       0 to 1: twice the agreeing words over the words of both sides; of a candidate, the share of the weight of
                  the content words that both sides have
  marks           what explains it away: reference_list, quoted_with_citation, boilerplate
  edits           where the sides do not say the same: a, b (as above), a_text, b_text, reason (negation, number, comparison,
                  name, quantifier, content_words, sign, foreign_part, unmarked_gap, …); an empty side lacks the words of the other
  a_text, b_text  the files' own characters there

Examples:
  precedent overlap paper.pdf earlier.pdf
  precedent overlap paper.pdf others/*.pdf --min-words 12 --json";
