//! Every sentence that a student or a grader reads about an answer, in one book.
//!
//! A finding carries facts; its sentence is here, in a match without a catch-all, so that a new finding does not compile
//! before it has one. Sentences are whole, in the present tense, and about the answer, never about the person. The two
//! readers differ in one thing: a [`Reader::Student`] is told what was read and what is amiss with it, and never a
//! value that the answer itself does not hold.
//!
//! Words of the answer go in through [`inert::quoted`]; whatever else is foreign (phrases of the drill, unit spellings)
//! is made inert by the layouts.

use crate::answer::{self, Answer};
use crate::drill::{Ask, AskKind, Criterion, CriterionKind, Drill};
use crate::grade::{
    Clue, CriterionFinding, Found, General, Grade, Mistake, Note, Outcome, Points, QuantityFinding, Read, ReviewWhy, Ruled,
    SeparateFinding, Use, UseFinding, Verdict,
};
use crate::quantity::{Dimension, Number};
use crate::report::inert::quoted;
use crate::report::shown::{self, TIE};
use crate::text::Source;

/// How many values an open item names before the rest is only counted.
const MOST_CANDIDATES: usize = 5;

/// Whom a report is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// Course staff: sees points, reference values, and why.
    Staff,
    /// Who wrote the answer, before it counts: sees no points and no value that the answer does not hold.
    Student,
}

/// The sentences about one answer, for one reader.
#[derive(Clone, Copy)]
pub(crate) struct Book<'a> {
    pub(crate) drill: &'a Drill,
    pub(crate) grade: &'a Grade,
    pub(crate) source: &'a Source,
    pub(crate) reader: Reader,
}

impl<'a> Book<'a> {
    // ---- The whole answer ------------------------------------------------------------------------------------------

    /// What the whole comes to, before anything else.
    pub(crate) fn summary(&self) -> Vec<String> {
        let mut said = Vec::new();
        if self.reader == Reader::Staff {
            said.push(self.score(self.grade.score));
        }
        if self.nothing_found() {
            said.push(self.nothing());
        }
        said.extend(self.grade.ruled.as_ref().and_then(|ruled| self.word(ruled)));
        if self.nothing_found() {
            return said;
        }
        let required = || self.grade.quantities.iter().filter(|finding| finding.required);
        let number = |verdict: Verdict| required().filter(|finding| finding.verdict == verdict).count();
        let asked = required().count();
        let mut found = Vec::new();
        for (count, one, many) in [
            (number(Verdict::Correct), "is right", "are right"),
            (number(Verdict::CarriedForward), "follows from an earlier value", "follow from earlier values"),
            (number(Verdict::Form), "is right but not in the form asked for", "are right but not in the form asked for"),
            (number(Verdict::Slip) + number(Verdict::Wrong), "is not right", "are not right"),
            (number(Verdict::Unclear), "is unclear", "are unclear"),
            (number(Verdict::Missing), "was not found", "were not found"),
        ] {
            if count > 0 {
                found.push(format!("{count} {}", if count == 1 { one } else { many }));
            }
        }
        let asked = match asked {
            1 => "One quantity is asked for".to_owned(),
            asked => format!("{asked} quantities are asked for"),
        };
        said.push(format!("{asked}: {}.", shown::list(&found, "and")));
        if self.reader == Reader::Staff && !self.grade.review.is_empty() {
            let ids: Vec<_> = self.grade.review.iter().map(|item| quoted(&item.id).to_string()).collect();
            let findings = shown::count(ids.len(), "finding waits", "findings wait");
            said.push(format!("{} for a person: {}.", shown::sentence(&findings), shown::list(&ids, "and")));
        }
        if self.reader == Reader::Student {
            if number(Verdict::CarriedForward) > 0 {
                said.push("An arrow marks what follows rightly from a value that is not right, and changes with it.".to_owned());
            }
            if self.grade.criteria.iter().any(|finding| !self.criterion(finding).is_empty()) {
                said.push("Arguments are not judged here; a line that begins with a dot asks what is worth another thought.".to_owned());
            }
        }
        said
    }

