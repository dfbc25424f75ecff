//! Grades an answer: aligns its mentions with the asks, judges them, carries errors forward, names slips, weighs the
//! arguments, and adds the points up. Decides, never speaks; it cannot fail, whatever the answer holds.

mod align;
pub mod argue;
mod carry;
mod claim;
mod clues;
mod computes;
mod consistent;
mod contrast;
mod criteria;
mod declared;
mod evidence;
mod finding;
mod fit;
mod judge;
mod lists;
mod meant;
mod running;
mod scene;
mod score;
mod separate;
mod shown;
mod size;
mod slip;
mod stage;
mod stance;
mod standing;
mod strange;
mod suppose;
mod tables;
mod telling;
mod topic;
mod verdicts;
mod work;

pub use finding::{
    Basis, Clue, Consequence, CriterionFinding, DecidedBy, Found, General, Grade, Mistake, Note, Outcome, PartPassage, Points,
    QuantityFinding, Read, ReviewItem, ReviewKind, ReviewWhy, Ruled, SeparateFinding, Term, Use, UseFinding, Verdict, WHOLE,
};
pub use fit::best;
pub use score::{settle, share};
pub use size::{MOST_QUANTITIES, MOST_TEXT};

use std::collections::BTreeSet;
use std::sync::OnceLock;

use smol_str::SmolStr;

use crate::answer::{Answer, Outline};
use crate::drill::{Ask, CriterionKind, Drill, Name, NameId, Origin};
use crate::formula::{ExprKind, KnownNames, Operator};
use crate::grade::align::{Alignment, Role};
use crate::grade::carry::Routes;
use crate::grade::clues::{Clues, Tag};
use crate::grade::computes::Works;
use crate::grade::criteria::{Forums, Pieces};
use crate::grade::evidence::{By, Named, Shape};
use crate::grade::judge::Judged;
use crate::grade::scene::{Line, Number, Scene, Spot, Standing};
use crate::grade::suppose::Supposed;
use crate::grade::tables::Analogs;
use crate::grade::verdicts::{Heard, Memory, Picks};
use crate::grade::work::Anatomy;
use crate::quantity;
use crate::recognize::Mention;

/// Grades one answer. For many answers to one drill, a [`Grader`] compiles the drill once.
pub fn grade(drill: &Drill, answer: &Answer) -> Grade {
    Grader::new(drill).grade(answer)
}

/// A drill, ready to grade with: its words and symbols compiled once for any number of answers.
#[derive(Debug)]
pub struct Grader<'a> {
    drill: &'a Drill,
    clues: Clues,
    shapes: Vec<Shape>,
    outline: Outline,
    symbols: KnownNames,
    anatomy: Anatomy,
    /// By ask: where it is asked.
    home: Vec<Spot>,
    forums: Forums,
    /// What work may compute, evaluated when an answer shows some that its words do not name.
    works: OnceLock<Works>,
    /// The words that the drill itself uses.
    known_words: OnceLock<BTreeSet<String>>,
    /// Which ask wants for one setting what another wants for another, worked out when a table has settings.
    analogs: OnceLock<Analogs>,
    /// By part: the asks in it, in their order.
    asks_of_part: Vec<Vec<usize>>,
    /// By ask: the item that asks for nothing else.
    own_item: Vec<Option<usize>>,
    /// What is given, about, and its place in the drill's names.
    givens: Vec<(f64, usize)>,
    /// The spellings of the drill's names that may be units.
    ambiguous: Vec<&'a str>,
    /// The asks in an order in which each stands after those it depends on.
    order: Vec<usize>,
    /// How a student's own values are carried from ask to ask.
    routes: Routes<'a>,
    /// Whether grades say what each choice that is left to a person rests on, and what would follow from it.
    weighs_choices: bool,
    /// Whether grades say what every number was taken for.
    explains: bool,
}

