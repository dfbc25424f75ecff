//! The criteria of a rubric: arguments by its rules, terms by whether they are shown; and what each is worth.

use std::cell::{Cell, OnceCell};
use std::mem;
use std::sync::Arc;

use smallvec::SmallVec;
use smol_str::SmolStr;

use crate::answer::{Answer, Role};
use crate::drill::{Ask, Concepts, Criterion, CriterionKind, Drill, Separate};
use crate::grade::Grader;
use crate::grade::argue::{Decision, Piece, Prose, Said, Sought, Verdicts, Weigher};
use crate::grade::clues::Tag;
use crate::grade::finding::{Basis, CriterionFinding, DecidedBy, Outcome, PartPassage, Points, QuantityFinding, SeparateFinding, Verdict};
use crate::grade::scene::{Line, Scene};
use crate::grade::separate;
use crate::grade::verdicts::{self, Heard};
use crate::phrase::Groups;
use crate::recognize::Recognized;

/// The phrases of any concept; then come those of the forums.
const ANY: Groups = Groups::of(1);
const FIRST_FORUM: usize = 2;

/// How many words are more than a value with its name.
const SENTENCE: usize = 6;

/// The lines of an answer as the text that is weighed, each read when it is asked for: several criteria are about one part, and
/// what stands outside of all parts may belong to any.
pub(super) struct Pieces<'s, 'a> {
    scene: &'s Scene<'a>,
    recognized: &'a [Recognized],
    read: Vec<OnceCell<Piece<'a>>>,
    /// Whether each line is the title of a part, in the words of the question: those argue nothing.
    titles: Vec<bool>,
}

impl<'s, 'a> Pieces<'s, 'a> {
    pub(super) fn new(grader: &Grader, scene: &'s Scene<'a>, recognized: &'a [Recognized]) -> Pieces<'s, 'a> {
        let titles = scene.lines.iter().map(|line| is_title(grader, line)).collect();
        Pieces { scene, recognized, read: scene.lines.iter().map(|_| OnceCell::new()).collect(), titles }
    }

    fn of(&self, at: usize) -> Piece<'a> {
        self.read[at].get_or_init(|| piece(&self.scene.lines[at], self.recognized)).clone()
    }
}

/// A part or item whose words are weighed, with what its criteria look for: known once for any number of answers.
#[derive(Debug)]
pub(super) struct Forum {
    /// The id of the part or item.
    part: String,
    place: Place,
    sought: Sought,
    /// That of the phrases that are sought, in the drill's matcher.
    group: Groups,
}

/// A part, or an item of one, as a place in the drill.
#[derive(Clone, Copy, Debug)]
struct Place {
    part: usize,
    item: Option<usize>,
}

impl Place {
    /// The part or item of that id; a checked drill has one.
    fn of(drill: &Drill, id: &str) -> Option<Place> {
        drill.parts.iter().enumerate().find_map(|(part, whole)| {
            let item = whole.items.iter().position(|item| item.id == id);
            (whole.id == id || item.is_some()).then_some(Place { part, item })
        })
    }
}

/// The parts and items of which criteria weigh the words, and by criterion which of them it is about.
#[derive(Debug)]
pub(super) struct Forums {
    all: Vec<Forum>,
    /// With its place among the criteria of the forum that have rules.
    of: Vec<(usize, usize)>,
    /// The titles of all parts and items, the short ones first.
    titles: Vec<String>,
}