    /// How the file was read, where that is worth a word.
    pub(crate) fn reading_of_the_file(&self, answer: &Answer) -> Vec<String> {
        file_notes(&answer.notes)
    }

    /// Whether nothing that is asked was found: no value, and no word for an argument.
    pub(crate) fn nothing_found(&self) -> bool {
        self.grade.nothing_found() && self.grade.criteria.iter().all(|finding| finding.evidence.is_empty())
    }

    /// What to say of an answer that holds nothing that is asked for.
    pub(crate) fn nothing(&self) -> String {
        if self.grade.empty {
            "The answer holds nothing that a reader sees.".to_owned()
        } else if self.grade.parts_found {
            "Parts of the drill are named in the answer, but nothing that is asked was found in it.".to_owned()
        } else {
            "Nothing that the drill asks for was found in the answer: is it the right file?".to_owned()
        }
    }

    fn score(&self, points: Points) -> String {
        let of = format!("{} of {}", shown::points(points.awarded), shown::points_in_words(points.possible));
        if points.pending > 0.0 {
            let wait = if shown::points(points.pending) == "1" { "waits" } else { "wait" };
            format!("{of}; {} {wait} for a person.", shown::points_in_words(points.pending))
        } else {
            format!("{of}.")
        }
    }

    // ---- Asked quantities --------------------------------------------------------------------------------------------

    /// What was read for an ask and where, and from what it follows.
    pub(crate) fn read(&self, finding: &QuantityFinding) -> String {
        match (&finding.read, finding.verdict) {
            (Some(read), verdict) => {
                let place = self.at(read);
                let written = match self.as_asked(finding, read) {
                    Some(asked) => format!("{}, which is {asked} ({place})", quoted(&read.text)),
                    None => format!("{} ({place})", quoted(&read.text)),
                };
                if verdict == Verdict::CarriedForward && !finding.carried_from.is_empty() {
                    format!("{written}, {}", self.carried(finding))
                } else {
                    written
                }
            }
            (None, Verdict::Unclear) => "unclear".to_owned(),
            (None, Verdict::Correct | Verdict::CarriedForward | Verdict::Form) => "accepted by a grader".to_owned(),
            (None, Verdict::Slip | Verdict::Wrong) => "not accepted by a grader".to_owned(),
            (None, _) if finding.required => "not found".to_owned(),
            (None, _) => "not given, and not demanded".to_owned(),
        }
    }

    /// A value in the unit asked for, where it was written in another. Never for students: it may be the very number
    /// that is asked for.
    fn as_asked(&self, finding: &QuantityFinding, read: &Read) -> Option<String> {
        let unit = self.ask(&finding.ask)?.unit.as_ref()?;
        // Ratios are read as they stand; of a size or a time it helps to see it in the other unit.
        let other = read.unit.as_deref().is_some_and(|written| written != unit.symbol) && unit.dimension != Dimension::NONE;
        let comparable = finding.verdict != Verdict::Unclear && !finding.notes.iter().any(|note| matches!(note, Note::WrongUnit { .. }));
        (self.reader == Reader::Staff && other && comparable && finding.reading.is_none() && !read.words && read.high.is_none())
            .then(|| shown::value(read.value, Some(unit), None))
    }

    /// Why the verdict is what it is, and what else is to be said: no sentence for a value that is simply right.
    pub(crate) fn quantity(&self, finding: &QuantityFinding) -> Vec<String> {
        let mut said = Vec::new();
        match finding.verdict {
            Verdict::Correct => said.extend(finding.reading.as_deref().and_then(|id| self.by_reading(finding, id))),
            Verdict::Slip => said.extend(finding.mistake.as_ref().map(|mistake| self.mistake(finding, mistake))),
            Verdict::CarriedForward | Verdict::Form | Verdict::Missing => {}
            Verdict::Wrong => said.push(self.wrong(finding)),
            Verdict::Unclear => said.push(self.unclear(finding)),
        }
        said.extend(finding.notes.iter().filter_map(|note| self.note(finding, note)));
        let is_off = !matches!(finding.verdict, Verdict::Correct | Verdict::CarriedForward | Verdict::Missing);
        if self.reader == Reader::Staff && is_off {
            said.extend(self.ask(&finding.ask).map(|ask| self.reference(ask)));
        }
        said
    }

