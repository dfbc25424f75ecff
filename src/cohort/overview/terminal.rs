//! The class for a terminal: small bars that can be told apart without color.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};

use super::words::{self, correlation, percent, share};
use super::{ItemView, MistakeView, Overview, View, gather};
use crate::cohort::stats::Bin;
use crate::report::inert;
use crate::report::look::Look;
use crate::report::shown::{self, TIE};

/// Narrower, nothing can be laid out; wider, nobody reads.
const NARROWEST: usize = 40;
const WIDEST: usize = 110;
/// Of each list, what fits a screen; the rest is counted.
const LISTED: usize = 8;
/// Of what somebody has to look after, all that a class of usual size has.
const CARED: usize = 40;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Lays the class out for so many columns.
pub(super) fn render(overview: &Overview, columns: usize) -> String {
    let mut page = Page { text: String::new(), columns: columns.clamp(NARROWEST, WIDEST) };
    page.styled(BOLD, &inert::terminal(&format!("{}: {}", overview.title, inert::quoted(&overview.input))));
    for sentence in overview.lead.iter().chain(&overview.remarks) {
        page.paragraph("", sentence);
    }
    for care in &overview.cares {
        page.heading(&format!("{} ({})", care.title, care.lines.len()));
        for line in care.lines.iter().take(CARED) {
            page.paragraph("  ", line);
        }
        page.more(care.lines.len(), CARED);
    }
    for view in &overview.drills {
        if overview.drills.len() > 1 {
            page.heading(&format!("{}, {}", view.title, words::answers(view.answers)));
        }
        page.view(view);
    }
    page.text.replace(TIE, " ")
}

struct Page {
    text: String,
    columns: usize,
}

impl Page {
    fn view(&mut self, view: &View) {
        self.points(view);
        self.items(view);
        self.mistakes("Most common mistakes", &view.mistakes, view.answers);
        self.mistakes("Wrong values that several share and no known mistake explains", &view.unexplained, view.answers);
        self.forms(view);
        self.sums(view);
        self.roots(view);
        self.backlog(view);
        self.agreement(view);
    }

    fn points(&mut self, view: &View) {
        let bins = view.scores.bins();
        let most = bins.iter().map(|bin| bin.decided + bin.waiting).max().unwrap_or(0);
        if most == 0 {
            return;
        }
        self.heading("Points");
        let label = |low: f64, high: f64| format!("{}–{}", shown::points(low), shown::points(high));
        let wide = bins.iter().map(|bin| label(bin.low, bin.high).chars().count()).max().unwrap_or(0);
        let room = self.columns.saturating_sub(wide + 12);
        // Where nobody is, below and above, no line is needed.
        let is_empty = |bin: &&Bin| bin.decided + bin.waiting == 0;
        let first = bins.iter().take_while(is_empty).count();
        let last = bins.len() - bins.iter().rev().take_while(is_empty).count();
        for bin in &bins[first..last] {
            let count = bin.decided + bin.waiting;
            let of = |count: usize| share(count, most);
            let bar = bar(&[('█', color(AnsiColor::Cyan), of(bin.decided)), ('▒', color(AnsiColor::Magenta), of(bin.waiting))], room);
            let count = if count == 0 { String::new() } else { format!(" {count}") };
            let line = format!("  {:>wide$} {bar}{count}", label(bin.low, bin.high));
            let _ = writeln!(self.text, "{}", line.trim_end());
        }
        if bins.iter().any(|bin| bin.waiting > 0) {
            let (on, off) = (color(AnsiColor::Magenta), color(AnsiColor::Magenta));
            let _ = writeln!(self.text, "  {DIM}{on}▒{off:#}{DIM} so far: something waits for a person{DIM:#}");
        }
    }

    fn items(&mut self, view: &View) {
        if view.parts.is_empty() {
            return;
        }
        self.heading("Items: the mean share of their points, and how they go with the rest of the answer");
        let ids = || view.parts.iter().flat_map(|part| &part.items).map(|item| inert::columns(&inert::terminal(&item.id)));
        let wide = ids().max().unwrap_or(0).min(self.columns / 3);
        let room = self.columns.saturating_sub(wide + 17).max(8);
        for part in &view.parts {
            let title = inert::terminal(&part.title);
            let _ = writeln!(self.text, "  {DIM}{title}{DIM:#}");
            for item in &part.items {
                self.item(item, wide, room);
            }
        }
        let legend: Vec<String> = [Look::Right, Look::Carried, Look::Partly, Look::Slip, Look::Wrong, Look::Missing, Look::Person]
            .map(|look| format!("{}{}{:#} {}", style(look), block(look), style(look), look.word().replace(' ', "\u{a0}")))
            .to_vec();
        self.wrapped("  ", &legend.join("  "));
    }

