//! Verdicts that were found before. On the way to a grade a number is judged for an ask again and again: as what was taken, as
//! a rival, as a candidate, and once more for each choice that is left to a person. It comes out otherwise only where the
//! student's own values that bear on the ask are others.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::grade::carry::{Bearing, Own};
use crate::grade::judge::Judged;

/// The verdicts on the numbers of one answer, as far as somebody has asked for them.
#[derive(Debug, Default)]
pub(in crate::grade) struct Memory {
    /// By ask: the student's own values that bore on it, each time that they were others.
    bearings: RefCell<Vec<Vec<Rc<Bearing>>>>,
    /// By ask, by which of those values bore on it, and by number.
    verdicts: RefCell<BTreeMap<(usize, usize, usize), Rc<Judged>>>,
}

/// The own values that bear on an ask at a time, and which of those that ever did they are.
pub(super) struct Time {
    which: usize,
    /// The values, and what is carried from them.
    pub(super) bearing: Rc<Bearing>,
}

impl Memory {
    /// The student's own values that bear on an ask.
    pub(super) fn bearing(&self, ask: usize, own: impl Iterator<Item = (usize, Own)> + Clone) -> Time {
        let mut bearings = self.bearings.borrow_mut();
        if bearings.len() <= ask {
            bearings.resize_with(ask + 1, Vec::new);
        }
        let known = &mut bearings[ask];
        let which = known.iter().position(|known| known.is(own.clone())).unwrap_or_else(|| {
            known.push(Rc::new(Bearing::of(own)));
            known.len() - 1
        });
        Time { which, bearing: Rc::clone(&known[which]) }
    }

    /// The verdict on a number for an ask with the values that bear on it; judged anew where it is not known.
    pub(super) fn verdict(&self, ask: usize, number: usize, at: &Time, judge: impl FnOnce(&Bearing) -> Judged) -> Rc<Judged> {
        let key = (ask, at.which, number);
        if let Some(judged) = self.verdicts.borrow().get(&key) {
            return Rc::clone(judged);
        }
        let judged = Rc::new(judge(&at.bearing));
        self.verdicts.borrow_mut().insert(key, Rc::clone(&judged));
        judged
    }
}
