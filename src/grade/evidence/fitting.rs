//! Which asks a number can be the answer to at all, by its unit, its noun, and the form in which it stands.

use std::cell::LazyCell;
use std::ops::Range;

use crate::answer;
use crate::grade::Grader;
use crate::grade::clues::{Hit, Tag};
use crate::grade::contrast;
use crate::grade::evidence::Fit;
use crate::grade::evidence::is_factor;
use crate::grade::evidence::near::counted_name;
use crate::grade::evidence::shape::Form;
use crate::grade::meant;
use crate::grade::scene::{Line, Number, Scene, Standing};
use crate::phrase::Word;

/// Whether a number is an exponent in words, as it were: the `five` of `five orders of magnitude`.
pub(super) fn counts_orders(line: &Line, number: &Number) -> bool {
    let after = || line.text()[number.mention.number.end..line.range.end.max(number.mention.number.end)].trim_start();
    let orders = |after: &str| after.starts_with("order of magn") || after.starts_with("orders of magn");
    number.mention.unit.is_none() && orders(after())
}

/// Whether a number is a fraction as formulas have it, of counts too large for anybody to answer in: `255/256`, `1/32`.
pub(super) fn is_ratio_of_counts(line: &Line, number: &Number) -> bool {
    let written = &line.text()[number.mention.number.clone()];
    if number.mention.unit.is_some() {
        return false;
    }
    let bare = |count: &str| count.trim_matches(['(', ')', ' ']).parse::<u32>().ok();
    let ratio = written.split_once(['/', '⁄', '∕']).and_then(|(over, under)| bare(over).zip(bare(under)));
    let stated = number.chain.is_some() && matches!(number.standing, Standing::End);
    ratio.is_some_and(|(over, under)| under > 12 && over.max(under) < 100_000) && !stated
}

/// Whether the words right behind an operand say that it is what is asked for: `2480 buckets × 1.24 ms`, `10.2 ms latency +
/// 207.2 ms bandwidth`.
pub(super) fn is_counted(grader: &Grader, line: &Line, number: &Number, ask: usize) -> bool {
    let shape = &grader.shapes[ask];
    let counts = shape.form == Form::Count && shape.fit(&number.mention) == Fit::Natural;
    if counts && counted_name(line, number).is_some_and(|name| grader.clues.asks_of(&line.text()[name]).contains(&ask)) {
        return true;
    }
    match &number.mention.noun {
        Some(noun) => shape.form == Form::Count && line.hits_on(noun).any(|hit| hit.tag == Tag::Cue(ask)),
        None => {
            let text = line.text();
            let end = number.mention.range.end;
            let right_behind = |hit: &Hit| text.get(end..hit.range.start).is_some_and(|gap| matches!(gap.trim(), "" | "(" | "of" | "for"));
            let natural = shape.form == Form::Measured && shape.fit(&number.mention) == Fit::Natural;
            natural && line.hits_from(end).any(|hit| hit.tag == Tag::Cue(ask) && right_behind(hit))
        }
    }
}

/// The ask that a number counts the pieces of, where the words behind it multiply a piece's value: `1 MiB buckets: 2480 times the
/// latency`.
pub(super) fn counted_pieces(grader: &Grader, line: &Line, number: &Number) -> Option<usize> {
    let reading = number.mention.readings.first()?;
    if !is_factor(reading.unit.as_ref()) || !reading.value.is_whole() || number.standing == Standing::Operand {
        return None;
    }
    let end = number.mention.range.end;
    let piece = |hit: &Hit| match hit.tag {
        Tag::Cue(piece) if matches!(line.text().get(end..hit.range.start).map(str::trim), Some("" | "the" | "this" | "that" | "die")) => {
            Some(piece)
        }
        _ => None,
    };
    // `the latency is paid 2480 times`
    let paid = |word: &Word| PAID.contains(&line.words.plain(word));
    let said = line.words.within(&(line.range.start..number.anchor)).last().is_some_and(paid)
        || line.words.within(&(end..line.range.end)).first().is_some_and(paid);
    let paid_for = |hit: &Hit| match hit.tag {
        Tag::Cue(piece) if said && line.words.sentence_at(hit.range.start) == line.words.sentence_at(number.anchor) => Some(piece),
        _ => None,
    };
    let before = line.hits.iter().filter(|hit| hit.range.end <= number.anchor).filter_map(paid_for);
    let pieces: Vec<usize> =
        line.hits_from(end).take_while(|hit| hit.range.start < end + CLOSE_BEHIND).filter_map(piece).chain(before).collect();
    let sentence = |at: usize| line.words.sentence_at(at);
    let named = |ask: usize| {
        let before = |hit: &&Hit| hit.range.end <= number.anchor && sentence(hit.range.start) == sentence(number.anchor);
        line.hits.iter().filter(before).any(|hit| hit.tag == Tag::Cue(ask))
    };
    let here = |ask: usize| grader.home[ask].part == number.spot.part;
    (0..grader.home.len()).find(|ask| here(*ask) && pieces.iter().any(|piece| grader.anatomy.counts(*ask, *piece)) && named(*ask))
}

