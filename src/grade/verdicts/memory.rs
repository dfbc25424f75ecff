//! Verdicts that were found before. On the way to a grade a number is judged for an ask again and again: as what was taken, as
//! a rival, as a candidate, and once more for each choice that is left to a person. It comes out otherwise only where the
//! student's own values that bear on the ask are others.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use smallvec::SmallVec;

use crate::grade::carry::{self, Own, Routes, Way};
use crate::grade::judge::Judged;

/// One of the student's own values, as a place among all that were ever learned from an answer.
pub(in crate::grade) type Mark = u32;

/// Verdicts with their numbers, in the order of these.
type Verdicts = SmallVec<[(usize, Rc<Judged>); 2]>;

/// The verdicts on the numbers of one answer, as far as somebody has asked for them.
#[derive(Debug)]
pub(in crate::grade) struct Memory {
    /// The student's own values, and the asks that they are for.
    own: RefCell<Vec<(usize, Own)>>,
    /// By ask: which of them bore on it at first; what bore on it otherwise follows.
    bearings: Vec<OnceCell<Bearing>>,
}

/// The student's own values that bear on an ask at a time, the ways to work it out from them, as soon as somebody wants to know, and
/// the verdicts with them.
#[derive(Debug)]
pub(super) struct Bearing {
    own: SmallVec<[Mark; 12]>,
    ways: OnceCell<Vec<Way>>,
    verdicts: RefCell<Verdicts>,
    /// The next other ones that bore on the ask.
    next: OnceCell<Box<Bearing>>,
}

impl Bearing {
    fn of(own: impl Iterator<Item = Mark>) -> Bearing {
        Bearing { own: own.collect(), ways: OnceCell::new(), verdicts: RefCell::default(), next: OnceCell::new() }
    }

    /// The ways to work the ask out from the own values at that time.
    pub(super) fn ways(&self, routes: &Routes, ask: usize, own: &[(usize, Own)]) -> &[Way] {
        self.ways.get_or_init(|| carry::ways(routes, ask, own))
    }

    /// The verdict on a number for the ask; judged anew where it is not known.
    pub(super) fn verdict(&self, number: usize, judge: impl FnOnce() -> Judged) -> Rc<Judged> {
        let place = |verdicts: &[(usize, Rc<Judged>)]| verdicts.binary_search_by_key(&number, |(number, _)| *number);
        let known = self.verdicts.borrow();
        if let Ok(at) = place(&known) {
            return Rc::clone(&known[at].1);
        }
        drop(known);
        let judged = Rc::new(judge());
        let mut known = self.verdicts.borrow_mut();
        if let Err(at) = place(&known) {
            known.insert(at, (number, Rc::clone(&judged)));
        }
        judged
    }
}

impl Memory {
    /// Nothing is known about the asks of a drill.
    pub(in crate::grade) fn of(asks: usize) -> Memory {
        Memory { own: RefCell::new(Vec::with_capacity(asks)), bearings: (0..asks).map(|_| OnceCell::new()).collect() }
    }

    /// Keeps an own value for an ask.
    pub(in crate::grade) fn mark(&self, ask: usize, own: &Own) -> Mark {
        let mut known = self.own.borrow_mut();
        let place = known.iter().position(|(other, known)| *other == ask && known == own);
        let place = place.unwrap_or_else(|| {
            known.push((ask, *own));
            known.len() - 1
        });
        Mark::try_from(place).expect("nobody has four billion values of their own")
    }

    /// The own values that bear on an ask.
    pub(super) fn bearing(&self, ask: usize, own: impl Iterator<Item = Mark> + Clone) -> &Bearing {
        let mut bearing = self.bearings[ask].get_or_init(|| Bearing::of(own.clone()));
        while !bearing.own.iter().copied().eq(own.clone()) {
            bearing = bearing.next.get_or_init(|| Box::new(Bearing::of(own.clone())));
        }
        bearing
    }
}
