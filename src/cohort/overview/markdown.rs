//! The class as Markdown: for a wiki, a pull request, a mail.

use std::fmt::Write;

use super::words::{self, correlation, percent, share};
use super::{MistakeView, Overview, View, gather};
use crate::report::inert;
use crate::report::look::Look;
use crate::report::shown::{self, TIE};

/// Lines of a list at most; the rest is counted.
const LISTED: usize = 20;
/// Of what somebody has to look after.
const CARED: usize = 100;
/// Blocks of the longest bar.
const BAR: f64 = 20.0;

/// Lays the class out.
pub(super) fn render(overview: &Overview) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "# {}\n", inert::markdown(&format!("{}: {}", overview.title, inert::quoted(&overview.input))));
    for sentence in &overview.lead {
        let _ = writeln!(text, "- {}", inert::markdown(sentence));
    }
    for remark in &overview.remarks {
        let _ = writeln!(text, "\n{}", inert::markdown(remark));
    }
    for care in &overview.cares {
        let _ = writeln!(text, "\n## {} ({})\n", inert::markdown(&care.title), care.lines.len());
        for line in care.lines.iter().take(CARED) {
            let _ = writeln!(text, "- {}", inert::markdown(line));
        }
        more(&mut text, care.lines.len(), CARED);
    }
    for view in &overview.drills {
        if overview.drills.len() > 1 {
            let _ = writeln!(text, "\n# {}, {}", inert::markdown(&view.title), words::answers(view.answers));
        }
        draw(&mut text, view);
    }
    let _ = writeln!(text, "\n{}", inert::markdown(&format!("Made by {}.", overview.tool)));
    text.replace(TIE, " ")
}

fn draw(text: &mut String, view: &View) {
    points(text, view);
    items(text, view);
    mistakes(text, "Most common mistakes", &view.mistakes, view.answers);
    mistakes(text, "Wrong values that several share and no known mistake explains", &view.unexplained, view.answers);
    if !view.forms.is_empty() {
        text.push_str("\n## Form\n\n");
        for (phrase, count) in &view.forms {
            let _ = writeln!(text, "- {} ({count}): {phrase}", percent(share(*count, view.answers)));
        }
    }
    for sum in view.sums.iter().filter(|sum| sum.both + sum.one + sum.total_only + sum.none > 0) {
        let _ = writeln!(text, "\n## Terms of {}\n", inert::markdown(&sum.name));
        let _ = writeln!(text, "| all terms | some | only the total | nothing |\n|--:|--:|--:|--:|");
        let _ = writeln!(text, "| {} | {} | {} | {} |", sum.both, sum.one, sum.total_only, sum.none);
        if !sum.who.is_empty() {
            let _ = writeln!(text, "\nOnly the total: {}.", inert::markdown(&gather::listed(&sum.who)));
        }
    }
    if !view.roots.is_empty() {
        text.push_str(
            "\n## Errors carried forward, and paid for once\n\n| begins at | answers | reaches | points kept |\n|---|--:|---|--:|\n",
        );
        for root in view.roots.iter().take(LISTED) {
            let reaches: Vec<String> = root.reaches.iter().map(|(id, _, count)| format!("{} ({count})", inert::quoted(id))).collect();
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} |",
                code(&root.ask),
                root.answers,
                inert::markdown(&reaches.join(", ")),
                shown::points(root.kept)
            );
        }
        more(text, view.roots.len(), LISTED);
    }
    if !view.backlog.is_empty() {
        text.push_str("\n## Waiting for a person\n\n| item | answers | points | why |\n|---|--:|--:|---|\n");
        for waiting in &view.backlog {
            let why: Vec<String> = waiting.why.iter().map(|(why, count)| format!("{why} ({count})")).collect();
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} |",
                code(&waiting.id),
                waiting.answers,
                shown::points(waiting.points),
                inert::markdown(&why.join(", "))
            );
        }
    }
    agreement(text, view);
}

fn agreement(text: &mut String, view: &View) {
    if view.agreement.is_empty() {
        return;
    }
    text.push_str("\n## Agreement, where something was decided twice\n\n");
    for item in &view.agreement {
        let _ = writeln!(text, "- {}: {}", code(&item.id), inert::markdown(&words::agreement(item)));
    }
    let _ = writeln!(text, "\n{}", inert::markdown(words::KAPPA));
}

fn points(text: &mut String, view: &View) {
    let bins = view.scores.bins();
    let most = bins.iter().map(|bin| bin.decided + bin.waiting).max().unwrap_or(0);
    if most == 0 {
        return;
    }
    text.push_str("\n## Points\n\n| points | answers | of which wait for a person | |\n|---|--:|--:|---|\n");
    for bin in &bins {
        let count = bin.decided + bin.waiting;
        let _ = writeln!(
            text,
            "| {}–{} | {count} | {} | {} |",
            shown::points(bin.low),
            shown::points(bin.high),
            bin.waiting,
            blocks(share(count, most))
        );
    }
}

fn items(text: &mut String, view: &View) {
    if view.parts.is_empty() {
        return;
    }
    text.push_str("\n## Items\n\n| item |");
    for look in Look::ALL {
        let _ = write!(text, " {} |", look.word());
    }
    text.push_str(" earned | with the rest |\n|---|");
    text.push_str(&"--:|".repeat(Look::ALL.len() + 2));
    text.push('\n');
    for item in view.parts.iter().flat_map(|part| &part.items) {
        let _ = write!(text, "| {} |", code(&item.id));
        for look in Look::ALL {
            let count = item.counts.iter().find(|(of, _)| *of == look).map_or(0, |(_, count)| *count);
            let _ = write!(text, " {count} |");
        }
        let _ = writeln!(
            text,
            " {} | {} |",
            item.difficulty.map_or_else(|| "–".to_owned(), percent),
            item.discrimination.map_or_else(|| "–".to_owned(), correlation)
        );
    }
    let _ = writeln!(text, "\n{}", inert::markdown(HOW_TO_READ));
}

/// What the two figures of an item mean.
pub(super) const HOW_TO_READ: &str = "Earned: the mean share of the item’s points, over the answers in which it is decided. With the rest: the \
    correlation of that share with the share earned on everything else in the same answer; from about .3 on, who does well elsewhere does well \
    here; near 0 the item says little; below 0 it deserves a look.";

fn mistakes(text: &mut String, title: &str, mistakes: &[MistakeView], answers: usize) {
    if mistakes.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n## {title}\n");
    for mistake in mistakes.iter().take(LISTED) {
        let says = mistake.says.clone().unwrap_or_else(|| inert::quoted(&mistake.code).to_string());
        let _ = writeln!(
            text,
            "- **{}** ({}) {}: {} {}",
            percent(share(mistake.answers, answers)),
            mistake.answers,
            inert::markdown(&mistake.name),
            inert::markdown(&says),
            if mistake.says.is_some() { format!("({})", code(&mistake.code)) } else { String::new() }
        );
        if let Some(quote) = &mistake.example {
            let line = format!("{}{}{}", quote.before, quote.marked, quote.after);
            let _ = writeln!(text, "  > {}", inert::markdown(&inert::quoted(&line).to_string()));
        }
    }
    more(text, mistakes.len(), LISTED);
}

fn more(text: &mut String, all: usize, listed: usize) {
    if all > listed {
        let _ = writeln!(text, "\nand {} more.", all - listed);
    }
}

fn code(id: &str) -> String {
    inert::markdown(&inert::quoted(id).to_string())
}

fn blocks(share: f64) -> String {
    // OK because a share is at most 1.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most the longest bar")]
    let count = (share * BAR).round() as usize;
    "█".repeat(count)
}