    fn by_reading(&self, finding: &QuantityFinding, id: &str) -> Option<String> {
        let reading = self.ask(&finding.ask)?.readings.iter().find(|reading| reading.id == id)?;
        if finding.read.as_ref().is_some_and(|read| read.words) {
            return Some(format!("The words count as a value ({}).", authored(without_stop(&reading.says))));
        }
        Some(match self.reader {
            Reader::Staff => format!("It is right as another reading: {}.", authored(without_stop(&reading.says))),
            Reader::Student => "It is right by another reading of the question, which counts as well.".to_owned(),
        })
    }

    /// From which earlier values it follows.
    fn carried(&self, finding: &QuantityFinding) -> String {
        // Several values of one part are named together.
        let mut parts: Vec<(&str, Vec<String>)> = Vec::new();
        for id in &finding.carried_from {
            let (value, part) = self.earlier(id);
            match parts.iter_mut().find(|(other, _)| *other == part) {
                Some((_, values)) => values.push(value),
                None => parts.push((part, vec![value])),
            }
        }
        let from: Vec<String> = parts.iter().map(|(part, values)| format!("{} in part{TIE}({part})", shown::list(values, "and"))).collect();
        let how = if self.reader == Reader::Student { "follows rightly from" } else { "follows from" };
        format!("{how} {}", shown::list(&from, "and"))
    }

    /// An earlier value as it was written, or else by its name, and the part it belongs to.
    fn earlier(&self, id: &str) -> (String, &'a str) {
        let finding = self.grade.quantities.iter().find(|finding| finding.ask == id);
        let written = finding.and_then(|finding| finding.read.as_ref()).map(|read| quoted(&read.text).to_string());
        let part = self.ask(id).map_or("", |ask| ask.item.as_deref().unwrap_or(&ask.part));
        (written.unwrap_or_else(|| self.name(id).to_owned()), part)
    }

    fn mistake(&self, finding: &QuantityFinding, mistake: &Mistake) -> String {
        match mistake {
            Mistake::Listed(id) => self
                .ask(&finding.ask)
                .and_then(|ask| ask.mistakes.iter().find(|mistake| mistake.id == *id))
                .map_or_else(|| "It is a known mistake.".to_owned(), |mistake| authored(&mistake.says)),
            Mistake::General(general) => self.general(general),
        }
    }

    fn general(&self, general: &General) -> String {
        let staff = self.reader == Reader::Staff;
        match general {
            General::PowerOfTen { exponent } if staff => {
                let times = shown::number(10_f64.powi(exponent.abs()));
                format!("The digits are right, and the value is {times} times too {}.", if *exponent > 0 { "large" } else { "small" })
            }
            General::PowerOfTen { .. } => {
                "The digits are right, and the power of ten is not: follow the prefixes and the zeros through the work.".to_owned()
            }
            General::BitsForBytes => "Bits and bytes have changed places: check in which of the two each quantity is given.".to_owned(),
            General::BinaryForDecimal => {
                "Powers of 1024 and powers of 1000 have changed places: the i in KiB, MiB, and GiB says 1024.".to_owned()
            }
            General::FactorTwo => "It is a factor of two away: something is counted twice, or once instead of twice.".to_owned(),
            General::Reciprocal => "The ratio is upside down: check which quantity is divided by which.".to_owned(),
            General::PercentForFraction => {
                "A fraction and a percentage have changed places: check whether a percent sign belongs there.".to_owned()
            }
            General::Sign => "The size is right, and the sign is the other way round.".to_owned(),
            General::WrongOperand { wanted, used } => {
                format!("It comes out like this with {} in the place of {}.", self.symbol(used), self.symbol(wanted))
            }
            General::DroppedOperand { dropped } => format!("It comes out like this when {dropped} is left out of the formula."),
            General::OffByOne => "It comes out like this when one too many or one too few is counted.".to_owned(),
            General::Arithmetic => "The method is right; a step of the arithmetic is not.".to_owned(),
            General::Swapped { with } => {
                format!("It has changed places with {}: each of the two stands under the name of the other.", self.name(with))
            }
        }
    }