impl<'a> Grader<'a> {
    /// Compiles a drill.
    pub fn new(drill: &'a Drill) -> Grader<'a> {
        let shapes = Shape::all(&drill.asks);
        let home = home(drill);
        let forums = Forums::of(drill);
        let clues = Clues::new(drill, &forums.groups(&drill.rubric.concepts));
        Grader {
            drill,
            shapes,
            outline: stage::outline(drill),
            symbols: symbols(drill),
            anatomy: Anatomy::of(drill),
            asks_of_part: asks_of_part(drill, &home),
            own_item: own_item(drill, &home),
            givens: givens(drill),
            home,
            forums,
            clues,
            works: OnceLock::new(),
            known_words: OnceLock::new(),
            analogs: OnceLock::new(),
            ambiguous: shown::ambiguous(drill),
            order: order(drill),
            routes: Routes::new(drill),
            weighs_choices: true,
            explains: true,
        }
    }

    /// The same grader, whose grades do not say what a person's choices rest on and what would follow from them: only a run has a
    /// desk at which somebody chooses, and working it out takes longer than all the rest.
    pub fn without_choices(self) -> Grader<'a> {
        Grader { weighs_choices: false, ..self }
    }

    /// The same grader, whose grades say what every number was taken for only if they have to explain themselves.
    pub fn explaining(self, explains: bool) -> Grader<'a> {
        Grader { explains, ..self }
    }

    /// The drill.
    pub fn drill(&self) -> &'a Drill {
        self.drill
    }

    /// Grades one answer: divide it into parts, recognize the quantities, align them with the asks, judge each with the true
    /// inputs and then with the student's own, see whether terms stand separately, weigh the arguments, add up. What holds
    /// more than [`MOST_TEXT`] or [`MOST_QUANTITIES`] goes to a person.
    pub fn grade(&self, answer: &Answer) -> Grade {
        let Some((sections, mut recognized)) = self.read(answer) else { return self.leave_to_a_person(answer) };
        let scene = stage::lay_out(self, answer, &sections, &mut recognized);
        let alignment = align::align(&scene, self);
        let memory = Memory::of(self.drill.asks.len());
        let heard = verdicts::judge_all(self, answer, &scene, &alignment, &memory, &Picks::new());
        let mut quantities = self.findings(answer, &scene, &alignment, &memory, &heard);
        let separate = separate::find(self.drill, &heard, &quantities);
        let pieces = Pieces::new(self, &scene, &recognized);
        let decided = criteria::decide(self, &pieces, &heard, &separate, None);
        let mut criteria = decided.findings(self.drill, answer);
        // Nothing is worth nothing only when a person has looked: it may be the wrong file.
        if finding::nothing_found(&quantities, &criteria) {
            quantities.iter_mut().for_each(|finding| finding.points.pending = finding.points.possible);
        }
        score::criteria(self.drill, &quantities, &mut criteria, &|_| None);
        let supposed = Supposed { grader: self, answer, scene: &scene, alignment: &alignment, memory: &memory, pieces: &pieces };
        let found = suppose::Found { heard: &heard, quantities: &quantities, separate: &separate, decided: &decided, criteria: &criteria };
        Grade {
            consequences: if self.weighs_choices { supposed.consequences(&found) } else { Vec::new() },
            drill: self.drill.id.clone(),
            score: score::total(&quantities, &criteria),
            review: review(self.drill, &heard, &quantities, &criteria),
            uses: if self.explains { self.uses(answer, &scene, &alignment, &heard) } else { Vec::new() },
            passages: if self.weighs_choices { criteria::passages(self, &pieces, &quantities) } else { Vec::new() },
            quantities,
            separate,
            criteria,
            empty: scene.lines.iter().all(|line| line.text()[line.range.clone()].trim().is_empty()),
            ruled: None,
            parts_found: sections.iter().any(|section| !section.names.is_empty()),
        }
    }

    /// The findings on all asks, with what each value of an unclear one would be worth.
    fn findings(&self, answer: &Answer, scene: &Scene, alignment: &Alignment, memory: &Memory, heard: &[Heard]) -> Vec<QuantityFinding> {
        let finding = |(ask, heard): (usize, &Heard)| self.finding(answer, scene, alignment, ask, heard);
        let mut quantities: Vec<QuantityFinding> = heard.iter().enumerate().map(finding).collect();
        for (ask, weighed) in verdicts::weigh_candidates(self, answer, scene, alignment, memory, heard) {
            quantities[ask].weighed = weighed;
        }
        quantities
    }

    fn works(&self) -> &Works {
        self.works.get_or_init(|| Works::of(self.drill))
    }

    fn known_words(&self) -> &BTreeSet<String> {
        self.known_words.get_or_init(|| strange::vocabulary(self.drill))
    }

    fn analogs(&self) -> &Analogs {
        self.analogs.get_or_init(|| Analogs::of(self.drill))
    }

    /// The finding on one ask.
    fn finding(&self, answer: &Answer, scene: &Scene, alignment: &Alignment, at: usize, heard: &Heard) -> QuantityFinding {
        let ask = &self.drill.asks[at];
        let judged = match heard {
            Heard::Judged(judged, _) => Some(judged.as_ref()),
            Heard::Missing | Heard::Open(..) => None,
        };
        let verdict = match heard {
            Heard::Missing => Verdict::Missing,
            Heard::Judged(judged, _) => judged.verdict,
            Heard::Open(..) => Verdict::Unclear,
        };
        let read = |judged: &Judged, number: Option<usize>| verdicts::read_judged(answer, scene, &alignment.choices[at], judged, number);
        let candidates = match heard {
            Heard::Open(numbers, _) => numbers.iter().map(|number| verdicts::read_number(answer, scene, *number)).collect(),
            Heard::Judged(judged, number) if verdict == Verdict::Unclear => vec![read(judged, *number)],
            _ => Vec::new(),
        };
        let number = match heard {
            Heard::Judged(_, number) => *number,
            _ => None,
        };
        let id = |ask: &usize| SmolStr::new(&self.drill.asks[*ask].id);
        let mut notes = judged.map(|judged| judged.notes.clone()).unwrap_or_default();
        let replaced = alignment.taken.iter().position(|taken| taken.role == Role::Replaced(at));
        notes.extend(replaced.map(|number| Note::Replaced { earlier: Box::new(verdicts::read_number(answer, scene, number)) }));
        QuantityFinding {
            ask: SmolStr::new(&ask.id),
            part: SmolStr::new(&ask.part),
            required: ask.required,
            verdict,
            read: judged.map(|judged| read(judged, number)),
            reading: judged.and_then(|judged| judged.reading.clone()),
            mistake: judged.and_then(|judged| judged.mistake.clone()),
            carried_from: judged.map(|judged| judged.carried_from.iter().map(id).collect()).unwrap_or_default(),
            notes,
            candidates,
            weighed: Vec::new(),
            points: score::of_ask(self, at, verdict, judged),
            ruled: None,
        }
    }

    /// What every number of the answer was taken for, in the order of the text.
    fn uses(&self, answer: &Answer, scene: &Scene, alignment: &Alignment, heard: &[Heard]) -> Vec<UseFinding> {
        let id = |ask: usize| self.drill.asks[ask].id.clone();
        let open = |number: usize| heard.iter().position(|heard| matches!(heard, Heard::Open(numbers, _) if numbers.contains(&number)));
        let judged = |number: usize| heard.iter().position(|heard| matches!(heard, Heard::Judged(_, Some(of)) if *of == number));
        let mut uses: Vec<UseFinding> = (0..scene.numbers.len())
            .map(|number| {
                let role = alignment.taken[number].role;
                let dead = scene.numbers[number].dead;
                let used = match role {
                    _ if dead => Use::Quoted,
                    _ if judged(number).is_some() => judged(number).map_or(Use::Aside, |ask| Use::Answer(id(ask))),
                    _ if open(number).is_some() => open(number).map_or(Use::Aside, |ask| Use::Candidate(id(ask))),
                    Role::Answer(ask) => Use::Answer(id(ask)),
                    Role::Candidate(ask) => Use::Candidate(id(ask)),
                    Role::Restatement(ask) => Use::Restatement(id(ask)),
                    Role::Replaced(ask) => Use::Replaced(id(ask)),
                    Role::Given(name) => Use::Given(self.drill.names[name].name.clone()),
                    Role::Reused(ask) => Use::Reused(id(ask)),
                    Role::Withdrawn => Use::Withdrawn,
                    Role::Step => Use::Step(self.result_of(scene, alignment, number).map(id)),
                    Role::Aside => Use::Aside,
                };
                UseFinding {
                    read: verdicts::read_number(answer, scene, number),
                    used,
                    clues: self.clues_of(answer, scene, alignment, number),
                }
            })
            .collect();
        uses.sort_by_key(|found| found.read.span);
        uses
    }

    /// The ask that the chain of an operand answers.
    fn result_of(&self, scene: &Scene, alignment: &Alignment, number: usize) -> Option<usize> {
        let chain = scene.numbers[number].chain?;
        let line = &scene.lines[scene.numbers[number].line];
        line.numbers.clone().filter(|other| scene.numbers[*other].chain == Some(chain)).find_map(|other| {
            match alignment.taken[other].role {
                Role::Answer(ask) if scene.numbers[other].standing != Standing::Operand => Some(ask),
                _ => None,
            }
        })
    }

    /// Why a number was taken for what it was.
    fn clues_of(&self, answer: &Answer, scene: &Scene, alignment: &Alignment, number: usize) -> Vec<Clue> {
        let taken = &alignment.taken[number];
        let mut clues = Vec::new();
        if let Some(Named { block, range, by }) = &taken.words {
            let span = answer.blocks[*block].passage.span(range.clone());
            let basis = Basis { span, text: SmolStr::new(answer.source.slice(span)) };
            clues.push(match by {
                By::Words => Clue::Words(basis),
                By::Symbol => Clue::Symbol(basis),
                By::Header => Clue::Header(basis),
                By::Work => Clue::Work(basis),
            });
        }
        let spot = scene.numbers[number].spot;
        if let Some(part) = spot.part.map(|part| &self.drill.parts[part]) {
            clues.push(Clue::Part(spot.item.map_or(&part.id, |item| &part.items[item].id).clone()));
        }
        if matches!(taken.role, Role::Given(_) | Role::Reused(_) | Role::Restatement(_)) {
            clues.push(Clue::Value);
        }
        clues
    }

    /// A part and item by their ids.
    fn spot(&self, part: &str, item: Option<&str>) -> Option<Spot> {
        let at = self.drill.parts.iter().position(|candidate| candidate.id == part)?;
        let item = item.and_then(|item| self.drill.parts[at].items.iter().position(|candidate| candidate.id == item));
        Some(Spot { part: Some(at), item })
    }

    /// The given whose value a number has.
    fn given_with_value(&self, mention: &Mention) -> Option<usize> {
        let reading = mention.readings.first()?;
        let value = reading.value.to_f64();
        // By floats first: nearly no number is a given.
        let mut alike = self.givens.iter().filter(|(given, _)| *given == value).peekable();
        alike.peek()?;
        if evidence::is_factor(reading.unit.as_ref()) || reading.high.is_some() {
            return None;
        }
        let dimension = reading.unit.as_ref().map(|unit| unit.dimension).unwrap_or_default();
        // `100 %` is not the one sequence of a batch: a share restates only what is given as a share.
        let is_share = reading.unit.as_ref().is_some_and(|unit| unit.dimension.is_none() && unit.factor != quantity::Number::ONE);
        let given_as_share = |name: &Name| matches!(&name.formula.expr().kind, ExprKind::Number { unit: Some(_), .. });
        let is_it = |name: &Name| {
            let same = name.formula.dimension() == dimension && name.formula.value() == reading.value;
            same && (!is_share || given_as_share(name))
        };
        alike.map(|(_, given)| *given).find(|given| is_it(&self.drill.names[*given]))
    }

    /// Whether what some parts ask for comes to the very value of a given, so that the value does not say which of the two it is.
    fn is_asked_as_well(&self, given: usize, parts: &[usize]) -> bool {
        let formula = &self.drill.names[given].formula;
        self.drill.asks.iter().any(|ask| {
            let here = parts.is_empty() || parts.iter().any(|part| self.drill.parts[*part].id == ask.part);
            here && ask.required && ask.formula.dimension() == formula.dimension() && ask.formula.value() == formula.value()
        })
    }

    /// Whether nothing but a label and small words (`about`, `it is`) stand before a number in its line, or numbers of which
    /// that is true: `(a) 80 and 64`.
    fn leads(&self, scene: &Scene, at: usize) -> bool {
        let line = &scene.lines[scene.numbers[at].line];
        let mut first = at;
        for _ in 0..MOST_LEADING {
            let before = first.checked_sub(1).filter(|before| line.numbers.contains(before));
            let gap = before.and_then(|before| line.text().get(scene.numbers[before].mention.range.end..scene.numbers[first].anchor));
            match (before, gap.map(str::trim)) {
                (Some(before), Some("," | ";" | "/" | "and" | ", and" | "&" | "und" | "resp.")) => first = before,
                _ => break,
            }
        }
        let number = &scene.numbers[first];
        let label = line.hits.iter().rev().find(|hit| matches!(hit.tag, Tag::Item(..)) && hit.range.end <= number.anchor);
        let start = label.map_or(line.range.start, |label| label.range.end);
        line.words.within(&(start..number.anchor)).iter().all(|word| meant::SMALL.contains(&line.words.plain(word)))
    }

    /// The asks that are the quotient of two named ones: `bandwidth / latency`.
    fn asks_of_quotient(&self, spelling: &str) -> Vec<usize> {
        let Some((over, under)) = spelling.split_once('/') else { return Vec::new() };
        let (over, under) = (self.clues.asks_of(over), self.clues.asks_of(under));
        if over.is_empty() || under.is_empty() {
            return Vec::new();
        }
        let is_it = |ask: &usize| {
            let Some((x, y)) = self.anatomy.quotient(*ask) else { return false };
            over.contains(&x) && under.contains(&y) || over.contains(&y) && under.contains(&x)
        };
        (0..self.drill.asks.len()).filter(is_it).collect()
    }

    /// The asks that divide a value that another one states by a given, where that is all that a name says: `/ 400`, `÷ C`.
    fn asks_divided_by(&self, name: &str) -> Vec<usize> {
        let Some(under) = name.strip_prefix(['/', '÷', '∕']).map(str::trim) else { return Vec::new() };
        let names = &self.drill.names;
        let is_meant = |given: &Name| match &given.formula.expr().kind {
            ExprKind::Number { written, unit, .. } => {
                let digits = under.trim_end_matches(|c: char| c.is_alphabetic()).trim_end();
                let rest = under[digits.len()..].trim();
                written == digits && (rest.is_empty() || unit.as_deref() == Some(rest))
            }
            _ => false,
        };
        let meant = |name: &str| {
            let given = self.drill.name(name).filter(|given| names[given.0].origin != Origin::Let);
            given.is_some_and(|given| self.clues.given_of(under) == Some(given.0) || is_meant(&names[given.0]))
        };
        let divides = |ask: &usize| {
            let asked = &self.drill.asks[*ask];
            let formula = asked.states.map_or(&asked.formula, |name| &names[name.0].formula);
            let by_given = match &formula.expr().kind {
                ExprKind::Binary(Operator::Divide, _, by) => matches!(&by.kind, ExprKind::Name(name) if meant(name)),
                _ => false,
            };
            by_given && self.anatomy.divides(*ask).is_some()
        };
        (0..self.drill.asks.len()).filter(divides).collect()
    }

    /// The asks that set something in relation to what a symbol stands for.
    fn asks_over(&self, symbol: &str) -> Vec<usize> {
        let asks = &self.drill.asks;
        let stated: Vec<NameId> = self.clues.asks_of(symbol).iter().filter_map(|ask| asks[*ask].states).collect();
        let is_over = |ask: &usize| match &asks[*ask].formula.expr().kind {
            ExprKind::Binary(Operator::Divide, _, under) => match &under.kind {
                ExprKind::Name(name) => self.drill.name(name).is_some_and(|name| stated.contains(&name)),
                _ => false,
            },
            _ => false,
        };
        (0..asks.len()).filter(is_over).collect()
    }

    /// Whether other asks of an ask's part are worked out with a name alone, without another one that counts the same.
    fn is_about(&self, ask: usize, name: NameId) -> bool {
        let names = &self.drill.names;
        let alone = |other: &Ask| {
            other.needs.contains(name) && !other.needs.iter().any(|rival| rival != name && names[rival.0].noun == names[name.0].noun)
        };
        let beside = self.home[ask].part.map_or(&[][..], |part| self.asks_of_part[part].as_slice());
        beside.iter().any(|other| alone(&self.drill.asks[*other]))
    }

    /// Whether an ask may be answered at a place of a line.
    fn in_place(&self, line: &Line, spot: Spot, ask: usize) -> bool {
        self.in_part(line, ask) && !self.in_another_item(spot, ask)
    }

    /// Whether a line may belong to the part of an ask.
    fn in_part(&self, line: &Line, ask: usize) -> bool {
        line.parts.is_empty() || line.parts.iter().any(|part| self.home[ask].part == Some(*part))
    }

    /// The item that a place belongs to.
    fn item_of(&self, spot: Spot) -> Option<&str> {
        let (part, item) = spot.part.zip(spot.item)?;
        Some(&self.drill.parts[part].items[item].id)
    }

    /// Whether a place belongs to another item than an ask.
    fn in_another_item(&self, spot: Spot, ask: usize) -> bool {
        let here = spot.item.zip(self.home[ask].item).is_some();
        here && spot != self.home[ask]
    }

    /// Whether a line holds nothing but numbers: `202.74, 162.5, 1.24, 201.5`.
    fn is_bare_list(&self, scene: &Scene, number: &Number) -> bool {
        let line = &scene.lines[number.line];
        let numbers = &scene.numbers[line.numbers.clone()];
        let in_number = |word: &crate::phrase::Word| {
            numbers.iter().any(|number| number.mention.range.start < word.range.end && word.range.start < number.mention.range.end)
        };
        // A list of values answers a few asks; a page of numbers is none, and is not gone through for each of them.
        if !(2..=LONGEST_LIST).contains(&numbers.len()) {
            return false;
        }
        let listed = numbers.iter().all(|number| number.standing == Standing::Free && number.mention.noun.is_none());
        let bare = numbers.iter().any(|number| number.mention.unit.is_none());
        let numbered = line.hits.iter().any(|hit| matches!(hit.tag, Tag::Item(..)));
        listed && bare && !numbered && line.words.within(&line.range).iter().filter(|word| word.is_word()).all(in_number)
    }

    /// Whether the words right before a place deny what follows.
    fn is_denied(&self, line: &Line, at: usize) -> bool {
        line.words.within(&(0..at)).iter().rev().take(2).any(|word| {
            matches!(line.words.plain(word), "not" | "no" | "never" | "isnt" | "arent" | "wont" | "doesnt" | "cannot" | "cant" | "neither")
        })
    }
}