/// Words beside a factor by which something is spent that often.
const PAID: [&str; 16] = [
    "paid", "pay", "pays", "paying", "charged", "charge", "incurred", "incur", "incurs", "spent", "needed", "due", "occurs", "bezahlt",
    "gezahlt", "fällig",
];

/// So many bytes behind a factor begins the name of what it multiplies.
const CLOSE_BEHIND: usize = 8;

/// How well the unit of a number, or the noun or symbol behind it, goes with an ask; `fit` is how well its unit alone does, and
/// `strange` whether the word behind it may be a unit that nobody knows.
pub(super) fn fit(
    grader: &Grader,
    scene: &Scene,
    number: &Number,
    ask: usize,
    fit: Fit,
    strange: &LazyCell<bool, impl FnOnce() -> bool>,
) -> Fit {
    let line = &scene.lines[number.line];
    let shape = &grader.shapes[ask];
    // Nothing makes a quantity of what it is not but the words behind it.
    if fit == Fit::No && !number.growth && !number.multiple && number.mention.noun.is_none() {
        return Fit::No;
    }
    // In a column of factors nothing else stands, but perhaps the increase as a percentage.
    if number.growth {
        return match shape.form {
            Form::Times if fit == Fit::Bare => Fit::Natural,
            Form::Times => fit,
            _ => Fit::No,
        };
    }
    if shape.form == Form::Times && (contrast::sets_two_apart(grader, line, number, ask) || multiplies_a_given(line, number, ask)) {
        return Fit::No;
    }
    // Under `% of T` a number is hardly a time.
    let told = number.mention.unit.is_none() && number.mention.readings.first().is_some_and(|reading| reading.unit.is_some());
    if told && matches!(line.source.role, answer::Role::Cell { .. }) && fit == Fit::Bare && shape.form == Form::Measured {
        return if shape.fits_first(&number.mention) { fit } else { Fit::No };
    }
    // `1.64 S*` is a factor, whatever else the ask could be without its unit; but only of what it is a multiple of.
    if number.multiple && shape.form == Form::Times {
        let after = &line.text()[number.mention.range.end..line.range.end];
        let symbol = meant::multiple_of(grader, after.trim_start_matches([' ', ')', '"']));
        let other = symbol.is_some_and(|symbol| !grader.asks_over(symbol).contains(&ask));
        return if other { Fit::Odd } else { Fit::Natural };
    }
    // `2 Ψ`, where the volume in multiples of Ψ is asked for.
    if number.multiple && shape.form == Form::Count && number.mention.unit.is_none() {
        let after = &line.text()[number.mention.range.end..line.range.end];
        let symbol = meant::multiple_of(grader, after.trim_start_matches([' ', ')', '"']));
        let asked = |symbol: &str| grader.drill.asks[ask].asks.split(|c: char| c.is_whitespace() || c == ',').any(|word| word == symbol);
        if symbol.is_some_and(asked) {
            return Fit::Natural;
        }
    }
    if number.multiple && shape.others.iter().any(|(_, form)| *form == Form::Times) && number.mention.unit.is_none() {
        return Fit::Other;
    }
    if number.multiple && (fit == Fit::Bare || shape.form == Form::Count)
        || number.shadow && matches!(shape.form, Form::Times | Form::Percent)
    {
        return Fit::No;
    }
    // A single digit is no measurement without its unit, unless an equals sign says so.
    let digit = number.mention.unit.is_none() && number.mention.number.len() == 1;
    if digit && shape.form == Form::Measured && number.standing == Standing::Free {
        return Fit::No;
    }
    let Some(noun) = &number.mention.noun else { return fit };
    // `8.2 compute steps` is no number of buckets.
    let whole = number.mention.readings.iter().all(|reading| reading.value.is_whole());
    if shape.form == Form::Count && !whole && !line.hits_on(noun).any(|hit| hit.tag == Tag::Cue(ask)) {
        return Fit::No;
    }
    // `two efficiencies` counts, and nothing else.
    let spelled = !line.text()[number.mention.number.clone()].contains(|c: char| c.is_numeric());
    if spelled && number.mention.unit.is_none() && shape.form != Form::Count {
        return Fit::No;
    }
    let another = line.hits_on(noun).any(|hit| match hit.tag {
        Tag::Noun(_) => true,
        Tag::Cue(other) => other != ask && grader.shapes[other].form == Form::Count,
        _ => false,
    });
    // Any word may stand behind a number; only one in the plural is surely what is counted.
    // `62 ring steps`
    let text = line.text();
    let several = |hit: &Hit| {
        let here = hit.range.start == noun.start || text.get(noun.end..hit.range.start) == Some(" ");
        here && matches!(hit.tag, Tag::Cue(_)) && text[hit.range.clone()].ends_with('s')
    };
    let counted = line.hits_from(noun.start).take_while(|hit| hit.range.start <= noun.end + 1).any(several);
    let plural = text[noun.clone()].ends_with('s') || counted;
    if !another && !plural && shape.form == Form::Measured && fit == Fit::No && number.mention.unit.is_none() {
        return Fit::Bare;
    }
    // `14600 florins` may be an amount in a unit that nobody knows.
    if shape.form == Form::Measured && fit == Fit::No && **strange {
        return Fit::Odd;
    }
    if another && !line.hits_on(noun).any(|hit| hit.tag == Tag::Cue(ask)) { Fit::No } else { fit }
}