    fn wrong(&self, finding: &QuantityFinding) -> String {
        if let Some(Mistake::General(arithmetic)) = &finding.mistake {
            return self.general(arithmetic);
        }
        let distance = finding
            .read
            .as_ref()
            .zip(self.ask(&finding.ask))
            .filter(|(read, ask)| self.reader == Reader::Staff && read.high.is_none() && !matches!(ask.kind, AskKind::Range(_)))
            .and_then(|(read, ask)| shown::distance(read.value, ask.formula.value()));
        match (self.reader, distance) {
            (Reader::Staff, Some(distance)) => format!("It is {distance}, and no known mistake leads to it."),
            (Reader::Staff, None) => "It is not right, and no known mistake leads to it.".to_owned(),
            (Reader::Student, _) => {
                "It is not right, and no common mistake explains it: go through the work once more, from the givens on.".to_owned()
            }
        }
    }

    /// What is right, for staff.
    fn reference(&self, ask: &Ask) -> String {
        let show = |value: Number| shown::value(value, ask.unit.as_ref(), ask.noun.as_deref());
        match &ask.kind {
            AskKind::Value | AskKind::Count => format!("The reference is {}.", show(ask.formula.value())),
            AskKind::Range(range) => {
                format!("Anything from {} to {} is right.", show(range.low.value()), show(range.high.value()))
            }
        }
    }

    fn unclear(&self, finding: &QuantityFinding) -> String {
        let item = self.grade.review.iter().find(|item| item.id == finding.ask);
        let why = item.map_or(ReviewWhy::Unlabeled, |item| item.why);
        let mut found: Vec<&Read> = finding.candidates.iter().collect();
        if self.reader == Reader::Student {
            // The likeliest stands first, and a student who lists many numbers should not be told which that is.
            found.sort_by_key(|read| read.span.start);
        }
        let mut candidates: Vec<String> = found.iter().map(|read| format!("{} ({})", quoted(&read.text), self.at(read))).collect();
        if candidates.len() > MOST_CANDIDATES {
            let rest = candidates.len() - (MOST_CANDIDATES - 1);
            candidates.truncate(MOST_CANDIDATES - 1);
            candidates.push(format!("{rest} others"));
        }
        if candidates.is_empty() {
            candidates.extend(finding.read.iter().map(|read| quoted(&read.text).to_string()));
        }
        let one = candidates.first().cloned().unwrap_or_else(|| "the value".to_owned());
        let name = self.name(&finding.ask);
        let ask = self.reader == Reader::Student;
        let advice = |student: &str| if ask { student.to_owned() } else { "a person decides.".to_owned() };
        match why {
            ReviewWhy::TwoCandidates => {
                let values = shown::count(candidates.len(), "value stands", "values stand");
                format!(
                    "{} in the answer, {}, and nothing says which one is meant; {}",
                    shown::sentence(&values),
                    shown::list(&candidates, "and"),
                    advice("mark the one that counts, or strike out the others.")
                )
            }
            ReviewWhy::Unlabeled if candidates.len() > 1 => format!(
                "One of {} may be {name}, but nothing beside them says which; {}",
                shown::list(&candidates, "and"),
                advice("say what each of them is.")
            ),
            ReviewWhy::Unlabeled => format!("{one} may be {name}, but nothing beside it says so; {}", advice("say what it is.")),
            ReviewWhy::UnknownUnit => {
                format!("{} has a unit that is not known; {}", shown::sentence(&one), advice("write the unit out."))
            }
            ReviewWhy::Unconvertible => {
                let asked =
                    self.ask(&finding.ask).and_then(|ask| ask.unit.as_ref()).map_or("the unit asked for", |unit| unit.symbol.as_str());
                format!(
                    "{} is not given in {asked}, and cannot be converted; {}",
                    shown::sentence(&one),
                    advice("give it in the unit that is asked for.")
                )
            }
            ReviewWhy::Unreadable => {
                format!("{} can be read in more than one way; {}", shown::sentence(&one), advice("write it so that only one is left."))
            }
            ReviewWhy::BoundOrRange => {
                format!("{} is a bound or a range where one value is asked for; {}", shown::sentence(&one), advice("give the value."))
            }
            ReviewWhy::ReadingNotLabeled => format!(
                "{} may be right if it is meant in another way than the question's, but nothing beside it says so; {}",
                shown::sentence(&one),
                advice("say in words what it is.")
            ),
            ReviewWhy::NotOwn => format!(
                "{} stands in the answer as somebody else's word, or as one that is not believed; {}",
                shown::sentence(&one),
                advice("say what your own value is.")
            ),
            ReviewWhy::Contradiction => format!(
                "{} stands beside values of the answer that contradict each other; {}",
                shown::sentence(&one),
                advice("find out which of them is not right.")
            ),
            ReviewWhy::NothingFound => "Nothing that is asked was found.".to_owned(),
            ReviewWhy::NoRuleDecides | ReviewWhy::ByHand | ReviewWhy::UntrueComparison | ReviewWhy::CopiedText => {
                format!("{} is for a person to judge.", shown::sentence(&one))
            }
            ReviewWhy::TooLong => {
                format!("The answer is too long to be judged by rules; {}", advice("hand in the results without the pages around them."))
            }
        }
    }

