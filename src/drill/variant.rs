//! Variants: the same drill with other givens, drawn from the values that its author allows.
//!
//! The same seed draws the same values on every machine. Which draws hold is not known here: `lint` tells, and draws
//! again where two things that have to be told apart come to the same.

use sha2::{Digest, Sha256};

use super::{Drill, NameId, Origin, Part};
use crate::formula::Style;
use crate::quantity::Number;

/// What a variant is drawn by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seed([u8; 32]);

impl Seed {
    /// A seed that a person names: `7`, `autumn`.
    pub fn named(name: &str) -> Seed {
        Seed(Sha256::new().chain_update(b"drillmark variant\0").chain_update(name.trim()).finalize().into())
    }

    /// The seed of a student: without the course's secret salt, nobody can tell whose variant is whose.
    pub fn of_student(id: &str, salt: &[u8]) -> Seed {
        let hash = Sha256::new().chain_update(b"drillmark student\0").chain_update((salt.len() as u64).to_le_bytes());
        Seed(hash.chain_update(salt).chain_update(id.trim()).finalize().into())
    }

    /// A whole number below `of`, its own for each attempt and each thing that is drawn.
    fn draw(&self, attempt: u32, what: &str, of: usize) -> usize {
        let hash = Sha256::new().chain_update(self.0).chain_update(attempt.to_le_bytes()).chain_update(what).finalize();
        let number = hash.iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        // The remainder favors none of a few thousand values by more than one in 10^15.
        (number % of.max(1) as u64) as usize
    }
}

impl Drill {
    /// Whether any given varies.
    pub fn varies(&self) -> bool {
        self.names.iter().any(|name| !name.draws.is_empty())
    }

    /// The values of one attempt at a variant, one for each given that varies.
    pub fn draw(&self, seed: &Seed, attempt: u32) -> Vec<(NameId, Number)> {
        let varied = self.names.iter().enumerate().filter(|(_, name)| !name.draws.is_empty());
        varied.map(|(at, name)| (NameId(at), name.draws[seed.draw(attempt, &name.name, name.draws.len())])).collect()
    }

    /// Writes the values of givens and assumptions into the questions' texts. In a drill that never varies, braces are braces.
    pub(super) fn fill_in(&mut self) {
        if !self.varies() {
            return;
        }
        let values: Vec<(String, String)> = self
            .names
            .iter()
            .filter(|name| name.origin != Origin::Let)
            .map(|name| (format!("{{{}}}", name.name), name.formula.expr().show(Style::Unicode, &self.units)))
            .collect();
        let fill = |part: &mut Part| part.text = values.iter().fold(part.template.clone(), |text, (name, value)| text.replace(name, value));
        for part in &mut self.parts {
            fill(part);
            part.items.iter_mut().for_each(fill);
        }
    }
}