/// Whether a factor says how much more there is of something given, where nobody asks for that: the `8 times` of `8 times as
/// many GPUs`.
fn multiplies_a_given(line: &Line, number: &Number, ask: usize) -> bool {
    const MORE: [&str; 6] = ["as many", "more", "the number of", "the", "so viele", "mehr"];
    const LONGEST: usize = 24;
    let end = number.mention.range.end;
    let unit = number.mention.readings.first().and_then(|reading| reading.unit.as_ref());
    let behind = |hit: &&Hit| hit.range.start <= end + LONGEST;
    let given = |hit: &&Hit| matches!(hit.tag, Tag::Noun(_)) && !line.hits_on(&hit.range).any(|other| other.tag == Tag::Cue(ask));
    let more = |at: usize| line.text().get(end..at).is_some_and(|gap| MORE.contains(&gap.trim()));
    is_factor(unit) && line.hits_from(end).take_while(behind).filter(given).any(|hit| more(hit.range.start))
}

/// Whether a bare number is called by a symbol of what has a dimension, so that it is no share: the `T` of `T = 0.0154`.
pub(super) fn is_called_measured(grader: &Grader, line: &Line, number: &Number, names: &[Range<usize>]) -> bool {
    // `25 MiB: 1.64 · S*` calls nothing by a symbol.
    let equals = || number.chain.is_some() || line.text()[line.range.start..number.anchor].trim_end().ends_with(['=', '≈', '≔']);
    let bare = number.mention.unit.is_none() && number.mention.noun.is_none() && equals();
    bare && names.first().is_some_and(|name| {
        let asks = grader.clues.asks_of(&line.text()[name.clone()]);
        !asks.is_empty() && asks.iter().all(|ask| grader.shapes[*ask].is_measured())
    })
}