impl Forums {
    /// Those of a drill.
    pub(super) fn of<'d>(drill: &'d Drill) -> Forums {
        let criteria = &drill.rubric.criteria;
        let mut parts: Vec<&str> = criteria.iter().map(|criterion| criterion.part.as_str()).collect();
        parts.sort_unstable();
        parts.dedup();
        let rules = |criterion: &'d Criterion| match &criterion.kind {
            CriterionKind::Argument(rules) | CriterionKind::Form(rules) => Some(rules),
            CriterionKind::Separate(_) | CriterionKind::Hand => None,
        };
        let forum = |(at, part): (usize, &&str)| {
            let here = criteria.iter().filter(|criterion| criterion.part == *part).filter_map(rules);
            let place = Place::of(drill, part).expect("a criterion of a checked rubric is about a part of its drill");
            let (sought, group) = (Sought::by(here, &drill.rubric.concepts), Groups::of(FIRST_FORUM + at));
            Forum { part: (*part).to_owned(), place, sought, group }
        };
        let all = parts.iter().enumerate().map(forum).collect();
        let of = criteria.iter().enumerate().map(|(at, criterion)| {
            let before = criteria[..at].iter().filter(|before| before.part == criterion.part && rules(before).is_some());
            (parts.partition_point(|part| *part < criterion.part.as_str()), before.count())
        });
        let of = of.collect();
        let mut titles: Vec<String> = drill.all_parts().map(|part| part.title.clone()).collect();
        titles.sort_by_key(String::len);
        Forums { all, of, titles }
    }

    /// By phrase of a concept: the groups in which it is sought.
    pub(super) fn groups(&self, concepts: &Concepts) -> Vec<Groups> {
        let of = |phrase: usize| {
            let (concept, negations) = concepts.owner(phrase);
            let sought = self.all.iter().filter(|forum| forum.sought.has(concept, negations));
            sought.fold(ANY, |groups, forum| groups.and(forum.group))
        };
        (0..concepts.phrases().count()).map(of).collect()
    }

    /// What the criteria look for that may be about a line in some parts; what stands in none may belong to any.
    pub(super) fn groups_in(&self, parts: &[usize]) -> Groups {
        let about = self.all.iter().filter(|forum| parts.is_empty() || parts.contains(&forum.place.part));
        about.fold(Groups::NONE, |groups, forum| groups.and(forum.group))
    }
}

/// How all criteria were decided, and on which verdicts that rests.
pub(super) struct Decided<'h> {
    heard: &'h [Heard],
    /// By criterion.
    decisions: Vec<Decision>,
    /// By part: the verdicts that its words were weighed with.
    weighed_with: Vec<TurnedOut<'h>>,
}

impl Decided<'_> {
    #[cfg(test)]
    pub(super) fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// The findings, without their points.
    pub(super) fn findings(&self, drill: &Drill, answer: &Answer) -> Vec<CriterionFinding> {
        drill.rubric.criteria.iter().zip(&self.decisions).map(|(criterion, decision)| finding(criterion, decision, answer)).collect()
    }

    /// Whether the words of a part would be decided in the same way with other verdicts: where nothing that was asked of them
    /// is another thing.
    fn holds_with(&self, heard: &[Heard], grader: &Grader, forum: usize) -> bool {
        let (was, is) = (TurnedOut::new(self.heard, grader.drill), TurnedOut::new(heard, grader.drill));
        let same = |ask: usize| was.is_right(ask) == is.is_right(ask) && was.own(ask) == is.own(ask);
        let part = &grader.forums.all[forum].part;
        self.weighed_with[forum].asked().all(same) && is_answered(grader, part, self.heard) == is_answered(grader, part, heard)
    }
}

