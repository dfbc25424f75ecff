//! Many hands for one stream: what comes in is worked on by all cores, and goes out in the order in which it came.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, Builder};

use super::Trouble;

/// So many batches a thread may be on their way, so that one slow piece does not let the others pile up behind it.
const ON_THE_WAY: usize = 16;

/// Works on each piece that `next` gives, and hands the results to `take` in the order of the pieces, each as soon as it
/// and all before it are there, together with what else is ready then.
///
/// `next` gives the pieces that one thread takes at a time, none at the end; it is told how many threads share what there
/// is. It may wait for the first of them without holding back what is done, but should not wait for more.
pub(crate) fn in_order<T: Send, R: Send>(
    threads: Option<NonZero<usize>>,
    next: impl FnMut(usize) -> Vec<T> + Send,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(&mut dyn Iterator<Item = R>) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    let threads = threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get);
    let (results, done) = mpsc::channel();
    let (tickets, allowed) = mpsc::channel();
    let source = Mutex::new(Source { next, threads, allowed, given: 0 });
    thread::scope(|scope| {
        let (source, work) = (&source, &work);
        for _ in 0..threads {
            let results = results.clone();
            let worker = move || {
                while let Some((at, pieces)) = Source::give(source) {
                    // A mistake with one of them comes to light in its turn.
                    let result = |piece| panic::catch_unwind(AssertUnwindSafe(|| work(piece)));
                    if results.send((at, pieces.into_iter().map(result).collect::<Vec<_>>())).is_err() {
                        return;
                    }
                }
            };
            let started = Builder::new().name("worker".to_owned()).stack_size(16 << 20).spawn_scoped(scope, worker);
            started.map_err(|error| Trouble::Operator(format!("cannot start another thread: {error}")))?;
        }
        drop(results);
        // From here on, leaving early ends the workers.
        let (tickets, done) = (tickets, done);
        for _ in 0..threads * ON_THE_WAY {
            let _ = tickets.send(());
        }
        let mut waiting = BTreeMap::new();
        let mut wanted = 0;
        while let Ok(first) = done.recv() {
            waiting.extend([first].into_iter().chain(done.try_iter()));
            let mut ready = Vec::new();
            while let Some(results) = waiting.remove(&wanted) {
                ready.extend(results);
                wanted += 1;
                let _ = tickets.send(());
            }
            take(&mut ready.into_iter().map(|result| result.unwrap_or_else(|panic| panic::resume_unwind(panic))))?;
        }
        Ok(())
    })
}

/// Where the pieces come from.
struct Source<N> {
    next: N,
    threads: usize,
    /// By which whoever takes the results allows another batch; has gone when he has.
    allowed: Receiver<()>,
    /// The batches that were given.
    given: usize,
}

impl<N> Source<N> {
    /// The next batch and its place among all; nothing when there are no more, or nobody takes the results.
    fn give<T>(source: &Mutex<Source<N>>) -> Option<(usize, Vec<T>)>
    where
        N: FnMut(usize) -> Vec<T>,
    {
        // Where reading broke down, that is told when the threads are joined.
        let mut source = source.lock().ok()?;
        source.allowed.recv().ok()?;
        let threads = source.threads;
        let pieces = (source.next)(threads);
        source.given += 1;
        (!pieces.is_empty()).then(|| (source.given - 1, pieces))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_pieces() {
        let mut pieces = 0..1000_u64;
        let work = |piece: u64| (0..(piece * 7919) % 1000).fold(piece * 2, |sum, _| std::hint::black_box(sum));
        let mut seen = Vec::new();
        let taken = in_order(
            None,
            |_| pieces.by_ref().take(3).collect(),
            work,
            |results| {
                seen.extend(results);
                Ok(())
            },
        );
        assert!(taken.is_ok());
        assert_eq!(seen, (0..1000).map(|piece| piece * 2).collect::<Vec<_>>());
    }

    #[test]
    fn leaving_early_ends_all() {
        let mut pieces = 0..;
        let mut left = |results: &mut dyn Iterator<Item = u64>| {
            for piece in results {
                if piece >= 10 {
                    return Err(Trouble::ClosedPipe);
                }
            }
            Ok(())
        };
        let taken = in_order(None, |_| pieces.next().into_iter().collect(), |piece: u64| piece, &mut left);
        assert!(matches!(taken, Err(Trouble::ClosedPipe)));
        assert!(pieces.start < 10_000);
    }

    #[test]
    fn no_more_threads_than_are_asked_for() {
        for threads in [1, 3] {
            let (mut pieces, busy) = (0..200_u64, AtomicUsize::new(0));
            let work = |_| {
                let here = busy.fetch_add(1, Ordering::SeqCst) + 1;
                thread::sleep(Duration::from_micros(50));
                busy.fetch_sub(1, Ordering::SeqCst);
                here
            };
            let mut most = 0;
            let take = |results: &mut dyn Iterator<Item = usize>| {
                most = results.fold(most, usize::max);
                Ok(())
            };
            assert!(in_order(NonZero::new(threads), |_| pieces.next().into_iter().collect(), work, take).is_ok());
            assert!(most <= threads, "{most} at once, not {threads}");
        }
    }

    #[test]
    fn what_is_done_goes_out_while_more_is_waited_for() {
        let (ask, asked) = mpsc::channel();
        ask.send(0).expect("there is room");
        // Each piece but the first is there only when the one before it has come out.
        let (mut ask, mut seen) = (Some(ask), Vec::new());
        let take = |results: &mut dyn Iterator<Item = u64>| {
            for piece in results {
                seen.push(piece);
                ask = ask.take().filter(|ask| piece < 20 && ask.send(piece + 1).is_ok());
            }
            Ok(())
        };
        assert!(in_order(NonZero::new(2), move |_| asked.recv().into_iter().collect(), |piece: u64| piece, take).is_ok());
        assert_eq!(seen, (0..=20).collect::<Vec<_>>());
    }
}
