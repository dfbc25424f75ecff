//! The verdict on what an answer states for one ask: true inputs first, then the student's own, then known mistakes.
//!
//! | tried, in this order | makes it |
//! |---|---|
//! | the reference and its other readings, with the true inputs | correct, or a matter of form |
//! | the same with the student's own earlier values | carried forward |
//! | the drill's listed mistakes, with true and with carried inputs | a slip |
//! | readings that want a label which does not stand near | unclear |
//! | the right value with too few figures, or cut off | a matter of form |
//! | slips that any formula can suffer | a slip |
//!
//! Value, unit and form are found separately and none outweighs another silently; what cannot be read goes to a person.

mod looks;
mod targets;

pub(crate) use looks::may_be_right;
use targets::With;

use smol_str::SmolStr;

use crate::drill::{Ask, AskKind, Credit, Drill, Reading as Accepted, ReadingCredit};
use crate::grade::carry::{Own, Routes, Way};
use crate::grade::claim::{Claim, Said};
use crate::grade::finding::{General, Mistake, Note, Read, ReviewWhy, Verdict};
use crate::grade::slip;
use crate::grade::standing::{Hit, Standing, Statement, Target};
use crate::quantity::{Base, Figures, Fit, Loose, Number, Quantity, Unit, Written};
use crate::recognize::{Kind, Reading};

/// As near as this to what a mistake predicts, a value is that mistake, though it may be the right one in too few figures.
const TIGHT: f64 = 1e-3;

/// Further apart than this share, two values are told apart by their floats.
const CLEARLY: f64 = 1e-9;

/// The verdict on one claim, with the facts it rests on.
#[derive(Clone, Debug)]
pub(crate) struct Judged {
    /// In the report's words.
    pub(crate) verdict: Verdict,
    /// The claim as it was understood for this verdict.
    pub(crate) taken: Taken,
    /// The accepted reading by which it is right, where it is not the reference itself.
    pub(crate) reading: Option<SmolStr>,
    /// Whether that reading is worth only a part.
    pub(crate) partial: bool,
    /// The mistake of a slip.
    pub(crate) mistake: Option<Mistake>,
    /// The asks whose own values it follows from, as places in [`Drill::asks`].
    pub(crate) carried_from: Vec<usize>,
    /// Whether the work shown is right up to a step that was calculated wrongly.
    pub(crate) right_method: bool,
    /// What else is to be said.
    pub(crate) notes: Vec<Note>,
    /// Why a person has to decide, where the verdict is unclear.
    pub(crate) review: Option<ReviewWhy>,
    /// What later asks may be worked out again with; `None` where the verdict is that of the true value, or unreadable.
    pub(crate) own: Option<Own>,
}

/// What a claim was understood to state.
#[derive(Clone, Debug)]
pub(crate) struct Taken {
    /// In SI base units; of a range the lower end. Words that are a value have the value they stand for.
    pub(crate) value: Number,
    /// The upper end of a range.
    pub(crate) high: Option<Number>,
    /// The unit, or that there is none, where it was settled on; `None` where it is what was read.
    pub(crate) unit: Option<Option<Unit>>,
    /// Whether it is given in words.
    pub(crate) words: bool,
}

impl Judged {
    /// The share of the ask's points that it earns; of an unclear one, nothing yet.
    pub(crate) fn share(&self, credit: &Credit) -> f64 {
        let form = if self.notes.iter().any(|note| matches!(note, Note::MissingUnit { .. })) {
            credit.missing_unit
        } else if self.notes.iter().any(is_form) {
            credit.form
        } else {
            1.0
        };
        let reading = if self.partial { credit.partial_reading } else { 1.0 };
        match self.verdict {
            Verdict::Correct | Verdict::Form => form * reading,
            Verdict::CarriedForward => credit.carried * form * reading,
            Verdict::Slip | Verdict::Wrong if self.right_method && matches!(self.mistake, Some(Mistake::General(_))) => {
                credit.arithmetic_slip
            }
            Verdict::Slip => credit.slip,
            Verdict::Wrong | Verdict::Missing | Verdict::Unclear => 0.0,
        }
    }
}

