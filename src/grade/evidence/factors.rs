//! What a factor says by what it is a factor of: a symbol, or another thing that is named behind it.

use crate::grade::clues::{Hit, Tag};
use crate::grade::evidence::{By, Named, RIGHT_BEFORE, Tally, is_factor};
use crate::grade::meant;
use crate::grade::scene::{Depth, Line, Number, Standing};

impl Tally<'_> {
    /// A multiple of a symbol is what some ask has to that symbol: `1.56 · S*`.
    pub(super) fn multiple_of(&mut self, line: &Line, number: &Number) {
        if !number.multiple {
            return;
        }
        let after = &line.text()[number.mention.range.end..line.range.end];
        let Some(symbol) = meant::multiple_of(self.grader, after.trim_start_matches([' ', ')', '"'])) else { return };
        let start = number.mention.range.end + (symbol.as_ptr() as usize - after.as_ptr() as usize);
        for ask in self.grader.asks_over(symbol) {
            if let Some((_, _, found)) = self.found(ask) {
                found.add(RIGHT_BEFORE, Some(Named { block: line.block, range: start..start + symbol.len(), by: By::Words }));
            }
        }
    }

    /// How many times one named thing another one is: `the latency at 256 = 8 times the old latency`.
    pub(super) fn times_another(&mut self, line: &Line, number: &Number) {
        const OLD: [&str; 12] = ["the", "that", "this", "its", "old", "former", "previous", "original", "earlier", "first", "of", "die"];
        let reading = number.mention.readings.first();
        if number.standing == Standing::Operand || !is_factor(reading.and_then(|reading| reading.unit.as_ref())) {
            return;
        }
        let end = number.mention.range.end;
        let mut behind = line.words.within(&(end..line.range.end)).iter().skip_while(|word| OLD.contains(&line.words.plain(word)));
        let Some(next) = behind.next().map(|word| word.range.clone()) else { return };
        // A sign between them parts the factor from what is named: `8 times, latency 10 ms`.
        if line.breaks_in(end..next.start).any(|found| found.depth > Depth::None) {
            return;
        }
        let cue = |hit: &Hit| match hit.tag {
            Tag::Cue(ask) => Some(ask),
            _ => None,
        };
        let under: Vec<usize> = line.hits_on(&next).filter(|hit| hit.range.start == next.start).filter_map(cue).collect();
        let clause = |at: usize| (line.words.sentence_at(at), line.clause_at(at));
        let here = clause(number.anchor);
        let before = line.hits.iter().filter(|hit| hit.range.end <= number.mention.range.start && clause(hit.range.start) == here);
        let over: Vec<usize> = before.filter_map(cue).collect();
        let grader = self.grader;
        for (ask, _, found) in &mut self.asks {
            let is_it = grader.anatomy.quotient(*ask).is_some_and(|(x, y)| over.contains(&x) && under.contains(&y));
            if is_it {
                found.add(RIGHT_BEFORE, Some(Named { block: line.block, range: next.clone(), by: By::Words }));
            }
        }
    }
}
