//! Verdicts that were found before. On the way to a grade a number is judged for an ask again and again: as what was taken, as
//! a rival, as a candidate, and once more for each choice that is left to a person. It comes out otherwise only where the
//! student's own values that bear on the ask are others.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::grade::carry::Own;
use crate::grade::judge::Judged;

/// The student's own values that bear on an ask.
type Bearing = Vec<(usize, Own)>;

/// The verdicts on a number for an ask, each with the values that it was found with.
type Known = Vec<(Bearing, Rc<Judged>)>;

/// The verdicts on the numbers of one answer, by ask and number, as far as somebody has asked for them.
#[derive(Debug, Default)]
pub(in crate::grade) struct Memory(RefCell<BTreeMap<(usize, usize), Known>>);

impl Memory {
    /// The verdict on a number for an ask with the values that bear on it; judged anew where it is not known.
    pub(super) fn verdict(
        &self,
        ask: usize,
        number: usize,
        bearing: impl Iterator<Item = (usize, Own)> + Clone,
        judge: impl FnOnce() -> Judged,
    ) -> Rc<Judged> {
        if let Some(known) = self.0.borrow().get(&(ask, number))
            && let Some((_, judged)) = known.iter().find(|(with, _)| with.iter().copied().eq(bearing.clone()))
        {
            return Rc::clone(judged);
        }
        let judged = Rc::new(judge());
        self.0.borrow_mut().entry((ask, number)).or_default().push((bearing.collect(), Rc::clone(&judged)));
        judged
    }
}