/// Whether a note says that a right value is not in the form that was asked for.
fn is_form(note: &Note) -> bool {
    matches!(
        note,
        Note::MissingUnit { .. } | Note::OtherUnit { .. } | Note::PrefixReadAs { .. } | Note::TooFewFigures { .. } | Note::Truncated
    )
}

/// Judges one claim, with the [ways](crate::grade::carry::ways) to work its ask out from the student's own values, as soon as they are asked for.
pub(crate) fn judge<'w>(routes: &Routes, at: usize, claim: &Claim, ways: &dyn Fn() -> &'w [Way]) -> Judged {
    let judge = Judge::new(routes, at, claim);
    match &claim.said {
        Said::Reading(reading) => judge.words(*reading),
        Said::Mistake(mistake) => judge.slip(Mistake::Listed(SmolStr::new(&judge.ask.mistakes[*mistake].id)), None, Vec::new()),
        Said::Number { readings, kind, lower } => judge.number(&Statement::new(readings, *kind, *lower, judge.ask), ways),
    }
}

/// What a false link in the work shown adds to a verdict. A wrong value whose work is right up to that link was calculated
/// wrongly and earns its share of the method; a right value that its work does not give is noted. `left` and `right` are the members of the link.
pub(crate) fn with_work<'w>(
    routes: &Routes,
    at: usize,
    judged: Judged,
    comes_to: Quantity,
    left: Read,
    right: Read,
    ways: &dyn Fn() -> &'w [Way],
) -> Judged {
    let unit = (!comes_to.dimension.is_none()).then(|| Unit::new("", comes_to.dimension, Number::ONE));
    // Worked out, not written: there is no place that it could be rounded to.
    let exactly = Figures { least: u32::MAX, most: u32::MAX };
    let written = Written { figures: exactly, decimals: 0, exponent: 0, last_place: Number::ZERO };
    let readings = vec![Reading { value: comes_to.value, high: None, unit, written, loose: None }];
    let said = Said::Number { readings: readings.into(), kind: Kind::Exact, lower: false };
    let worked = Claim { said, value: comes_to.value, high: None, labeled: Vec::new(), suspected: Vec::new() };
    let may_be = matches!(&worked.said, Said::Number { readings, kind, .. } if may_be_right(routes, at, readings, *kind, ways));
    let right_method = may_be && matches!(judge(routes, at, &worked, ways).verdict, Verdict::Correct | Verdict::CarriedForward);
    let mut judged = Judged { right_method, ..judged };
    let broken = Note::BrokenLink { left: Box::new(left.clone()), comes_to: comes_to.value, right: Box::new(right) };
    match judged.verdict {
        Verdict::Correct | Verdict::Form | Verdict::CarriedForward => {
            if !right_method {
                judged.notes.push(Note::WorkDoesNotLeadThere { work: Box::new(left), comes_to: comes_to.value });
            }
        }
        // No mistake leads from the right work to this value but a step that went wrong.
        Verdict::Wrong => {
            judged.mistake = right_method.then_some(Mistake::General(General::Arithmetic));
            judged.notes.push(broken);
        }
        Verdict::Slip => judged.notes.push(broken),
        Verdict::Missing | Verdict::Unclear => {}
    }
    judged
}

/// Whether a claim is what an ask comes to with other values, by any of its readings and in whatever form.
pub(crate) fn agrees(routes: &Routes, at: usize, claim: &Claim, way: &Way) -> bool {
    let judge = Judge::new(routes, at, claim);
    match &claim.said {
        Said::Reading(reading) => judge.is_moved(*reading, way) || judge.is_as_large(way),
        Said::Mistake(_) => true,
        Said::Number { readings, kind, lower } => judge.is_with(&Statement::new(readings, *kind, *lower, judge.ask), way),
    }
}

struct Judge<'a> {
    routes: &'a Routes<'a>,
    drill: &'a Drill,
    at: usize,
    ask: &'a Ask,
    claim: &'a Claim<'a>,
}

/// A statement that is right, or nearly, by the reference or by one of its readings.
struct Match<'a> {
    hit: Hit<'a>,
    /// The reading, as a place in [`Ask::readings`]; `None` for the reference itself.
    accepted: Option<usize>,
}