    fn item(&mut self, item: &ItemView, wide: usize, room: usize) {
        let answers = item.answers();
        let parts: Vec<(char, Style, f64)> =
            item.counts.iter().map(|(look, count)| (block(*look), style(*look), share(*count, answers))).collect();
        let id = cut(&inert::terminal(&item.id), wide);
        let pad = " ".repeat(wide.saturating_sub(inert::columns(&id)));
        let difficulty = item.difficulty.map_or_else(String::new, percent);
        let r = item.discrimination.map_or_else(String::new, correlation);
        let line = format!("  {id}{pad} {} {difficulty:>6} {r:>5}", bar(&parts, room));
        let _ = writeln!(self.text, "{}", line.trim_end());
    }

    fn mistakes(&mut self, title: &str, mistakes: &[MistakeView], answers: usize) {
        if mistakes.is_empty() {
            return;
        }
        self.heading(title);
        for mistake in mistakes.iter().take(LISTED) {
            let part = share(mistake.answers, answers);
            let bar = bar(&[('█', color(AnsiColor::Red), part)], 10);
            let pad = " ".repeat(10_usize.saturating_sub(inert::columns(&anstream::adapter::strip_str(&bar).to_string())));
            let says = match &mistake.says {
                Some(says) => format!("{}: {says}", mistake.name),
                None => format!("{}: {}", mistake.name, inert::quoted(&mistake.code)),
            };
            let _ = writeln!(self.text, "  {bar}{pad} {:>6}  {}", percent(part), cut(&inert::terminal(&mistake.ask), self.columns / 3));
            self.paragraph("      ", &says);
            if let Some(quote) = &mistake.example {
                let style = color(AnsiColor::Red).underline();
                let line = format!("      {DIM}│{DIM:#} {}{style}{}{style:#}{}", quote.before, quote.marked, quote.after);
                let _ = writeln!(self.text, "{}", line.trim_end());
            }
        }
        self.more(mistakes.len(), LISTED);
    }

    fn forms(&mut self, view: &View) {
        if view.forms.is_empty() {
            return;
        }
        self.heading("Form, in how many answers");
        for (phrase, count) in view.forms.iter().take(LISTED) {
            self.paragraph("  ", &format!("{}: {phrase}", percent(share(*count, view.answers))));
        }
    }

    fn sums(&mut self, view: &View) {
        for sum in &view.sums {
            let all = sum.both + sum.one + sum.total_only + sum.none;
            if all == 0 {
                continue;
            }
            self.heading(&format!("Terms of {}", sum.name));
            self.paragraph(
                "  ",
                &format!("{} show all terms, {} some, {} only the total, {} nothing.", sum.both, sum.one, sum.total_only, sum.none),
            );
            if !sum.who.is_empty() {
                self.paragraph("  ", &format!("Only the total: {}.", gather::listed(&sum.who)));
            }
        }
    }

    fn roots(&mut self, view: &View) {
        if view.roots.is_empty() {
            return;
        }
        self.heading("Errors that were carried forward, and paid for once");
        for root in view.roots.iter().take(LISTED) {
            let reaches: Vec<String> = root.reaches.iter().map(|(id, _, count)| format!("{} ({count})", inert::quoted(id))).collect();
            self.paragraph(
                "  ",
                &format!(
                    "{}, in {}, reaches {}; {} kept.",
                    inert::quoted(&root.ask),
                    words::answers(root.answers),
                    reaches.join(", "),
                    shown::points_in_words(root.kept)
                ),
            );
        }
        self.more(view.roots.len(), LISTED);
    }

    fn backlog(&mut self, view: &View) {
        if view.backlog.is_empty() {
            return;
        }
        self.heading("Waiting for a person");
        for waiting in view.backlog.iter().take(LISTED) {
            let why: Vec<String> = waiting.why.iter().map(|(why, count)| format!("{why} ({count})")).collect();
            self.paragraph(
                "  ",
                &format!(
                    "{}: {}, {}: {}.",
                    inert::quoted(&waiting.id),
                    words::answers(waiting.answers),
                    shown::points_in_words(waiting.points),
                    why.join(", ")
                ),
            );
        }
        self.more(view.backlog.len(), LISTED);
    }

    fn agreement(&mut self, view: &View) {
        if view.agreement.is_empty() {
            return;
        }
        self.heading("Agreement, where something was decided twice");
        for item in &view.agreement {
            let said = words::agreement(item);
            self.paragraph("  ", &format!("{}: {said}.", inert::quoted(&item.id)));
        }
    }