/// Decides all criteria; `known` is how they are decided with other verdicts on the same answer.
pub(super) fn decide<'a: 'h, 'h>(
    grader: &'a Grader,
    pieces: &Pieces<'_, 'a>,
    heard: &'h [Heard],
    terms: &[SeparateFinding],
    known: Option<&Decided>,
) -> Decided<'h> {
    let scene = pieces.scene;
    let criteria = &grader.drill.rubric.criteria;
    let forums = &grader.forums;
    let turned_out: Vec<TurnedOut> = forums.all.iter().map(|_| TurnedOut::new(heard, grader.drill)).collect();
    let concepts = &grader.drill.rubric.concepts;
    let by_terms = |sum: &Separate| {
        let of = &grader.drill.asks[sum.of].id;
        let found = terms.iter().find(|found| found.of == *of);
        let evidence = found.into_iter().flat_map(|found| &found.terms).filter_map(|term| term.read.as_ref()).map(|read| read.span);
        let evidence = evidence.collect();
        let found = found.filter(|_| !separate::is_open(sum, heard));
        Decision { outcome: found.map_or(Outcome::Review, |found| separate::outcome(found.found)), evidence, doubt: None }
    };
    let open = || Decision { outcome: Outcome::Review, evidence: Vec::new(), doubt: None };
    let mut decisions: Vec<Decision> = criteria
        .iter()
        .map(|criterion| match &criterion.kind {
            CriterionKind::Separate(sum) => by_terms(sum),
            CriterionKind::Argument(_) | CriterionKind::Form(_) | CriterionKind::Hand => open(),
        })
        .collect();
    // Forum by forum, so that one text is read into the room of the one before.
    let mut room = Prose::default();
    for (forum, (Forum { part, place, sought, group }, turned_out)) in forums.all.iter().zip(&turned_out).enumerate() {
        let known = known.filter(|known| known.holds_with(heard, grader, forum));
        let placed = has_place(scene, *place);
        let mut read: Option<Weigher> = None;
        let argued =
            |at: &usize| forums.of[*at].0 == forum && matches!(criteria[*at].kind, CriterionKind::Argument(_) | CriterionKind::Form(_));
        for at in (0..criteria.len()).filter(argued) {
            if let Some(known) = known {
                decisions[at] = known.decisions[at].clone();
                continue;
            }
            let text = read.get_or_insert_with(|| {
                let lines = lines_about(pieces, *place).map(|(at, _)| pieces.of(at));
                let lookup = grader.clues.concepts(*group, ANY);
                let text = Weigher::new(concepts, sought, lookup, lines, turned_out, mem::take(&mut room));
                if placed { text } else { text.unplaced() }
            });
            let decision = text.decide(forums.of[at].1);
            // Whoever gave a value of a part that has no place of its own may have given the reason there as well.
            let elsewhere = || !placed && is_answered(grader, part, heard) || is_in_other_item(pieces, *place);
            let nothing = text.is_empty() && decision.outcome == Outcome::NotMet && elsewhere();
            decisions[at] = if nothing { open() } else { decision };
        }
        room = read.map_or(room, Weigher::into_room);
    }
    Decided { heard, decisions, weighed_with: turned_out }
}

/// Whether some lines are labelled as the answer to a part, or to that of an item.
fn has_place(scene: &Scene, place: Place) -> bool {
    scene.labeled.contains(&place.part)
}

/// Whether a part has an item of which nothing is said while another one has more than values: what belongs to the one may
/// stand in the other's paragraph.
fn is_in_other_item(pieces: &Pieces, place: Place) -> bool {
    if place.item.is_none() {
        return false;
    }
    let prose = |line: &Line| !line.source.printed && !matches!(line.source.role, Role::Code(_) | Role::Output);
    let talks = |line: &Line| prose(line) && line.words.list().iter().filter(|word| word.is_word()).count() >= SENTENCE;
    let has_own = lines_about(pieces, place).any(|(_, line)| talks(line));
    !has_own && pieces.scene.lines.iter().any(|line| line.parts.contains(&place.part) && talks(line))
}

/// Whether a value was found for anything that a part or an item asks.
fn is_answered(grader: &Grader, part: &str, heard: &[Heard]) -> bool {
    let here = |ask: &Ask| ask.item.as_deref().unwrap_or(&ask.part) == part;
    grader.drill.asks.iter().zip(heard).any(|(ask, heard)| here(ask) && !matches!(heard, Heard::Missing))
}

/// What stands under the parts and items whose words are weighed.
pub(super) fn passages(grader: &Grader, pieces: &Pieces, quantities: &[QuantityFinding]) -> Vec<PartPassage> {
    let is_weighed = |id: &str| grader.forums.all.iter().any(|forum| forum.part == id);
    let is_open = |id: &str| quantities.iter().any(|finding| finding.part == id && finding.verdict == Verdict::Unclear);
    let parts = grader.drill.all_parts().filter(|part| is_weighed(&part.id) || is_open(&part.id));
    let passage = |id: &str| {
        let lines = Place::of(grader.drill, id).into_iter().flat_map(|place| lines_about(pieces, place));
        PartPassage { part: id.to_owned(), pieces: lines.map(|(_, line)| (line.block, line.range.clone())).collect() }
    };
    parts.map(|part| passage(&part.id)).collect()
}