/// So many numbers behind a label are its values at most.
const MOST_LEADING: usize = 6;
/// A line with more numbers is no list of answers.
const LONGEST_LIST: usize = 64;

/// What may stand as a variable in an answer.
fn symbols(drill: &Drill) -> KnownNames {
    let names = drill.names.iter().flat_map(|name| std::iter::once(&name.name).chain(&name.symbols));
    let asks = drill.asks.iter().flat_map(|ask| &ask.symbols);
    names.chain(asks).cloned().collect()
}

/// Where each ask is asked.
fn home(drill: &Drill) -> Vec<Spot> {
    let spot = |ask: &Ask| {
        let part = drill.parts.iter().position(|part| part.id == ask.part);
        let item = part.zip(ask.item.as_ref()).and_then(|(part, id)| drill.parts[part].items.iter().position(|item| item.id == *id));
        Spot { part, item }
    };
    drill.asks.iter().map(spot).collect()
}

/// By part: the asks in it.
fn asks_of_part(drill: &Drill, home: &[Spot]) -> Vec<Vec<usize>> {
    let asks = |part: usize| (0..home.len()).filter(|ask| home[*ask].part == Some(part)).collect();
    (0..drill.parts.len()).map(asks).collect()
}

/// By ask: the item of its part that asks for nothing else.
fn own_item(drill: &Drill, home: &[Spot]) -> Vec<Option<usize>> {
    let item = |(ask, spot): (usize, &Spot)| drill.parts[spot.part?].items.iter().position(|item| item.asks == [ask]);
    home.iter().enumerate().map(item).collect()
}

