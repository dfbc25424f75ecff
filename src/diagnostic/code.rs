//! Every kind of finding on a drill, a rubric or what lies beside them: how much it weighs, why it matters, the simplest fix.
//!
//! The one table of codes. What a finding says of its own place stands in the finding; what is true of all of its kind
//! stands here, and everything that explains codes (`drillmark lint`, SARIF rules, the reference in `docs/`) reads it.

use super::Severity::{self, Error, Warning};

/// A kind of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// The stable kebab-case name; it never changes meaning.
    pub code: &'static str,
    /// How much it weighs.
    pub severity: Severity,
    /// Why it matters: a sentence or two.
    pub why: &'static str,
    /// The simplest fix, as a sentence.
    pub fix: &'static str,
    /// What is looked at when it is found.
    pub stage: Stage,
}

/// When a kind of finding is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// While the files are read: with one of these, no answer can be graded.
    Reading,
    /// By `drillmark lint`, on files that can be read.
    Checking,
}

/// The entry of a code.
pub fn code(code: &str) -> Option<&'static Code> {
    CODES.iter().find(|known| known.code == code)
}

const fn reading(code: &'static str, why: &'static str, fix: &'static str) -> Code {
    Code { code, severity: Error, why, fix, stage: Stage::Reading }
}

const fn checking(severity: Severity, code: &'static str, why: &'static str, fix: &'static str) -> Code {
    Code { code, severity, why, fix, stage: Stage::Checking }
}

