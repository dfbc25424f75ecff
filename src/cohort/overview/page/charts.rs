//! Small charts as SVG inside the page.
//!
//! Places across are shares of the width, places up are pixels, so that a chart fills a phone and a screen alike and its
//! letters keep their size. Every chart has a title and a description for those who cannot see it, and its numbers stand
//! beside it as text or as a table.

use crate::cohort::overview::ItemView;
use crate::cohort::overview::words::{answers, share as part_of};
use crate::cohort::stats::{Bin, Scores};
use crate::report::html::{Anchor, Attr, Html};
use crate::report::look::Look;
use crate::report::shown;

/// Pixels of the tallest bar of a histogram.
const HEIGHT: f64 = 180.0;
/// Pixels above it, for the name of the median.
const TOP: f64 = 22.0;

/// Patterns that tell the parts of bars apart in print and for those who see few colors.
pub(super) fn patterns(html: &mut Html) {
    html.element("svg", &[Attr::Is("class", "vh"), Attr::Is("aria-hidden", "true"), Attr::Is("focusable", "false")], |html| {
        html.element("defs", &[], |html| {
            for (id, turn, class) in [
                ("p-wrong", "rotate(45)", "f-wrong"),
                ("p-person", "rotate(90)", "f-person"),
                ("p-carried", "rotate(0)", "f-carried"),
                ("p-waiting", "rotate(-45)", "f-waiting"),
            ] {
                let size = [Attr::Is("width", "5"), Attr::Is("height", "5")];
                let all =
                    [&[Attr::Is("id", id), Attr::Is("patternUnits", "userSpaceOnUse"), Attr::Is("patternTransform", turn)][..], &size]
                        .concat();
                html.element("pattern", &all, |html| {
                    html.void("rect", &[&size[..], &[Attr::Is("class", class)]].concat());
                    html.void("rect", &[Attr::Is("width", "1.6"), Attr::Is("height", "5"), Attr::Is("class", "f-stripe")]);
                });
            }
        });
    });
}

/// The distribution of the points.
pub(super) fn histogram(html: &mut Html, scores: &Scores, at: usize) {
    let bins = scores.bins();
    let most = bins.iter().map(|bin| bin.decided + bin.waiting).max().unwrap_or(0).max(1);
    let (step, lines) = grid(most);
    let ceiling = count(step * lines);
    let up = |of: usize| count(of) / ceiling * HEIGHT;
    let (title, description) = (Anchor::new("histogram", at), describe(scores, &bins));
    html.element("figure", &[Attr::Is("class", "histogram")], |html| {
        html.element("svg", &[Attr::Is("role", "img"), Attr::LabelledBy(title), Attr::Number("height", HEIGHT + TOP + 44.0)], |html| {
            html.line("title", &[Attr::Id(title)], "How the points are distributed");
            html.line("desc", &[], &description);
            for line in 0..=lines {
                let y = TOP + HEIGHT - up(step * line);
                html.void(
                    "line",
                    &[Attr::Is("x1", "0"), Attr::Is("x2", "100%"), Attr::Number("y1", y), Attr::Number("y2", y), Attr::Is("class", "grid")],
                );
                html.line(
                    "text",
                    &[Attr::Is("x", "-8"), Attr::Number("y", y + 4.0), Attr::Is("text-anchor", "end")],
                    &(step * line).to_string(),
                );
            }
            bins.iter().enumerate().for_each(|(place, bin)| column(html, bin, place, bins.len(), up));
            across(html, &bins);
            if let Some(median) = scores.quantile(0.5) {
                median_line(html, median, &bins);
            }
        });
        html.element("figcaption", &[], |html| {
            let keys = [("b-plain", "decided", false), ("b-waiting", "so far: something waits for a person", true)];
            for (class, words, waits) in keys {
                if bins.iter().any(|bin| if waits { bin.waiting > 0 } else { bin.decided > 0 }) {
                    html.element("span", &[], |html| {
                        filled(html, class);
                        html.sentence(words);
                    });
                }
            }
        });
    });
}

/// One column: what is decided below, what waits above.
fn column(html: &mut Html, bin: &Bin, place: usize, of: usize, up: impl Fn(usize) -> f64) {
    let (left, wide) = (part_of(place, of), part_of(1, of));
    let title = format!("{}–{}: {}", shown::points(bin.low), shown::points(bin.high), answers(bin.decided + bin.waiting));
    let title = if bin.waiting > 0 { format!("{title}, of which {} wait for a person", bin.waiting) } else { title };
    let mut rect = |from: usize, count: usize, class: &'static str| {
        if count > 0 {
            let attributes = [
                Attr::Percent("x", left + wide * 0.06),
                Attr::Percent("width", wide * 0.88),
                Attr::Number("y", TOP + HEIGHT - up(from + count)),
                Attr::Number("height", up(count)),
                Attr::Is("class", class),
            ];
            html.element("rect", &attributes, |html| html.line("title", &[], &title));
        }
    };
    rect(0, bin.decided, "b-plain");
    rect(bin.decided, bin.waiting, "b-waiting");
}

/// The numbers below: few enough for a phone.
fn across(html: &mut Html, bins: &[Bin]) {
    let top = bins.last().map_or(1.0, |bin| bin.high);
    let power = 10_f64.powf((top / 5.0).log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|step| *step >= top / 5.0 - 1e-9).unwrap_or(top);
    let mut value = 0.0;
    while value <= top + 1e-9 {
        let at = [Attr::Percent("x", value / top), Attr::Number("y", TOP + HEIGHT + 18.0), Attr::Is("text-anchor", "middle")];
        html.line("text", &at, &shown::points(value));
        value += step;
    }
    html.line(
        "text",
        &[Attr::Is("x", "50%"), Attr::Number("y", TOP + HEIGHT + 38.0), Attr::Is("text-anchor", "middle"), Attr::Is("class", "axis")],
        "points",
    );
}