pub(super) fn finding(criterion: &Criterion, decision: &Decision, answer: &Answer) -> CriterionFinding {
    let Decision { outcome, ref evidence, doubt } = *decision;
    CriterionFinding {
        id: SmolStr::new(&criterion.id),
        part: SmolStr::new(&criterion.part),
        outcome,
        decided_by: if outcome == Outcome::Review { DecidedBy::Person } else { DecidedBy::Rule },
        evidence: evidence.iter().map(|span| Basis { span: *span, text: SmolStr::new(answer.source.slice(*span)) }).collect(),
        points: Points::default(),
        withheld: false,
        doubt,
        ruled: None,
    }
}

/// The lines in which the answer to a part or item may stand, with their places in the scene.
fn lines_about<'s, 'a>(pieces: &'s Pieces<'s, 'a>, place: Place) -> impl Iterator<Item = (usize, &'s Line<'a>)> {
    // What stands outside of all parts may be the answer only where the part has no place of its own.
    let has_place = has_place(pieces.scene, place);
    let is_meant = move |line: &Line| is_about(line, place) && !(has_place && line.parts.is_empty());
    pieces.scene.lines.iter().enumerate().filter(move |(at, line)| !pieces.titles[*at] && is_meant(line))
}

/// Whether a line stands in the part or item that a criterion is about, or may stand there.
fn is_about(line: &Line, place: Place) -> bool {
    if line.summary || line.parts.is_empty() {
        return !line.summary;
    }
    // A paragraph that leads in with one item may go on to the next.
    let goes_on = || !line.firm && line.kinds.has_topics() && line.hits.iter().any(|hit| hit.tag == Tag::Topic(place.part, place.item));
    let of_item = || line.spot.item.is_none() || line.spot.item == place.item || goes_on();
    line.parts.contains(&place.part) && (place.item.is_none() || of_item())
}

/// Whether a line is the title of a part, in the words of the question: those argue nothing.
fn is_title(grader: &Grader, line: &Line) -> bool {
    let text = line.source.passage.text()[line.range.clone()].trim_matches(|c: char| !c.is_alphanumeric());
    let titles = &grader.forums.titles;
    let from = titles.partition_point(|title| title.len() < text.len());
    titles[from..].iter().take_while(|title| title.len() == text.len()).any(|title| title.eq_ignore_ascii_case(text))
}

/// A line as a piece of the text that is weighed.
fn piece<'a>(line: &Line<'a>, recognized: &'a [Recognized]) -> Piece<'a> {
    let said = Said {
        part: None,
        passage: &line.source.passage,
        start: line.range.start,
        end: line.range.end,
        // The cells of a table that a program printed argue no more than its other output.
        role: if line.source.printed { &Role::Output } else { &line.source.role },
        quoted: line.dead,
        struck: &line.source.struck,
        mentions: &recognized[line.block].mentions,
    };
    let whole = line.range == (0..line.text().len());
    if whole { Piece { said, words: Arc::clone(&line.words) } } else { Piece::of(said) }
}

/// How the asks turned out, for rules that ask; it keeps which ones they asked for.
struct TurnedOut<'a> {
    heard: &'a [Heard],
    drill: &'a Drill,
    asked: SmallVec<[Cell<bool>; 64]>,
}

impl<'a> TurnedOut<'a> {
    fn new(heard: &'a [Heard], drill: &'a Drill) -> TurnedOut<'a> {
        TurnedOut { heard, drill, asked: SmallVec::from_elem(Cell::new(false), heard.len()) }
    }

    /// The asks that were asked for.
    fn asked(&self) -> impl Iterator<Item = usize> {
        self.asked.iter().enumerate().filter(|(_, asked)| asked.get()).map(|(ask, _)| ask)
    }
}

impl Verdicts for TurnedOut<'_> {
    fn is_right(&self, ask: usize) -> bool {
        self.asked[ask].set(true);
        matches!(&self.heard[ask], Heard::Judged(judged, _) if verdicts::is_right(judged))
    }

    fn own(&self, ask: usize) -> Option<f64> {
        self.asked[ask].set(true);
        match &self.heard[ask] {
            Heard::Judged(judged, _) => Some(judged.taken.value.to_f64()),
            _ => None,
        }
    }

    fn reference(&self, ask: usize) -> Option<f64> {
        Some(self.drill.asks[ask].formula.value().to_f64())
    }
}