/// All kinds of finding: first those of reading the files, then those of checking what they say.
pub const CODES: &[Code] = &[
    // ---- The shape of the files
    reading(
        "toml-syntax",
        "The file is not TOML, so that nothing in it can be read.",
        "Repair the line; the rest of the file is looked at as soon as it parses.",
    ),
    reading(
        "wrong-format",
        "The format's number says how the rest of the file is to be understood.",
        "Write `format = 1`, or use the drillmark that the file was written for.",
    ),
    reading("missing-key", "Without this key the thing is not complete.", "Add the key."),
    reading(
        "unknown-key",
        "A key that means nothing is a key that was misspelled: what it says would be passed over in silence.",
        "Correct the spelling, or take it out.",
    ),
    reading("wrong-type", "The value has another type than the key takes.", "Write it as the message says."),
    reading(
        "bad-id",
        "Ids stand in reports, file names and gradebooks.",
        "Use letters, digits, `-`, `_` and `.`; the id of an ask begins with its part: `b.latency`.",
    ),
    reading("duplicate-id", "Reports and rubrics name things by their ids.", "Give one of the two another id."),
    reading("id-and-file-differ", "A drill is found by the name of its file.", "Rename the file, or the id."),
    reading("nested-item", "Parts have items, items have none.", "Make it an item of the part."),
    reading("bad-phrase", "A phrase that cannot be understood finds nothing.", "Repair it: `docs/authoring.md` has the notation."),
    reading(
        "bad-reason",
        "A reason has to say which finding it answers, and why that is as it should be.",
        "Write `because = { CODE = \"why\" }`, or name what it is about: `because = { CODE = { \"WHAT\" = \"why\" } }`.",
    ),
    reading("unclosed-place", "A model answer whose places are open shows them instead of values.", "Close it with `}}` on the same line."),
    reading(
        "bad-place",
        "What stands between the braces comes to no value.",
        "Write the id of an ask, or a formula over the drill's names.",
    ),
    // ---- Names and formulas
    reading("bad-name", "Formulas could not tell the name from something else.", "Use a letter followed by letters, digits and `_`."),
    reading("reserved-name", "The name is a function's.", "Choose another name."),
    reading("duplicate-name", "A formula could not tell which of the two is meant.", "Rename one of the two."),
    reading("too-many-names", "So many names make a drill that nobody can check.", "Split the drill."),
    reading("unknown-name", "The formula cannot be worked out.", "Define the name in `[given]` or `[let]`, or correct its spelling."),
    reading("unknown-function", "The formula cannot be worked out.", "Use one of the functions that there are."),
    reading(
        "unknown-unit",
        "A value in a unit that nobody knows cannot be compared with anything.",
        "Correct the spelling, or define the unit in `[unit]`; what is counted is said with `noun`.",
    ),
    reading("formula-syntax", "The formula cannot be read.", "Repair it at the place shown."),
    reading("formula-too-large", "A formula that long hides its own mistakes.", "Give its pieces names in `[let]`."),
    reading(
        "dimension-mismatch",
        "Seconds and bytes cannot be added: one of the two is not what was meant.",
        "Look for the missing factor.",
    ),
    reading("wrong-dimension", "The value is of another kind than the place asks for.", "Correct the formula or the unit."),
    reading(
        "missing-unit",
        "A value with a dimension is asked for in some unit; without it, nothing can be said about the form of an answer.",
        "Add `unit = \"…\"`.",
    ),
    reading("given-is-worked-out", "What the question states is a quantity; what follows from it is worked out.", "Move it to `[let]`."),
    reading("cycle", "What is worked out from itself has no value.", "Break the circle at the place where a given belongs."),
    reading("not-a-number", "A division by zero, or a value too large: no answer could be right.", "Correct the formula or the givens."),
    reading(
        "not-the-sum",
        "An ask that is said to be a sum is taken apart into its terms; they have to add up.",
        "List all terms, or correct a formula.",
    ),
    reading(
        "empty-range",
        "Either no answer would be right, or the worked solution itself would be wrong.",
        "Order the ends, and let the value lie between them.",
    ),
    reading(
        "bad-variants",
        "A given can be drawn only from values that it can have.",
        "List quantities of the given's own kind in `from`, or write `range = [\"LOW\", \"HIGH\"]` with a positive `step`.",
    ),
    // ---- Asks
    reading("unknown-kind", "The kind decides how an answer is judged.", "Use one of the kinds that there are."),
    reading("unknown-credit", "The credit decides what a reading earns.", "Use one of the credits that there are."),
    reading("accept-without-range", "Ends of a range say nothing about a single value.", "Write `kind = \"range\"`, or take `accept` out."),
    reading(
        "missing-label",
        "Nothing could ever say what the value is, so that the reading would never count.",
        "Add `label = [\"…\"]`: phrases, one of which has to stand near.",
    ),
    reading("zero-reference", "No share of zero is a tolerance.", "Give the ask `absolute = \"…\"`, a quantity."),
    reading("out-of-range", "The number lies where it cannot mean anything.", "Correct it as the message says."),
    // ---- The rubric
    reading("wrong-drill", "Points for the asks of another drill are points for nothing.", "Correct `drill = \"…\"`, or the file's name."),
    reading("unknown-ask", "The drill asks nothing of that name.", "Correct the id; `drillmark solve` lists them."),
    reading("unknown-part", "The drill has no part of that name.", "Correct the id."),
    reading("unknown-outcome", "A sample says what a careful person decides.", "Write `met`, `partly`, `not_met` or `review`."),
    reading("bad-rule", "A rule that cannot be understood decides nothing.", "Repair it at the place shown."),
    reading(
        "points-do-not-add-up",
        "The total that students were told is not the one that can be earned.",
        "Correct the points or the total.",
    ),
    reading(
        "drill-without-rubric",
        "Nothing says what the answers are worth.",
        "Add `rubrics/ID.toml`; `drillmark new drill` writes one to start from.",
    ),
    reading("rubric-without-drill", "Nothing is graded by this rubric.", "Add the drill, or correct the file's name."),
    reading(
        "unknown-condition",
        "A criterion that hangs on something unknown would never count.",
        "Write `CRITERION is met`, `CRITERION is partly met` or `ASK is right`.",
    ),
    reading("unknown-criterion", "The rubric has no criterion of that name.", "Correct the id."),
    reading(
        "bad-criterion",
        "Points, deductions, alternatives and caps contradict each other here, so that no sum could be explained to a student.",
        "Change it as the message says.",
    ),
    // ---- Values that answers are compared with
    checking(
        Error,
        "reference-fails-itself",
        "The worked solution, written as a student would write it, would not be judged right.",
        "Widen the tolerance, lower `min_figures`, or correct the unit.",
    ),
    checking(
        Error,
        "mistake-is-right",
        "A student who makes this mistake gets the points and is told nothing.",
        "Tighten the tolerance, choose givens that set the two apart, or say why they cannot be told apart.",
    ),
    checking(
        Warning,
        "mistake-is-reading",
        "One value is both wrong and right: what a student is told depends on the last digits.",
        "Choose givens that set the two apart, add `words`, or say why it is as it should be.",
    ),
    checking(
        Warning,
        "mistakes-coincide",
        "Two mistakes come to one value: some students are told of a mistake that they did not make.",
        "Choose givens that set them apart, give both `words`, or word the sentence so that it fits both and say so.",
    ),
    checking(
        Warning,
        "reading-is-reference",
        "A reading that is worth less than the answer lies within the answer's tolerance: it can never count as what it is.",
        "Tighten the tolerance, or drop the reading.",
    ),
    checking(
        Warning,
        "reading-more-lenient",
        "Who takes another reading is judged more leniently than who takes the intended one.",
        "Give both the same tolerance, or say why they differ.",
    ),
    checking(
        Warning,
        "tolerance-hides-prefix",
        "1000 and 1024 lie 2.4 % apart, their squares 4.9 %, their cubes 7.4 %: with this tolerance, GB written for GiB passes unseen.",
        "Tighten the tolerance below the gap.",
    ),
    checking(
        Warning,
        "tolerance-hides-term",
        "The smaller term of the sum lies within the tolerance: an answer that forgets it is taken for right.",
        "Tighten the tolerance, or ask for the term by itself and say so.",
    ),
    checking(
        Warning,
        "count-by-tolerance",
        "A whole number of things that is judged by a share of itself: 99 of 100 would be right.",
        "Write `kind = \"count\"`, or say why near is good enough.",
    ),
    checking(
        Warning,
        "count-not-whole",
        "Nobody can count to a value that is not whole.",
        "Round it in the formula (`ceil`, `floor`), or drop `kind = \"count\"`.",
    ),
    // ---- Names and words
    checking(
        Warning,
        "unused-name",
        "Nothing is worked out from it, so that it either misleads or shows a formula that forgot it.",
        "Use it, take it out, or say why it is given all the same.",
    ),
    checking(Warning, "unused-concept", "No rule asks for it.", "Use it in a rule, or take it out."),
    checking(
        Error,
        "asks-not-told-apart",
        "Nothing that a student writes could say which of the two a number answers.",
        "Give each a cue or a symbol of its own.",
    ),
    checking(
        Warning,
        "cues-collide",
        "The same words name two asks of one place, so that they say nothing about either.",
        "Make the phrases longer, or leave it to one of the two.",
    ),
    checking(
        Warning,
        "cue-denied",
        "What names the ask also says that a number is not its own.",
        "Take the phrase out of `cues` or of `not_cues`.",
    ),
    checking(Warning, "symbols-collide", "One spelling stands for two names, so that it stands for none.", "Leave it to one of the two."),
    checking(
        Warning,
        "phrase-in-question",
        "Whoever repeats the question has said it.",
        "Look for words that only an answer has, or say why repeating is no risk.",
    ),
    checking(
        Warning,
        "nothing-said",
        "The student would be told that something is wrong, or right, in no words at all.",
        "Write the sentence.",
    ),
    // ---- Points and arguments
    checking(Warning, "no-points", "It is demanded, or looked for, and earns nothing.", "Give it points, or make it supporting."),
    checking(
        Warning,
        "unreachable-points",
        "No rule ever gives these points, so that a person has to look at every answer.",
        "Write a rule for `met`, or make the criterion `kind = \"hand\"`.",
    ),
    checking(
        Error,
        "sample-decided-wrongly",
        "The rule decides otherwise than a careful person did.",
        "Repair the rule; where a rule cannot be sure, let it leave the decision to a person.",
    ),
    checking(
        Warning,
        "rule-without-sample",
        "Nothing shows that the rule decides as it should.",
        "Add a sample with this outcome, in a student's words.",
    ),
    checking(
        Warning,
        "few-samples",
        "A handful of texts does not show that a rule is sure: each decides many answers in words that nobody thought of.",
        "Write ten samples or more, some of them not met: reversed, denied, keywords without an argument.",
    ),
    // ---- The drill as a whole
    checking(
        Warning,
        "mutant-survives",
        "A formula that is wrong in one place comes to a value that earns full points: the drill would not notice the mistake.",
        "Tighten the tolerance, choose other givens, or say why this mistake cannot be noticed.",
    ),
    checking(
        Error,
        "expected-number-told",
        "A sentence that students see gives away a value that they are asked for.",
        "Say it without the number.",
    ),
    checking(
        Error,
        "model-answer-loses-points",
        "The model answer does not earn full marks: either it is wrong, or the drill cannot read what it asks for.",
        "Compare the two; add a cue where the drill does not recognize a value.",
    ),
    checking(
        Error,
        "empty-answer-judged",
        "An answer without any content earns points, or is told that it is wrong.",
        "Look for a value, a cue or a phrase in the drill's own titles and names.",
    ),
    checking(
        Error,
        "fixture-differs",
        "An answer is judged otherwise than its expectation says.",
        "Repair the drill or the rubric; the expectation only where it was wrong about the answer.",
    ),
    checking(
        Error,
        "fixture-broken",
        "The expectation cannot be compared with anything.",
        "Put the answer beside its `.expect.toml`, and name asks and criteria as the drill does.",
    ),
    checking(
        Error,
        "degenerate-variant",
        "With these values two things that are told apart by default cannot be told apart, or a mistake passes.",
        "Leave the value out of `from`, or narrow the range.",
    ),
    checking(
        Warning,
        "fixed-number",
        "The given varies, the text keeps its default.",
        "Write the name in braces (`{P}`) in the question's text; elsewhere, say it without the number.",
    ),
    checking(
        Warning,
        "unfilled-place",
        "Students would read the braces.",
        "Correct the name between them: that of a given or an assumption.",
    ),
    // ---- Reasons
    checking(Error, "unknown-code", "A reason for something that is never found answers nothing.", "Correct the code."),
    checking(Warning, "reason-without-finding", "The finding that the reason answers is not there anymore.", "Take the reason out."),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn codes_are_unique_and_explained_in_sentences() {
        let mut seen = BTreeSet::new();
        for code in CODES {
            assert!(seen.insert(code.code), "{} stands there twice", code.code);
            assert!(code.code.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", code.code);
            for sentence in [code.why, code.fix] {
                assert!(sentence.ends_with('.') && sentence.chars().next().is_some_and(|c| !c.is_lowercase()), "{}: {sentence}", code.code);
            }
        }
    }
}