    fn note(&self, finding: &QuantityFinding, note: &Note) -> Option<String> {
        let staff = self.reader == Reader::Staff;
        Some(match note {
            Note::MissingUnit { understood } if understood.is_empty() => {
                "The number is right, but no unit stands beside it; a number without its unit says little.".to_owned()
            }
            Note::MissingUnit { understood } => {
                format!("The number is right in {understood}, but no unit stands beside it; a number without its unit says little.")
            }
            Note::OtherUnit { written, asked } => format!("It is right, and given in {written} where {asked} is asked for."),
            Note::WrongUnit { written, asked } => format!("The digits fit, but {written} is no unit for this; {asked} is."),
            Note::TooFewFigures { shown: figures, wanted } => {
                // Zeros at the end of a whole number are padding here: `200 ms` for 162 shows one figure.
                let most = usize::try_from(if figures.most < *wanted { figures.most } else { figures.least }).unwrap_or(usize::MAX);
                format!(
                    "It shows {}; at least {} are asked for.",
                    shown::count(most, "significant figure", "significant figures"),
                    shown::in_words(usize::try_from(*wanted).unwrap_or(usize::MAX))
                )
            }
            Note::Truncated => "Its last figure is cut off rather than rounded.".to_owned(),
            Note::PrefixReadAs { read_as } => format!("It is right when its unit is read as {read_as}; that is how to write it."),
            Note::LooseSpelling if staff => "Its unit is spelled loosely.".to_owned(),
            Note::LooseSpelling => "Its unit is spelled loosely; capitals matter in units.".to_owned(),
            Note::UnitFromContext { unit } if staff => format!("Its unit, {unit}, is taken from the words around it."),
            Note::UnitFromContext { .. } => return None,
            Note::InconsistentRestatement { other } => {
                format!("It is also given as {} ({}), which is another value.", quoted(&other.text), self.at(other))
            }
            Note::Replaced { earlier } if staff => format!("It replaces {} ({}).", quoted(&earlier.text), self.at(earlier)),
            Note::Replaced { .. } => return None,
            // What the sentence before it says already.
            Note::RangeGiven if finding.verdict == Verdict::Unclear => return None,
            Note::RangeGiven => "A range is given; both of its ends are right.".to_owned(),
            Note::BoundGiven => "Only a bound is given, not the value.".to_owned(),
            Note::NotLabeled { reading } => match (self.reader, self.reading_says(finding, reading)) {
                (Reader::Staff, Some(says)) => format!("It would be right as another reading ({says}), but nothing near it says so."),
                _ => "It may be right if it is meant in another way than the question's: say in words what it is.".to_owned(),
            },
            Note::Supporting { reading } => match (self.reader, self.reading_says(finding, reading)) {
                (Reader::Staff, Some(says)) => format!("It is right as evidence ({says}), not as the answer."),
                _ => "It is right as a step, and it is not yet what is asked for.".to_owned(),
            },
            Note::BrokenLink { left, comes_to, right } => {
                let (work, result, place) = (quoted(&left.text), quoted(&right.text), self.at(right));
                if staff {
                    format!("{work} comes to {}, not to {result} ({place}).", self.in_unit_of(*comes_to, right, finding))
                } else {
                    format!("{work} does not come to {result} ({place}): work out that step once more.")
                }
            }
            Note::WorkDoesNotLeadThere { work, comes_to } => {
                let words = quoted(&work.text);
                if staff {
                    let comes_to = self.in_unit_of(*comes_to, finding.read.as_ref().unwrap_or(work), finding);
                    format!("The work beside it, {words}, comes to {comes_to}, not to this value.")
                } else {
                    format!("The work beside it, {words}, does not lead to this value.")
                }
            }
            Note::NotCarried { from } => {
                let (value, part) = self.earlier(from);
                format!("Nor does it follow from {value} in part{TIE}({part}).")
            }
            Note::ContradictsOwn { from } => {
                let values: Vec<String> = from
                    .iter()
                    .map(|id| {
                        let (value, part) = self.earlier(id);
                        format!("{value} in part{TIE}({part})")
                    })
                    .collect();
                format!("It is not what {} {}.", shown::list(&values, "and"), if from.len() == 1 { "leads to" } else { "lead to" })
            }
            Note::FoundInPart { part: Some(part) } => format!("It stands in part{TIE}({part})."),
            Note::FoundInPart { part: None } => "It stands outside any part.".to_owned(),
        })
    }