fn median_line(html: &mut Html, median: f64, bins: &[Bin]) {
    let top = bins.last().map_or(1.0, |bin| bin.high);
    let x = Attr::Percent("x", median / top);
    let (x1, x2) = (Attr::Percent("x1", median / top), Attr::Percent("x2", median / top));
    html.void("line", &[x1, x2, Attr::Number("y1", TOP - 6.0), Attr::Number("y2", TOP + HEIGHT), Attr::Is("class", "median")]);
    let anchor = if median / top > 0.8 {
        "end"
    } else if median / top < 0.2 {
        "start"
    } else {
        "middle"
    };
    let words = format!("median {}", shown::points((median * 10.0).round() / 10.0));
    html.line("text", &[x, Attr::Number("y", TOP - 10.0), Attr::Is("text-anchor", anchor), Attr::Is("class", "strong")], &words);
}

/// What a histogram shows, in words.
fn describe(scores: &Scores, bins: &[Bin]) -> String {
    let highest = bins.iter().max_by_key(|bin| bin.decided + bin.waiting);
    let peak = highest.map_or(String::new(), |bin| {
        format!(" Most lie from {} to {}: {}.", shown::points(bin.low), shown::points(bin.high), answers(bin.decided + bin.waiting))
    });
    format!(
        "{} from 0 to {} points.{peak} The table below has the numbers.",
        shown::sentence(&answers(scores.count())),
        shown::points(scores.possible)
    )
}

/// Steps up the side: their size and how many, so that three to five of them reach over the tallest column.
fn grid(most: usize) -> (usize, usize) {
    let mut power = 1;
    loop {
        for factor in [1, 2, 5] {
            let step = factor * power;
            let lines = most.div_ceil(step);
            if lines <= 5 {
                return (step, lines);
            }
        }
        power *= 10;
    }
}

/// The answers to an item, by verdict.
pub(super) fn bar(html: &mut Html, item: &ItemView, anchor: Anchor) {
    let all = item.answers();
    let said: Vec<String> = item.counts.iter().map(|(look, count)| format!("{count} {}", look.word())).collect();
    stacked(html, &item.counts, all, anchor, &format!("{}: {}", crate::report::inert::quoted(&item.id), said.join(", ")));
}

/// How the terms of a sum are shown.
pub(super) fn terms(html: &mut Html, counts: &[(Look, usize)], words: &[&str], anchor: Anchor) {
    let all = counts.iter().map(|(_, count)| count).sum();
    let said: Vec<String> = counts.iter().zip(words).map(|((_, count), word)| format!("{count} {word}")).collect();
    stacked(html, counts, all, anchor, &said.join(", "));
}

fn stacked(html: &mut Html, counts: &[(Look, usize)], all: usize, anchor: Anchor, title: &str) {
    html.element("svg", &[Attr::Is("class", "bar"), Attr::Is("role", "img"), Attr::LabelledBy(anchor)], |html| {
        html.line("title", &[Attr::Id(anchor)], title);
        let mut left = 0;
        for (look, count) in counts.iter().filter(|(_, count)| *count > 0) {
            let place = [Attr::Percent("x", part_of(left, all)), Attr::Percent("width", part_of(*count, all)), Attr::Is("height", "100%")];
            html.void("rect", &[&place[..], &[Attr::Is("class", fill(*look))]].concat());
            left += count;
        }
    });
}

/// A plain bar beside a number that says the same.
pub(super) fn share(html: &mut Html, share: f64) {
    html.element("svg", &[Attr::Is("class", "bar"), Attr::Is("aria-hidden", "true")], |html| {
        html.void("rect", &[Attr::Is("width", "100%"), Attr::Is("height", "100%"), Attr::Is("class", "f-track")]);
        html.void("rect", &[Attr::Percent("width", share.clamp(0.0, 1.0)), Attr::Is("height", "100%"), Attr::Is("class", "b-slip")]);
    });
}

/// What the parts of bars mean.
pub(super) fn legend(html: &mut Html, looks: impl Iterator<Item = Look>) {
    html.element("ul", &[Attr::Is("class", "legend"), Attr::Label("What the parts of a bar mean")], |html| {
        for look in looks {
            html.element("li", &[], |html| {
                swatch(html, look);
                html.sentence(look.word());
            });
        }
    });
}

pub(super) fn swatch(html: &mut Html, look: Look) {
    filled(html, fill(look));
}

fn filled(html: &mut Html, class: &'static str) {
    html.element("svg", &[Attr::Is("class", "swatch"), Attr::Is("aria-hidden", "true")], |html| {
        html.void("rect", &[Attr::Is("width", "100%"), Attr::Is("height", "100%"), Attr::Is("class", class)]);
    });
}

fn fill(look: Look) -> &'static str {
    match look {
        Look::Right => "b-right",
        Look::Carried => "b-carried",
        Look::Partly => "b-partly",
        Look::Slip => "b-slip",
        Look::Wrong => "b-wrong",
        Look::Missing => "b-missing",
        Look::Person => "b-person",
    }
}

fn count(count: usize) -> f64 {
    // OK because these are numbers of students.
    #[expect(clippy::cast_precision_loss, reason = "counts of students are small")]
    let count = count as f64;
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_round_lines_reach_over_the_tallest_column() {
        assert_eq!([1, 4, 5, 6, 37, 164, 1000].map(grid), [(1, 1), (1, 4), (1, 5), (2, 3), (10, 4), (50, 4), (200, 5)]);
    }
}
