//! Which changed feedback is to be accepted: what the flag names, or what a person says to each.

use std::io::{self, BufRead, IsTerminal, Write};

use drillmark::report::{difference, inert};

use super::super::{Shell, Trouble};
use super::Tested;

/// What `--accept` asks for.
pub(super) struct Accept {
    how: How,
}

enum How {
    All,
    /// These fixtures, `DRILL/CASE` or only `CASE`.
    Named(Vec<String>),
    /// A person says it for each.
    Asked,
    /// No more of them.
    Done,
}

impl Accept {
    /// Reads the flag's values; a name that no fixture has is told before anything is written.
    pub(super) fn new(names: &[String], tested: &[Tested]) -> Result<Accept, Trouble> {
        if names.iter().any(|name| name == "all") {
            return Ok(Accept { how: How::All });
        }
        if names.is_empty() {
            if !io::stdin().is_terminal() {
                let what = "--accept without a name asks for each at a terminal; elsewhere, name the fixtures, or say `--accept all`";
                return Err(Trouble::Operator(what.to_owned()));
            }
            return Ok(Accept { how: How::Asked });
        }
        if let Some(unknown) = names.iter().find(|name| !tested.iter().any(|tested| is_meant(name, tested))) {
            return Err(Trouble::Operator(format!("--accept {unknown}: there is no fixture of this name")));
        }
        Ok(Accept { how: How::Named(names.to_vec()) })
    }

    /// Whether everything is accepted that there is.
    pub(super) fn is_all(&self) -> bool {
        matches!(self.how, How::All)
    }

    /// Whether the feedback of this fixture is to be accepted.
    pub(super) fn wants(&mut self, tested: &Tested, shell: &mut Shell) -> Result<bool, Trouble> {
        match &self.how {
            How::All => Ok(true),
            How::Named(names) => Ok(names.iter().any(|name| is_meant(name, tested))),
            How::Done => Ok(false),
            How::Asked => self.ask(tested, shell),
        }
    }

    fn ask(&mut self, tested: &Tested, shell: &mut Shell) -> Result<bool, Trouble> {
        let out = shell.out();
        writeln!(out, "\n{}", inert::terminal(&tested.name))?;
        write!(out, "{}", difference::terminal(tested.accepted.as_deref().unwrap_or_default(), &tested.feedback))?;
        for difference in &tested.differences {
            writeln!(out, "its verdict is not as declared: {}", inert::terminal(&difference.what))?;
        }
        loop {
            write!(out, "accept this feedback? [y]es, [n]o, [a]ll from here on, [q]uit: ")?;
            out.flush()?;
            let mut line = String::new();
            let read = io::stdin().lock().read_line(&mut line)?;
            match line.trim() {
                "y" | "yes" => return Ok(true),
                "n" | "no" => return Ok(false),
                "a" | "all" => {
                    self.how = How::All;
                    return Ok(true);
                }
                "q" | "quit" => {
                    self.how = How::Done;
                    return Ok(false);
                }
                _ if read == 0 => {
                    self.how = How::Done;
                    return Ok(false);
                }
                _ => {}
            }
        }
    }
}

fn is_meant(name: &str, tested: &Tested) -> bool {
    tested.name == name || tested.case.name == name || tested.case.file() == name
}
