//! Verdicts that were found before. On the way to a grade a number is judged for an ask again and again: as what was taken, as
//! a rival, as a candidate, and once more for each choice that is left to a person. It comes out otherwise only where the
//! student's own values that bear on the ask are others.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use smallvec::SmallVec;

use crate::grade::carry::{self, Own, Routes, Way};
use crate::grade::judge::Judged;

/// One of the student's own values, as a place among all that were ever learned from an answer.
pub(in crate::grade) type Mark = usize;

/// The verdicts on the numbers of one answer, as far as somebody has asked for them.
#[derive(Debug, Default)]
pub(in crate::grade) struct Memory {
    /// The student's own values, and the asks that they are for.
    own: RefCell<Vec<(usize, Own)>>,
    /// By ask: which of them bore on it, each time that they were others.
    bearings: RefCell<Vec<Vec<Rc<Bearing>>>>,
    /// By ask, by which own values bore on it, and by number.
    verdicts: RefCell<BTreeMap<(usize, usize, usize), Rc<Judged>>>,
}

/// The student's own values that bear on an ask at a time, and the ways to work it out from them, as soon as somebody wants to know.
#[derive(Debug)]
pub(super) struct Bearing {
    /// Its place among those that ever bore on the ask.
    place: usize,
    own: SmallVec<[Mark; 12]>,
    ways: OnceCell<Vec<Way>>,
}

impl Bearing {
    /// The ways to work the ask out from the own values at that time.
    pub(super) fn ways(&self, routes: &Routes, ask: usize, own: &[(usize, Own)]) -> &[Way] {
        self.ways.get_or_init(|| carry::ways(routes, ask, own))
    }
}

impl Memory {
    /// Keeps an own value for an ask.
    pub(in crate::grade) fn mark(&self, ask: usize, own: &Own) -> Mark {
        let mut known = self.own.borrow_mut();
        let place = known.iter().position(|(other, known)| *other == ask && known == own);
        place.unwrap_or_else(|| {
            known.push((ask, *own));
            known.len() - 1
        })
    }

    /// The own values that bear on an ask.
    pub(super) fn bearing(&self, ask: usize, own: SmallVec<[Mark; 12]>) -> Rc<Bearing> {
        let mut bearings = self.bearings.borrow_mut();
        if bearings.len() <= ask {
            bearings.resize_with(ask + 1, Vec::new);
        }
        let known = &mut bearings[ask];
        let place = known.iter().position(|known| known.own == own).unwrap_or_else(|| {
            known.push(Rc::new(Bearing { place: known.len(), own, ways: OnceCell::new() }));
            known.len() - 1
        });
        Rc::clone(&known[place])
    }

    /// The verdict on a number for an ask with the own values that bear on it; judged anew where it is not known.
    pub(super) fn verdict(&self, ask: usize, number: usize, bearing: &Bearing, judge: impl FnOnce() -> Judged) -> Rc<Judged> {
        let key = (ask, bearing.place, number);
        if let Some(judged) = self.verdicts.borrow().get(&key) {
            return Rc::clone(judged);
        }
        let judged = Rc::new(judge());
        self.verdicts.borrow_mut().insert(key, Rc::clone(&judged));
        judged
    }
}