impl<'a> Judge<'a> {
    fn new(routes: &'a Routes<'a>, at: usize, claim: &'a Claim<'a>) -> Judge<'a> {
        Judge { routes, drill: routes.drill, at, ask: &routes.drill.asks[at], claim }
    }

    /// Words that are the value of a reading say by themselves what they are.
    fn words(&self, reading: usize) -> Judged {
        let accepted = &self.ask.readings[reading];
        if accepted.credit == ReadingCredit::Supporting {
            return self.plain(Verdict::Wrong, None, vec![Note::Supporting { reading: accepted.id.clone() }]);
        }
        Judged {
            reading: Some(SmolStr::new(&accepted.id)),
            partial: accepted.credit == ReadingCredit::PartialIfLabelled,
            ..self.plain(Verdict::Correct, None, Vec::new())
        }
    }

    fn number<'w>(&self, statement: &Statement<'a>, ways: &dyn Fn() -> &'w [Way]) -> Judged {
        let bound = matches!(statement.kind, Kind::AtMost | Kind::AtLeast) && !matches!(self.ask.kind, AskKind::Range(_));
        let truth = self.accepted(statement, With::Truth, true);
        if let Some(right) = truth.as_ref().filter(|found| found.hit.standing.is_right()) {
            // A comma that may be a decimal mark or not: nobody but a person can tell.
            if right.hit.second_guess && right.hit.reading.loose == Some(Loose::Comma) {
                return self.unclear(ReviewWhy::Unreadable, Some(&right.hit), Vec::new());
            }
            // What a listed mistake explains better is judged by what follows.
            let listed = || self.listed(statement, With::Truth);
            if !self.may_be_beaten(right) || !listed().is_some_and(|(at, wrong)| self.beats(right, at, &wrong)) {
                return self.right(Verdict::Correct, right, bound);
            }
        }
        if let Some(low) = self.both_ends(statement) {
            return self.right(Verdict::Correct, &low, bound);
        }
        if bound {
            return self.unclear(ReviewWhy::BoundOrRange, truth.as_ref().map(|found| &found.hit), vec![Note::BoundGiven]);
        }
        let listed = self.listed(statement, With::Truth);
        // Words that name a mistake say that the value was not carried.
        if let Some((at, hit)) = listed.as_ref().filter(|(at, _)| self.claim.suspected.contains(at)) {
            return self.slip(Mistake::Listed(SmolStr::new(&self.ask.mistakes[*at].id)), Some(hit), Vec::new());
        }
        // A single figure says too little to tell what it was worked out from; true inputs come first. And what follows from a
        // right value in a poor form is in a poor form itself, where it can be.
        let near = truth.as_ref().filter(|found| found.hit.standing < Standing::Apart && found.hit.high.is_none());
        let told = listed.as_ref().is_some_and(|(_, hit)| hit.off <= TIGHT);
        if let Some(coarse) = near.filter(|found| found.hit.fit == Fit::Coarse && !told) {
            return self.right(Verdict::Correct, coarse, false);
        }
        let carries =
            |way: &&Way| way.reaches && if way.coarse { near.is_none() } else { listed.is_none() || !self.routes.compares(self.at) };
        if let Some((way, found)) = self.way_taken(statement, ways().iter().filter(carries)) {
            if way.in_doubt {
                return self.unclear(ReviewWhy::Contradiction, Some(&found.hit), Vec::new());
            }
            return self.follows(way, &found);
        }
        if let Some((at, hit)) = &listed {
            return self.slip(Mistake::Listed(SmolStr::new(&self.ask.mistakes[*at].id)), Some(hit), Vec::new());
        }
        for way in ways().iter().filter(|way| !way.coarse) {
            if let Some((at, hit)) = self.listed(statement, With::Own(way)) {
                return self.slip(Mistake::Listed(SmolStr::new(&self.ask.mistakes[at].id)), Some(&hit), way.from.to_vec());
            }
        }
        let unlabeled = self.accepted(statement, With::Truth, false).filter(|found| found.hit.standing.is_right());
        // `unchanged` is what the student had before: with other values of the own, the old reference is no such reading.
        let moved = |reading: usize| {
            let own = |way: &Way| {
                let right = || statement.stand(&self.reading_target(reading, With::Own(way))).is_some_and(|hit| hit.standing.is_right());
                self.is_moved(reading, way) && !right()
            };
            ways().iter().any(|way| !way.coarse && !way.in_doubt && own(way))
        };
        if let Some(Match { hit, accepted: Some(reading) }) = unlabeled.as_ref().filter(|found| !found.accepted.is_some_and(moved)) {
            let accepted = &self.ask.readings[*reading];
            if accepted.credit == ReadingCredit::Supporting {
                return self.plain(Verdict::Wrong, Some(hit), vec![Note::Supporting { reading: accepted.id.clone() }]);
            }
            return self.unclear(ReviewWhy::ReadingNotLabeled, Some(hit), vec![Note::NotLabeled { reading: accepted.id.clone() }]);
        }
        if let Some(near) = near {
            return self.right(Verdict::Correct, near, false);
        }
        for way in ways().iter().filter(|way| way.reaches) {
            if let Some(found) = self.carried(statement, way).filter(|found| found.hit.standing < Standing::Apart) {
                return self.follows(way, &found);
            }
        }
        self.not_right(statement, ways(), truth.as_ref().map(|found| &found.hit))
    }

    /// The way by which a statement follows from the student's own values: the first, or one with more values that comes out much nearer
    /// (of `0.62 + 100.75 = 101.37 ms` both terms are the student's own).
    fn way_taken<'w>(&self, statement: &Statement<'a>, ways: impl Iterator<Item = &'w Way>) -> Option<(&'w Way, Match<'a>)> {
        let mut taken: Option<(&Way, Match)> = None;
        for way in ways {
            let adds = |first: &Way| first.from.iter().all(|from| way.from.contains(from)) && first.coarse == way.coarse && !way.in_doubt;
            if taken.as_ref().is_some_and(|(first, found)| found.hit.off <= TIGHT || !adds(first)) {
                continue;
            }
            let Some(found) = self.carried(statement, way).filter(|found| found.hit.standing.is_right()) else { continue };
            if taken.as_ref().is_none_or(|(_, known)| found.hit.off < known.hit.off / 4.0 && found.hit.standing <= known.hit.standing) {
                taken = Some((way, found));
            }
        }
        taken
    }

    /// What follows from the student's own values; from right ones with too few figures, in too few figures again, it is a
    /// right value in the same poor form.
    fn follows(&self, way: &Way, found: &Match) -> Judged {
        let shown = found.hit.reading.written.figures;
        if way.coarse && shown.least < self.ask.min_figures {
            let mut judged = self.right(Verdict::Correct, found, false);
            if !judged.notes.iter().any(|note| matches!(note, Note::TooFewFigures { .. })) {
                judged.notes.push(Note::TooFewFigures { shown, wanted: self.ask.min_figures });
            }
            return Judged { verdict: Verdict::Form, ..judged };
        }
        Judged { carried_from: way.from.to_vec(), ..self.right(Verdict::CarriedForward, found, false) }
    }

    /// A range both of whose ends are right, each by a reading of its own: the lower end.
    fn both_ends(&self, statement: &Statement<'a>) -> Option<Match<'a>> {
        let reading = statement.readings.first().filter(|reading| reading.high.is_some())?;
        let end = |value: Number| {
            let ends = [Reading { value, high: None, ..reading.clone() }];
            let judge = Judge::new(self.routes, self.at, self.claim);
            let found = judge.accepted(&Statement::new(&ends, statement.kind, statement.lower, self.ask), With::Truth, true);
            found.filter(|found| found.hit.standing.is_right()).map(|found| found.accepted)
        };
        let accepted = end(reading.value)?;
        end(reading.high?)?;
        let target = accepted.map_or_else(|| self.reference(With::Truth), |accepted| self.reading_target(accepted, With::Truth));
        Some(Match { hit: Hit::range_end(reading, &target), accepted })
    }

    /// What no reading and no listed mistake explains.
    fn not_right(&self, statement: &Statement<'a>, ways: &[Way], hit: Option<&Hit>) -> Judged {
        let target = self.reference(With::Truth);
        let Some(hit) = hit else {
            return self.another_dimension(statement, &target);
        };
        if hit.high.is_some() {
            // A range around the right value, too wide to be an answer, is a hedge; any other range is another value.
            return if hit.straddles(&target) {
                self.unclear(ReviewWhy::BoundOrRange, Some(hit), vec![Note::RangeGiven])
            } else {
                self.plain(Verdict::Wrong, Some(hit), Vec::new())
            };
        }
        // Where a whole range is right, a factor says nothing about what went wrong.
        if matches!(self.ask.kind, AskKind::Range(_)) {
            return self.plain(Verdict::Wrong, Some(hit), Vec::new());
        }
        if let Some(general) = slip::explain(self.drill, self.at, statement, &target) {
            return self.slip(Mistake::General(general), Some(hit), Vec::new());
        }
        for way in ways.iter().filter(|way| way.reaches && !way.coarse) {
            let rough = way.rough(self.routes, &self.ask.formula);
            if rough.is_some_and(|value| !slip::may_explain(statement, [value, value], &target)) {
                continue;
            }
            // The rounding of the carried value does not count here: one guess on top of the other explains everything.
            if let Some(general) = slip::of_value(statement, &self.reference(With::Own(way))) {
                return self.slip(Mistake::General(general), Some(hit), way.from.to_vec());
            }
        }
        self.plain(Verdict::Wrong, Some(hit), Vec::new())
    }

    /// A unit of another dimension is wrong; a word that is no unit at all has to be looked at.
    fn another_dimension(&self, statement: &Statement<'a>, target: &Target) -> Judged {
        let unit = statement.readings.iter().find_map(|reading| reading.unit.as_ref());
        let Some(unit) = unit else { return self.unclear(ReviewWhy::Unreadable, None, Vec::new()) };
        if self.drill.units.read(&unit.symbol).is_empty() {
            return self.unclear(ReviewWhy::UnknownUnit, None, Vec::new());
        }
        // An amount in another currency, or by the hour instead of by the month, is no other kind of thing.
        let points = unit.dimension.holds(Base::Points) && target.dimension.is_none() && statement.digits_right(target);
        if points || unit.dimension.holds(Base::Money) && target.dimension.holds(Base::Money) {
            return self.unclear(ReviewWhy::Unconvertible, None, Vec::new());
        }
        let asked = self.ask.unit.as_ref().map_or_else(String::new, |asked| asked.symbol.clone());
        let note = statement.digits_right(target).then(|| Note::WrongUnit { written: unit.symbol.clone(), asked });
        self.plain(Verdict::Wrong, None, note.into_iter().collect())
    }

    /// The best of the reference and the readings that count here: those in full, and those with a label near; or, the
    /// other way round, only those that lack their label and those that are no answer.
    fn accepted(&self, statement: &Statement<'a>, with: With, counting: bool) -> Option<Match<'a>> {
        let reference = counting.then(|| statement.stand(&self.reference(with)).map(|hit| Match { hit, accepted: None })).flatten();
        // Nothing is better than the reference itself.
        if reference.as_ref().is_some_and(|found| found.hit.standing == Standing::Right) {
            return reference;
        }
        let all = counting && reference.is_none();
        // The reference comes first, so that a reading is named only where it says more.
        reference.into_iter().chain(self.readings(statement, with, counting, all)).min_by(|a, b| a.hit.standing.cmp(&b.hit.standing))
    }

    /// How a statement stands to the readings that count here, or to the others.
    fn readings<'w>(&'w self, statement: &'w Statement<'a>, with: With<'w>, counting: bool, all: bool) -> impl Iterator<Item = Match<'a>> {
        let readings = self.ask.readings.iter().enumerate().filter(move |(at, accepted)| self.counts(*at, accepted) == counting);
        // What lies apart is told only where there is nothing else to tell.
        let readings =
            readings.filter(move |(at, accepted)| all || self.may_be(statement, self.reading(*at), accepted.unit.as_ref(), with));
        readings.filter_map(move |(at, _)| {
            let hit = statement.stand(&self.reading_target(at, with))?;
            Some(Match { hit, accepted: Some(at) })
        })
    }

    fn counts(&self, at: usize, accepted: &Accepted) -> bool {
        match accepted.credit {
            ReadingCredit::Full => true,
            ReadingCredit::FullIfLabelled | ReadingCredit::PartialIfLabelled => self.claim.labeled.contains(&at),
            ReadingCredit::Supporting => false,
        }
    }

    /// The reference and its full readings with the student's own values; `None` where it is neither of them.
    fn carried(&self, statement: &Statement<'a>, way: &Way) -> Option<Match<'a>> {
        if !self.may_be_with(statement, way) {
            let readings = self.readings(statement, With::Own(way), true, false);
            return readings.min_by(|a, b| a.hit.standing.cmp(&b.hit.standing));
        }
        let reference = statement.stand(&self.target_with(way)).map(|hit| Match { hit, accepted: None });
        if reference.as_ref().is_some_and(|found| found.hit.standing.is_right()) {
            return reference;
        }
        let readings = self.accepted(statement, With::Own(way), true);
        [reference, readings].into_iter().flatten().min_by(|a, b| a.hit.standing.cmp(&b.hit.standing))
    }

    /// Whether a statement is what the ask, or any reading of it, comes to with other values.
    fn is_with(&self, statement: &Statement<'a>, way: &Way) -> bool {
        let is = |target: Target| statement.stand(&target).is_some_and(|hit| hit.standing < Standing::Apart);
        let reading = |at: usize| {
            self.may_be(statement, self.reading(at), self.ask.readings[at].unit.as_ref(), With::Own(way))
                && is(self.reading_target(at, With::Own(way)))
                && (self.is_moved(at, way) || self.is_as_large(way))
        };
        self.may_be_with(statement, way) && is(self.target_with(way)) || (0..self.ask.readings.len()).any(reading)
    }

    /// Whether a reading is another value with other values: `a hundred times` says nothing about them.
    fn is_moved(&self, reading: usize, way: &Way) -> bool {
        let of = self.reading(reading);
        let truth = of.formula.float();
        let told = way.rough(self.routes, of.formula).filter(|value| (value - truth).abs() > CLEARLY * truth.abs());
        way.changes(of.from) && (told.is_some() || self.value(With::Own(way), of) != of.formula.value())
    }

    /// Whether what an ask comes to with other values is of the size of the true value.
    fn is_as_large(&self, way: &Way) -> bool {
        let edges = [0.5, 2.0];
        let by_floats = way.rough(self.routes, &self.ask.formula).map(|value| value / self.ask.formula.float());
        let told = by_floats.filter(|ratio| edges.iter().all(|edge| (ratio - edge).abs() > CLEARLY));
        let exactly = || (self.value(With::Own(way), self.asked(&self.ask.formula)) / self.ask.formula.value()).to_f64();
        (edges[0]..=edges[1]).contains(&told.unwrap_or_else(exactly))
    }

    /// The listed mistake that the statement is, if it is one: by the words near it, else the nearest.
    fn listed(&self, statement: &Statement<'a>, with: With) -> Option<(usize, Hit<'a>)> {
        let mut best: Option<(usize, Hit)> = None;
        for at in 0..self.ask.mistakes.len() {
            let mistake = self.mistake(at);
            let may_be = match with {
                With::Truth if mistake.formula.dimension() == self.ask.formula.dimension() => {
                    let value = mistake.formula.float();
                    statement.may_fit([value, value], &self.ask.tolerance, self.ask.min_figures, Fit::is_right)
                }
                // With other values only what they change is another mistake.
                With::Own(way) if !way.changes(mistake.from) => false,
                With::Truth | With::Own(_) => self.may_be(statement, mistake, None, with),
            };
            if !may_be {
                continue;
            }
            let Some(hit) = statement.stand(&Target { in_unit: false, ..self.target(mistake, with) }) else { continue };
            let suspected = |at: usize| !self.claim.suspected.contains(&at);
            let nearer = |(other, known): &(usize, Hit)| {
                let standing = (suspected(at), hit.standing).cmp(&(suspected(*other), known.standing));
                standing.then(hit.off.total_cmp(&known.off)).is_lt()
            };
            if matches!(hit.standing, Standing::Right | Standing::MissingUnit) && best.as_ref().is_none_or(nearer) {
                best = Some((at, hit));
            }
        }
        best
    }

    /// Whether a listed mistake may explain a right statement better: never one that is the reference as it stands.
    fn may_be_beaten(&self, right: &Match) -> bool {
        right.accepted.is_some() || right.hit.standing == Standing::ReadAs
    }

    /// Whether a listed mistake explains a statement better than a reading by which it would be right: the reference is
    /// never outdone, another reading only by what lies nearer, or by the words where both lie equally near.
    fn beats(&self, right: &Match, mistake: usize, wrong: &Hit) -> bool {
        // `15500 kB` is 31·α·B, and only with a binary prefix nearly the right size.
        if right.hit.standing == Standing::ReadAs && wrong.standing == Standing::Right && wrong.off < right.hit.off {
            return true;
        }
        if right.accepted.is_none() || wrong.standing != Standing::Right {
            return false;
        }
        let suspected = self.claim.suspected.contains(&mistake);
        wrong.off < right.hit.off - 1e-9 || suspected && wrong.off <= right.hit.off + 1e-9
    }

    /// A right value, with what is to be said about its form.
    fn right(&self, verdict: Verdict, found: &Match, bound: bool) -> Judged {
        let hit = &found.hit;
        let unit = |unit: &Option<Unit>| unit.as_ref().map_or_else(String::new, |unit| unit.symbol.clone());
        let mut notes = Vec::new();
        match hit.standing {
            Standing::MissingUnit | Standing::NearMissingUnit => notes.push(Note::MissingUnit { understood: unit(&hit.unit) }),
            Standing::OtherUnit => notes.push(Note::OtherUnit { written: unit(&hit.unit), asked: unit(&self.ask.unit) }),
            Standing::ReadAs => notes.push(Note::PrefixReadAs { read_as: unit(&hit.unit) }),
            Standing::Right | Standing::Near | Standing::Apart => {}
        }
        match hit.fit {
            Fit::Coarse => notes.push(Note::TooFewFigures { shown: hit.reading.written.figures, wanted: self.ask.min_figures }),
            Fit::Truncated => notes.push(Note::Truncated),
            Fit::Within | Fit::Rounded | Fit::Apart => {}
        }
        if hit.reading.loose.is_some_and(|loose| !matches!(loose, Loose::Binary | Loose::Shared)) {
            notes.push(Note::LooseSpelling);
        }
        if hit.high.is_some() {
            notes.push(Note::RangeGiven);
        }
        if bound {
            notes.push(Note::BoundGiven);
        }
        let form = notes.iter().any(is_form);
        let verdict = if verdict == Verdict::Correct && form { Verdict::Form } else { verdict };
        let accepted = found.accepted.map(|reading| &self.ask.readings[reading]);
        Judged {
            reading: accepted.map(|accepted| SmolStr::new(&accepted.id)),
            partial: accepted.is_some_and(|accepted| accepted.credit == ReadingCredit::PartialIfLabelled),
            ..self.plain(verdict, Some(hit), notes)
        }
    }

    fn slip(&self, mistake: Mistake, hit: Option<&Hit>, carried_from: Vec<usize>) -> Judged {
        Judged { mistake: Some(mistake), carried_from, ..self.plain(Verdict::Slip, hit, Vec::new()) }
    }

    fn unclear(&self, why: ReviewWhy, hit: Option<&Hit>, notes: Vec<Note>) -> Judged {
        let plain = self.plain(Verdict::Unclear, hit, notes);
        // Where only the meaning of a value is open, the student works on with it all the same.
        let own = plain.own.filter(|_| why == ReviewWhy::ReadingNotLabeled);
        Judged { review: Some(why), own, ..plain }
    }

    fn plain(&self, verdict: Verdict, hit: Option<&Hit>, notes: Vec<Note>) -> Judged {
        let words = !matches!(self.claim.said, Said::Number { .. });
        let taken = match hit {
            Some(hit) => Taken { value: hit.value, high: hit.high, unit: hit.reading.unit.is_some().then(|| hit.unit.clone()), words },
            None => Taken { value: self.claim.value, high: self.claim.high, unit: None, words },
        };
        let own = hit.filter(|hit| verdict != Verdict::Correct && hit.high.is_none());
        let own = own.map(|hit| Own { coarse: verdict == Verdict::Form, ..Own::of(hit) });
        Judged {
            verdict,
            taken,
            reading: None,
            partial: false,
            mistake: None,
            carried_from: Vec::new(),
            right_method: false,
            notes,
            review: None,
            own,
        }
    }
}

#[cfg(test)]
mod tests;