    fn reading_says(&self, finding: &QuantityFinding, id: &str) -> Option<String> {
        let reading = self.ask(&finding.ask)?.readings.iter().find(|reading| reading.id == id)?;
        Some(authored(without_stop(&reading.says)))
    }

    /// A value in the unit in which another was written, for comparison.
    fn in_unit_of(&self, value: Number, other: &Read, finding: &QuantityFinding) -> String {
        let written = other.unit.as_deref().and_then(|symbol| self.drill.units.read(symbol).into_iter().next());
        let ask = self.ask(&finding.ask);
        shown::value(value, written.as_ref().or_else(|| ask?.unit.as_ref()), None)
    }

    // ---- Sums, arguments ---------------------------------------------------------------------------------------------

    /// Whether the terms of a sum are shown; nothing where there is nothing to say.
    pub(crate) fn separate(&self, finding: &SeparateFinding) -> String {
        let shown_terms: Vec<String> =
            finding.terms.iter().filter(|term| term.read.is_some()).map(|term| self.name(&term.ask).to_owned()).collect();
        let hidden: Vec<String> =
            finding.terms.iter().filter(|term| term.read.is_none()).map(|term| self.name(&term.ask).to_owned()).collect();
        let sum = self.name(&finding.of);
        match finding.found {
            Found::Both => {
                let places: Vec<String> = finding
                    .terms
                    .iter()
                    .filter_map(|term| term.read.as_ref())
                    .map(|read| format!("{} ({})", quoted(&read.text), self.at(read)))
                    .collect();
                match (self.reader, places.is_empty()) {
                    (Reader::Staff, false) => format!("The terms are shown separately: {}.", shown::list(&places, "and")),
                    _ => "The terms are shown separately.".to_owned(),
                }
            }
            Found::One if hidden.is_empty() || shown_terms.is_empty() => format!("Not every term of {sum} is shown."),
            Found::One => {
                format!("Of the terms, {} is shown and {} is not.", shown::list(&shown_terms, "and"), shown::list(&hidden, "and"))
            }
            Found::TotalOnly => "Only the sum is shown: which term makes it what it is stays hidden.".to_owned(),
            Found::None => "Neither the sum nor its terms are shown.".to_owned(),
        }
    }