/// What is given, about, and its place in the drill's names.
fn givens(drill: &Drill) -> Vec<(f64, usize)> {
    let given = |(at, name): (usize, &Name)| (name.origin != Origin::Let).then(|| (name.formula.float(), at));
    drill.names.iter().enumerate().filter_map(given).collect()
}

/// The asks, each after those it depends on; a drill has no circles.
fn order(drill: &Drill) -> Vec<usize> {
    fn visit(drill: &Drill, ask: usize, seen: &mut [bool], order: &mut Vec<usize>) {
        if std::mem::replace(&mut seen[ask], true) {
            return;
        }
        for before in &drill.asks[ask].depends_on {
            visit(drill, *before, seen, order);
        }
        order.push(ask);
    }
    let mut order = Vec::with_capacity(drill.asks.len());
    let mut seen = vec![false; drill.asks.len()];
    for ask in 0..drill.asks.len() {
        visit(drill, ask, &mut seen, &mut order);
    }
    order
}

/// What a person has to decide.
fn review(drill: &Drill, heard: &[Heard], quantities: &[QuantityFinding], criteria: &[CriterionFinding]) -> Vec<ReviewItem> {
    let asks = heard.iter().zip(quantities).filter(|(_, finding)| finding.verdict == Verdict::Unclear).map(|(heard, finding)| {
        let why = match heard {
            Heard::Open(_, why) => *why,
            Heard::Judged(judged, _) => judged.review.unwrap_or(ReviewWhy::Unreadable),
            Heard::Missing => ReviewWhy::Unlabeled,
        };
        ReviewItem { kind: ReviewKind::Quantity, id: finding.ask.clone(), why, candidates: finding.candidates.clone() }
    });
    let by_hand = |finding: &CriterionFinding| {
        let criterion = drill.rubric.criteria.iter().find(|criterion| criterion.id == finding.id);
        criterion.is_some_and(|criterion| matches!(criterion.kind, CriterionKind::Hand))
    };
    let open = criteria.iter().filter(|finding| finding.outcome == Outcome::Review && !finding.withheld);
    let arguments = open.map(|finding| ReviewItem {
        kind: ReviewKind::Criterion,
        id: finding.id.clone(),
        why: if by_hand(finding) { ReviewWhy::ByHand } else { finding.doubt.unwrap_or(ReviewWhy::NoRuleDecides) },
        candidates: Vec::new(),
    });
    let nothing = finding::nothing_found(quantities, criteria).then(|| ReviewItem {
        kind: ReviewKind::Answer,
        id: SmolStr::new_static(WHOLE),
        why: ReviewWhy::NothingFound,
        candidates: Vec::new(),
    });
    nothing.into_iter().chain(asks).chain(arguments).collect()
}
