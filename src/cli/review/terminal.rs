//! The terminal: keys in, changed lines out. It is left as it was found, also when something goes wrong.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::panic;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{self, DisableBracketedPaste, EnableBracketedPaste, Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::{cursor, execute, terminal};

use super::app::Key;
use super::paint::{Line, Look};

/// What the terminal tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// A key was pressed.
    Key(Key),
    /// Text was pasted.
    Pasted(String),
    /// The window has another size, or what stands in it is lost.
    Redraw,
    /// Nothing for a while.
    Quiet,
}

/// A terminal that is ours alone as long as this lives.
pub(super) struct Terminal {
    /// The rows as they were written last.
    rows: Vec<String>,
    color: bool,
}

impl Terminal {
    /// Takes the terminal over.
    pub(super) fn take(color: bool) -> io::Result<Terminal> {
        terminal::enable_raw_mode()?;
        let before: Arc<dyn Fn(&panic::PanicHookInfo<'_>) + Send + Sync> = Arc::from(panic::take_hook());
        let hook = Arc::clone(&before);
        panic::set_hook(Box::new(move |info| {
            // On our screen nobody would see what it says.
            release();
            hook(info);
        }));
        execute!(io::stdout(), terminal::EnterAlternateScreen, cursor::Hide, EnableBracketedPaste)?;
        Ok(Terminal { rows: Vec::new(), color })
    }

    /// Columns and rows.
    pub(super) fn size(&self) -> (usize, usize) {
        // A terminal that does not say how large it is, is taken for the smallest in use.
        match terminal::size() {
            Ok((columns, rows)) if columns > 0 && rows > 0 => (columns.into(), rows.into()),
            _ => (80, 24),
        }
    }

    /// Writes the rows that changed.
    pub(super) fn draw(&mut self, lines: &[Line]) -> io::Result<()> {
        let mut text = String::new();
        self.rows.resize(lines.len().max(self.rows.len()), "\n".to_owned());
        for (row, known) in self.rows.iter_mut().enumerate() {
            let fresh = lines.get(row).map(|line| styled(line, self.color)).unwrap_or_default();
            if *known != fresh {
                let _ = write!(text, "\x1b[{};1H{fresh}\x1b[0m\x1b[K", row + 1);
                *known = fresh;
            }
        }
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }

    /// Forgets what stands on the screen.
    pub(super) fn forget(&mut self) -> io::Result<()> {
        self.rows.clear();
        execute!(io::stdout(), terminal::Clear(terminal::ClearType::All))
    }

    /// Waits for something to happen.
    pub(super) fn wait(&mut self) -> io::Result<Told> {
        if !event::poll(Duration::from_secs(20))? {
            return Ok(Told::Quiet);
        }
        Ok(match event::read()? {
            Event::Key(key) if key.kind != KeyEventKind::Release => match known(key.code, key.modifiers) {
                Some(key) => Told::Key(key),
                None => Told::Redraw,
            },
            Event::Paste(text) => Told::Pasted(text),
            Event::Resize(..) => Told::Redraw,
            _ => Told::Quiet,
        })
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        release();
    }
}

/// Gives the terminal back. With nobody left to tell, trouble with that is not told.
fn release() {
    let _ = execute!(io::stdout(), DisableBracketedPaste, cursor::Show, terminal::LeaveAlternateScreen);
    let _ = terminal::disable_raw_mode();
}

fn known(code: KeyCode, modifiers: KeyModifiers) -> Option<Key> {
    if modifiers.contains(KeyModifiers::CONTROL) {
        return match code {
            KeyCode::Char('c' | 'd') => Some(Key::Interrupt),
            KeyCode::Char('u') => Some(Key::Clear),
            KeyCode::Char('w') => Some(Key::ClearWord),
            _ => None,
        };
    }
    if modifiers.contains(KeyModifiers::ALT) {
        return None;
    }
    Some(match code {
        KeyCode::Char(c) => Key::Char(c),
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Escape,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Tab => Key::Tab,
        KeyCode::BackTab => Key::BackTab,
        _ => return None,
    })
}

/// A line with its escape codes: attributes always, since they are no color; colors that can be read on light and on dark.
fn styled(line: &Line, color: bool) -> String {
    let mut text = String::new();
    for (look, words) in &line.pieces {
        let codes = match (look, color) {
            (Look::Plain, _) => "",
            (Look::Dim, _) => "2",
            (Look::Bold, _) | (Look::Good | Look::Middling | Look::Bad, false) => "1",
            (Look::Marked, _) => "7",
            (Look::Good, true) => "1;32",
            (Look::Middling, true) => "1;35",
            (Look::Bad, true) => "1;31",
        };
        match codes {
            "" => text.push_str(words),
            codes => {
                let _ = write!(text, "\x1b[{codes}m{words}\x1b[0m");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_color_no_color_is_written() {
        let line = Line::new(Look::Good, "met").with(Look::Marked, "words").with(Look::Plain, " plain");
        assert_eq!(styled(&line, false), "\x1b[1mmet\x1b[0m\x1b[7mwords\x1b[0m plain");
        assert_eq!(styled(&line, true), "\x1b[1;32mmet\x1b[0m\x1b[7mwords\x1b[0m plain");
    }
}