    /// What was decided about a criterion, for staff; a hint, for students, and none where nothing is amiss.
    pub(crate) fn criterion(&self, finding: &CriterionFinding) -> Vec<String> {
        let Some(criterion) = self.looked_for(&finding.id) else { return Vec::new() };
        match self.reader {
            Reader::Staff if finding.outcome == Outcome::Met => Vec::new(),
            Reader::Staff => {
                let mut said = vec![format!("Looked for: {}.", authored(without_stop(&criterion.says)))];
                if finding.outcome == Outcome::Review {
                    said.extend(criterion.note.as_deref().map(authored));
                }
                said
            }
            Reader::Student if finding.outcome == Outcome::Met => Vec::new(),
            Reader::Student => criterion.student.hint.iter().map(|hint| authored(hint)).collect(),
        }
    }

    /// What the rubric says to a student about a criterion that a person decided.
    pub(crate) fn student(&self, finding: &CriterionFinding) -> Vec<String> {
        let Some(criterion) = self.looked_for(&finding.id) else { return Vec::new() };
        let words = match finding.outcome {
            Outcome::Met => &criterion.student.met,
            Outcome::Partly => criterion.student.partly.as_ref().map_or(&criterion.student.not_met, |_| &criterion.student.partly),
            Outcome::NotMet => &criterion.student.not_met,
            Outcome::Review => &criterion.student.hint,
        };
        words.iter().map(|words| authored(words)).collect()
    }

    /// The word of a person who decided, and for staff, who that was.
    pub(crate) fn word(&self, ruled: &Ruled) -> Option<String> {
        let comment = ruled.comment.as_deref().map(|comment| quoted(comment).to_string());
        match (self.reader, comment) {
            (Reader::Student, comment) => Some(format!("A grader writes: {}", comment?)),
            (Reader::Staff, None) => Some(format!("Decided by {}.", quoted(&ruled.by))),
            (Reader::Staff, Some(comment)) => Some(format!("Decided by {}, who writes: {comment}", quoted(&ruled.by))),
        }
    }

