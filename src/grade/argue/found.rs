//! Where a text mentions the concepts that criteria look for, by their phrases and by their figures.

use std::ops::Range;

use crate::drill::{Concepts, Figure};
use crate::grade::argue::Verdicts;
use crate::grade::argue::prose::Prose;
use crate::grade::argue::sought::{Lookup, Sought};
use crate::quantity::Dimension;

/// A concept, found.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    pub(super) tokens: Range<usize>,
    pub(super) denied: bool,
    /// The value, where it is a figure, and its dimension.
    pub(super) value: Option<(f64, Dimension)>,
}

/// The concepts that were sought and found.
#[derive(Debug)]
pub(super) struct Mentioned {
    /// Concept by concept, of each in the order of the text.
    found: Vec<Found>,
    /// Where those of each concept begin; they end where the next one's begin.
    first: Vec<u32>,
    /// The phrases of any concept that have a negation of their own.
    pub(super) denying: Vec<Range<usize>>,
}

impl Mentioned {
    /// Finds them in a text.
    pub(super) fn find(prose: &Prose, concepts: &Concepts, sought: &Sought, lookup: &Lookup, verdicts: &dyn Verdicts) -> Mentioned {
        let mut denying = Vec::new();
        let mut found: Vec<(usize, Found)> = Vec::with_capacity(prose.tokens.len() / 2);
        for (piece, first) in &prose.pieces {
            for hit in lookup.phrases.find_among(&piece.words, lookup.sought).iter() {
                let Some(phrase) = hit.phrase.checked_sub(lookup.first) else { continue };
                let (concept, negations) = concepts.owner(phrase);
                let tokens = (hit.words.start + first)..(hit.words.end + first);
                if !negations.is_empty() && tokens.len() > 1 {
                    denying.push(tokens.clone());
                }
                if sought.is_sought[concept] {
                    let denied = prose.tokens[tokens.start].meant.denied != prose.denied_inside(&tokens, negations);
                    found.push((concept, Found { tokens, denied, value: None }));
                }
            }
        }
        let phrases = found.len();
        if !sought.figured.is_empty() {
            find_figures(prose, concepts, &sought.figured, verdicts, &mut found);
        }
        let has_figures = found.len() > phrases;
        let mut mentioned = Mentioned::by_concept(found, sought.is_sought.len(), denying);
        for concept in sought.figured.iter().filter(|_| has_figures) {
            let here = mentioned.range(*concept);
            mentioned.found[here].sort_by_key(|found| found.tokens.start);
        }
        mentioned
    }

    /// Sorts what was found by its concept and leaves the order otherwise: counts, then puts each in its place.
    fn by_concept(found: Vec<(usize, Found)>, concepts: usize, denying: Vec<Range<usize>>) -> Mentioned {
        let mut first = vec![0_u32; concepts + 1];
        for (concept, _) in &found {
            first[*concept] += 1;
        }
        let mut end = 0;
        for first in &mut first {
            end += *first;
            *first = end;
        }
        let mut sorted = vec![Found::default(); found.len()];
        // From the last to the first, so that each end becomes a beginning.
        for (concept, found) in found.into_iter().rev() {
            first[concept] -= 1;
            sorted[first[concept] as usize] = found;
        }
        Mentioned { found: sorted, first, denying }
    }

    #[inline]
    fn range(&self, concept: usize) -> Range<usize> {
        self.first[concept] as usize..self.first[concept + 1] as usize
    }

    /// The mentions of a concept, in the order of the text.
    #[inline]
    pub(super) fn of(&self, concept: usize) -> &[Found] {
        &self.found[self.range(concept)]
    }

    /// Whether a concept is mentioned.
    #[inline]
    pub(super) fn has(&self, concept: usize) -> bool {
        self.first[concept] < self.first[concept + 1]
    }

    /// Whether the text mentions no concept at all, be it sought or not.
    pub(super) fn are_none(&self, prose: &Prose, concepts: &Concepts, lookup: &Lookup, verdicts: &dyn Verdicts) -> bool {
        let any = || {
            let figured: Vec<usize> = (0..concepts.list().len()).collect();
            let mut found = Vec::new();
            find_figures(prose, concepts, &figured, verdicts, &mut found);
            !found.is_empty()
        };
        self.found.is_empty() && !prose.pieces.iter().any(|(piece, _)| lookup.is_any_in(&piece.words)) && !any()
    }
}

/// The quantities of a text in its order.
#[derive(Default)]
struct Stated {
    /// The words of each, and its values among all.
    quantities: Vec<(Range<usize>, Range<usize>)>,
    /// In SI base units, with the dimension; the number as it is written where there is no unit.
    values: Vec<(f64, Option<Dimension>)>,
}

impl Stated {
    fn of(prose: &Prose) -> Stated {
        let mut stated = Stated::default();
        for (at, (piece, _)) in prose.pieces.iter().enumerate() {
            for mention in piece.said.mentions.iter().filter(|mention| !mention.withdrawn) {
                if let Some(tokens) = prose.tokens_of(at, &mention.range) {
                    let first = stated.values.len();
                    let readings = mention.readings.iter();
                    let values = readings.map(|reading| (reading.value.to_f64(), reading.unit.as_ref().map(|unit| unit.dimension)));
                    stated.values.extend(values);
                    stated.quantities.push((tokens, first..stated.values.len()));
                }
            }
        }
        stated
    }
}

/// Adds the quantities that are figures of some concepts.
fn find_figures(prose: &Prose, concepts: &Concepts, of: &[usize], verdicts: &dyn Verdicts, found: &mut Vec<(usize, Found)>) {
    let stated = Stated::of(prose);
    if stated.quantities.is_empty() {
        return;
    }
    for (concept, figure) in of.iter().flat_map(|concept| concepts.list()[*concept].figures.iter().map(move |figure| (*concept, figure))) {
        let wanted = Wanted::of(figure, verdicts);
        for (tokens, values) in &stated.quantities {
            if let Some(value) = wanted.value_of(&stated.values[values.clone()]) {
                let denied = prose.tokens[tokens.start].meant.denied;
                found.push((concept, Found { tokens: tokens.clone(), denied, value: Some((value, figure.dimension)) }));
            }
        }
    }
}

/// A figure as quantities are compared with it.
struct Wanted {
    /// Its own value, and what the student has for it.
    values: [Option<f64>; 2],
    tolerance: f64,
    dimension: Dimension,
    /// The size of the unit in which a bare number is understood.
    bare: f64,
}

impl Wanted {
    fn of(figure: &Figure, verdicts: &dyn Verdicts) -> Wanted {
        Wanted {
            values: [Some(figure.value.to_f64()), figure.ask.and_then(|ask| verdicts.own(ask))],
            tolerance: figure.tolerance,
            dimension: figure.dimension,
            bare: figure.bare.to_f64(),
        }
    }

    /// The value of a quantity that is the figure.
    fn value_of(&self, stated: &[(f64, Option<Dimension>)]) -> Option<f64> {
        let near = |value: &f64| self.values.iter().flatten().any(|wanted| (value - wanted).abs() <= self.tolerance * wanted.abs());
        let of_kind = |(value, dimension): &(f64, Option<Dimension>)| match dimension {
            Some(dimension) => (*dimension == self.dimension).then_some(*value),
            None => Some(value * self.bare),
        };
        stated.iter().filter_map(of_kind).find(near)
    }
}
