//! Many hands for one stream: what comes in is worked on by all cores, and goes out in the order in which it came.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZero;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};

use super::Trouble;

/// So many pieces a thread may be on their way, so that one slow piece does not let the others pile up behind it.
const ON_THE_WAY: usize = 32;

/// Works on each piece that `next` gives, and hands the results to `take` in the order of the pieces, each as soon as it
/// and all before it are there. `next` may wait for more without holding back what is done.
pub(crate) fn in_order<T: Send, R: Send>(
    mut next: impl FnMut() -> Option<T> + Send,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let (jobs, queue) = mpsc::channel::<(usize, T)>();
    let (results, done) = mpsc::channel();
    let (tickets, allowed) = mpsc::channel();
    let queue = Mutex::new(queue);
    thread::scope(|scope| {
        let (queue, work) = (&queue, &work);
        let start = |name: &str| Builder::new().name(name.to_owned()).stack_size(16 << 20);
        let refused = |error: io::Error| Trouble::Operator(format!("cannot start another thread: {error}"));
        start("reader")
            .spawn_scoped(scope, move || {
                for at in 0.. {
                    // Whoever takes the results has gone, or there is nothing more, or nobody works on it.
                    if allowed.recv().is_err() || next().is_none_or(|piece| jobs.send((at, piece)).is_err()) {
                        return;
                    }
                }
            })
            .map_err(refused)?;
        for _ in 0..threads {
            let results = results.clone();
            let worker = move || {
                while let Some((at, piece)) = take_one(queue) {
                    let result = panic::catch_unwind(AssertUnwindSafe(|| work(piece)));
                    if results.send((at, result)).is_err() {
                        return;
                    }
                }
            };
            start("worker").spawn_scoped(scope, worker).map_err(refused)?;
        }
        drop(results);
        // From here on, leaving early ends the reader, and with it the workers.
        let (tickets, done) = (tickets, done);
        for _ in 0..threads * ON_THE_WAY {
            let _ = tickets.send(());
        }
        let mut waiting = BTreeMap::new();
        let mut wanted = 0;
        for (at, result) in &done {
            waiting.insert(at, result);
            while let Some(result) = waiting.remove(&wanted) {
                take(result.unwrap_or_else(|panic| panic::resume_unwind(panic)))?;
                wanted += 1;
                let _ = tickets.send(());
            }
        }
        Ok(())
    })
}

fn take_one<T>(queue: &Mutex<Receiver<T>>) -> Option<T> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_pieces() {
        let mut pieces = 0..1000_u64;
        let work = |piece: u64| (0..(piece * 7919) % 1000).fold(piece * 2, |sum, _| std::hint::black_box(sum));
        let mut seen = Vec::new();
        let taken = in_order(
            || pieces.next(),
            work,
            |result| {
                seen.push(result);
                Ok(())
            },
        );
        assert!(taken.is_ok());
        assert_eq!(seen, (0..1000).map(|piece| piece * 2).collect::<Vec<_>>());
    }

    #[test]
    fn leaving_early_ends_all() {
        let mut pieces = 0..;
        let taken = in_order(|| pieces.next(), |piece: u64| piece, |piece| if piece < 10 { Ok(()) } else { Err(Trouble::ClosedPipe) });
        assert!(matches!(taken, Err(Trouble::ClosedPipe)));
        assert!(pieces.start < 10_000);
    }
}