    /// How a criterion is met, in a word or two.
    pub(crate) fn outcome(&self, finding: &CriterionFinding) -> &'static str {
        match finding.outcome {
            Outcome::Met => "met",
            Outcome::Partly => "partly met",
            Outcome::NotMet => "not met",
            Outcome::Review => match self.grade.review.iter().find(|item| item.id == finding.id).map(|item| item.why) {
                Some(ReviewWhy::ByHand) => "always for a person to decide",
                Some(ReviewWhy::UntrueComparison) => "a comparison in it does not hold, so a person decides",
                Some(ReviewWhy::CopiedText) => "it is copied from what a good answer is said to be, so a person decides",
                _ => "no rule is sure, so a person decides",
            },
        }
    }

    /// A criterion of the rubric.
    pub(crate) fn looked_for(&self, id: &str) -> Option<&'a Criterion> {
        self.drill.rubric.criteria.iter().find(|criterion| criterion.id == id)
    }

    /// The sum that a criterion is about.
    pub(crate) fn separate_of(&self, criterion: &str) -> Option<&'a SeparateFinding> {
        let CriterionKind::Separate(separate) = &self.looked_for(criterion)?.kind else { return None };
        self.grade.separate.iter().find(|finding| finding.of == self.drill.asks[separate.of].id)
    }

    // ---- Numbers -----------------------------------------------------------------------------------------------------

    /// What a number of the answer was taken for, and by what.
    pub(crate) fn used(&self, finding: &UseFinding) -> String {
        let taken = match &finding.used {
            Use::Answer(ask) => format!("is read as {}", self.name(ask)),
            Use::Restatement(ask) => format!("is {} once more", self.name(ask)),
            Use::Candidate(ask) => format!("is one of several values for {}", self.name(ask)),
            Use::Replaced(ask) => format!("is an earlier value for {}, replaced later", self.name(ask)),
            Use::Given(name) => format!("is the given {}", self.symbol(name)),
            Use::Step(Some(ask)) => format!("is a step on the way to {}", self.name(ask)),
            Use::Step(None) => "is a step of the work".to_owned(),
            Use::Reused(ask) => format!("is {}, put to use", self.name(ask)),
            Use::Withdrawn => "is struck out or taken back".to_owned(),
            Use::Quoted => "is quoted".to_owned(),
            Use::Label => "is a label".to_owned(),
            Use::Aside => "is nothing that is asked".to_owned(),
        };
        let clues: Vec<String> = finding.clues.iter().map(clue_in_words).collect();
        let why = if clues.is_empty() { String::new() } else { format!(" (by {})", shown::list(&clues, "and")) };
        format!("{}: {} {taken}{why}.", shown::sentence(&self.at(&finding.read)), quoted(&finding.read.text))
    }

    // ---- Names -------------------------------------------------------------------------------------------------------

    /// `line 14`.
    pub(crate) fn at(&self, read: &Read) -> String {
        format!("line{TIE}{}", self.source.place(read.span.start).line)
    }

    /// An ask of the drill.
    pub(crate) fn ask(&self, id: &str) -> Option<&'a Ask> {
        self.drill.asks.iter().find(|ask| ask.id == id)
    }

    /// What is asked, as the drill names it.
    pub(crate) fn name(&self, id: &str) -> &'a str {
        self.ask(id).map_or("a value of the drill", |ask| ask.asks.as_str())
    }

    /// A name of the formulas, as students write it, and what it is: `α (the latency of one ring step)`.
    fn symbol(&self, name: &str) -> String {
        match self.drill.names.iter().find(|given| given.name == name) {
            Some(given) => {
                let symbol = given.symbols.first().map_or(name, String::as_str);
                if given.says.is_empty() { symbol.to_owned() } else { format!("{symbol} ({})", without_stop(&given.says)) }
            }
            None => name.to_owned(),
        }
    }
}

/// A phrase of the drill, ready to stand inside a sentence of ours.
fn without_stop(phrase: &str) -> &str {
    phrase.trim().trim_end_matches('.')
}

/// An author's sentence; what stands in backticks there is code.
fn authored(sentence: &str) -> String {
    let pieces: Vec<&str> = sentence.split('`').collect();
    // Without a partner a backtick is only a backtick.
    if pieces.len().is_multiple_of(2) {
        return sentence.to_owned();
    }
    pieces.iter().enumerate().map(|(at, piece)| if at % 2 == 1 { quoted(piece).to_string() } else { (*piece).to_owned() }).collect()
}

/// By what a number was taken for what it is.
fn clue_in_words(clue: &Clue) -> String {
    match clue {
        Clue::Words(basis) => format!("the words {}", quoted(&basis.text)),
        Clue::Symbol(basis) => format!("the symbol {}", quoted(&basis.text)),
        Clue::Work(basis) => format!("the work {}", quoted(&basis.text)),
        Clue::Header(basis) => format!("the heading {}", quoted(&basis.text)),
        Clue::Part(part) => format!("part{TIE}({part})"),
        Clue::Unit => "its unit".to_owned(),
        Clue::Order => "the order of the values".to_owned(),
        Clue::OnlyOne => "being the only value left".to_owned(),
        Clue::Value => "its value".to_owned(),
    }
}

/// What there is to say of how a file was read.
pub fn file_notes(notes: &[answer::Note]) -> Vec<String> {
    let say = |note: &answer::Note| match note {
        answer::Note::ByteOrderMark => None,
        answer::Note::Encoding(name) => Some(format!("The file is not UTF-8; it is read as {name}.")),
        answer::Note::Broken(places) => {
            let holds = shown::count(*places, "place of the file holds", "places of the file hold");
            Some(format!("{} bytes that are no characters.", shown::sentence(&holds)))
        }
    };
    notes.iter().filter_map(say).collect()
}

#[cfg(test)]
mod tests;