    // ---- Pieces ------------------------------------------------------------------------------------------------------

    fn heading(&mut self, words: &str) {
        self.text.push('\n');
        self.styled(BOLD, &inert::terminal(words));
    }

    fn styled(&mut self, style: Style, words: &str) {
        for line in broken(words, self.columns) {
            let _ = writeln!(self.text, "{style}{line}{style:#}");
        }
    }

    fn more(&mut self, all: usize, listed: usize) {
        if all > listed {
            let _ = writeln!(self.text, "  {DIM}and {} more{DIM:#}", all - listed);
        }
    }

    fn paragraph(&mut self, indent: &str, sentence: &str) {
        self.wrapped(indent, &inert::terminal(sentence));
    }

    /// The lines after the first stand a little further in, so that each point can be seen.
    fn wrapped(&mut self, indent: &str, words: &str) {
        for (at, line) in broken(words, self.columns - indent.len() - 2).iter().enumerate() {
            let hang = if at == 0 || indent.is_empty() { "" } else { "  " };
            let _ = writeln!(self.text, "{indent}{hang}{line}");
        }
    }
}

/// Lines of so many columns, broken at blanks; escape codes take no room.
fn broken(words: &str, columns: usize) -> Vec<String> {
    let wide = |text: &str| inert::columns(&anstream::adapter::strip_str(text).to_string());
    let mut lines = Vec::new();
    let (mut line, mut taken) = (String::new(), 0);
    for word in words.split(' ').filter(|word| !word.is_empty()) {
        let next = wide(word);
        if taken > 0 && taken + 1 + next > columns {
            lines.push(std::mem::take(&mut line));
            taken = 0;
        }
        if taken > 0 {
            line.push(' ');
            taken += 1;
        }
        line.push_str(word);
        taken += next;
    }
    lines.push(line);
    lines
}

/// A bar of several parts, each a share of so many columns. What is there at all is seen, if only as one column.
fn bar(parts: &[(char, Style, f64)], room: usize) -> String {
    let mut bar = String::new();
    let (mut sum, mut drawn) = (0.0, 0);
    for (block, style, share) in parts {
        sum += share;
        // OK because shares are at most 1, and a terminal is not wide.
        #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few columns")]
        let end = (sum.min(1.0) * room as f64).round() as usize;
        let wide = if *share > 0.0 { end.saturating_sub(drawn).max(1) } else { 0 };
        let wide = wide.min(room.saturating_sub(drawn));
        if wide > 0 {
            let _ = write!(bar, "{style}{}{style:#}", block.to_string().repeat(wide));
            drawn += wide;
        }
    }
    bar
}

/// As much of a text as fits.
fn cut(text: &str, columns: usize) -> String {
    if inert::columns(text) <= columns {
        return text.to_owned();
    }
    let mut taken = String::new();
    for c in text.chars() {
        taken.push(c);
        if inert::columns(&taken) >= columns {
            taken.pop();
            break;
        }
    }
    taken + "…"
}

fn color(color: AnsiColor) -> Style {
    Style::new().fg_color(Some(color.into()))
}

fn style(look: Look) -> Style {
    match look {
        Look::Right => color(AnsiColor::Green),
        Look::Carried | Look::Partly => color(AnsiColor::Yellow),
        Look::Slip | Look::Wrong => color(AnsiColor::Red),
        Look::Missing => DIM,
        Look::Person => color(AnsiColor::Magenta),
    }
}

/// What a bar is made of, so that it reads without color.
fn block(look: Look) -> char {
    match look {
        Look::Right => '█',
        Look::Carried => '▓',
        Look::Partly => '▒',
        Look::Slip => '×',
        Look::Wrong => '/',
        Look::Missing => '·',
        Look::Person => '?',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_fill_their_room_and_hide_nothing() {
        let plain = Style::new();
        assert_eq!(bar(&[('a', plain, 0.5), ('b', plain, 0.5)], 8), "aaaabbbb");
        assert_eq!(bar(&[('a', plain, 0.999), ('b', plain, 0.001)], 8), "aaaaaaaa", "no room is left");
        assert_eq!(bar(&[('a', plain, 0.01), ('b', plain, 0.99)], 8), "abbbbbbb");
        assert_eq!(bar(&[('a', plain, 0.0)], 8), "");
    }

    #[test]
    fn long_names_are_cut() {
        assert_eq!(cut("b.latency", 20), "b.latency");
        assert_eq!(cut("b.latency", 6), "b.lat…");
    }
}
