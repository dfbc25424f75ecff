//! Which of the numbers on either side words belong to: small words tie them to the one before, and nothing but a sign leads on
//! to the one behind.

use crate::grade::clues::{Hit, Tag};
use crate::grade::evidence::near::Beside;
use crate::grade::evidence::tally::is_of;
use crate::grade::evidence::{Fit, Tally};
use crate::grade::scene::{Depth, Line, Standing};

impl Tally<'_> {
    /// Whether words stand right behind another number, which they name rather than the one that follows: the `buckets` of
    /// `2480 buckets cost 3.28 s`.
    pub(super) fn is_hugged(&self, beside: &Beside, line: &Line, hit: &Hit) -> bool {
        let Tag::Cue(ask) = hit.tag else { return false };
        beside.before().is_some_and(|number| {
            let gap = number.mention.range.end.min(hit.range.start)..hit.range.start;
            let gap = &line.text()[gap];
            // `1.24 ms of latency and 201.5 ms of bandwidth`
            let tied = matches!(gap.trim(), "" | "(" | "of" | "for" | "of the" | "for the" | "in total for");
            // Programs print `latency 1.24 ms  bandwidth 201.5 ms` with room between two of them.
            tied && !gap.contains('\n') && !gap.contains("  ") && self.grader.shapes[ask].fit(&number.mention) >= Fit::Bare
        })
    }

    /// Whether words belong to the number before them by a small word, and another number is set beside that one: the `messages`
    /// and the `buckets` of `157.5 ms as single messages against 23.1 ms in buckets`.
    pub(super) fn is_tied_back(&self, beside: &Beside, line: &Line, hit: &Hit) -> bool {
        const TIES: [&str; 10] = ["as", "in", "with", "without", "for", "of", "als", "mit", "ohne", "für"];
        const BESIDE: [&str; 9] = ["against", "versus", "vs", "vs.", "compared to", "compared with", "and", "gegen", "und"];
        let Tag::Cue(ask) = hit.tag else { return false };
        let (Some(before), Some(after)) = (beside.before(), beside.after()) else { return false };
        let gap = line.text().get(hit.range.end..after.mention.range.start);
        if !gap.is_some_and(|gap| BESIDE.contains(&gap.trim().trim_start_matches(',').trim_start())) {
            return false;
        }
        let tie = line.words.within(&(before.mention.range.end..hit.range.start.max(before.mention.range.end)));
        let tied = tie.len() <= 2 && tie.first().is_some_and(|word| TIES.contains(&line.words.plain(word)));
        tied && self.grader.shapes[ask].fit(&before.mention) >= Fit::Bare
    }

    /// Whether words lead on to the next number rather than naming the one before them: `1.24 ms and the bandwidth part is
    /// 201.5 ms`.
    pub(super) fn leads_on(&self, beside: &Beside, line: &Line, hit: &Hit) -> bool {
        let Tag::Cue(ask) = hit.tag else { return false };
        // `Adding 1.24 ms of latency gives 202.7 ms`
        if is_of(line, self.seat.end, hit) {
            return false;
        }
        let mut behind = beside.behind().iter().skip_while(|number| number.mention.range.start < hit.range.end);
        let next = behind.find(|number| number.standing != Standing::Operand);
        next.is_some_and(|number| {
            let clear = number.anchor >= hit.range.end
                && !line.text()[hit.range.end..number.anchor].contains('(')
                && !line.breaks_in(hit.range.end..number.anchor).any(|found| found.depth > Depth::Mark);
            clear && self.grader.shapes[ask].fit(&number.mention) >= Fit::Bare
        })
    }
}
