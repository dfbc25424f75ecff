//! How fast texts are read: megabytes a second from 1 KB to 10 MB of an ordinary answer, and on texts made to be slow.
//!
//! `cargo bench --bench reading`. Times per byte have to be flat down each column; a text that takes longer the longer it
//! is, byte for byte, is a way to stop a grader. `read` is what `drillmark read` does but for the writing; `chains` is the
//! recognizer alone on the raw text, with the chains of work, as grading needs it. A text that is all quantities, one in two
//! bytes, costs a few times what an ordinary answer does, which has one in thirty.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use drillmark::answer::{Answer, Kind};
use drillmark::formula::KnownNames;
use drillmark::quantity::Units;
use drillmark::recognize::{self, Context};
use drillmark::text::{Passage, Source};

/// A page as students write it: prose, a list, formulas, a table, code.
const PAGE: &str = "\
## (b) Ring all-reduce time

Each of the 32 GPUs sends its share of the gradient to the next one, and that 62 times in all. With a hop latency of
20 µs the latency term is $2(P-1)\\alpha = 2 \\cdot 31 \\cdot 20\\,\\mu\\text{s} = 1.24\\,\\text{ms}$, and the bandwidth term is

$$\\frac{2(P-1)}{P} \\cdot \\frac{S}{B} = \\frac{62}{32} \\cdot \\frac{2.6 \\times 10^9\\,\\text{B}}{25\\,\\text{GB/s}} = 201.5\\,\\text{ms}$$

so that the total is **202.7 ms**, about 50.7 % of the 400 ms step. The bandwidth term dominates: it is roughly 160x the
latency term, which nobody would notice. See Section 3.2 of the handout and [the paper](https://arxiv.org/abs/1909.08053).

- weights: 2,600,000,000 bytes (2479.6 MiB), in bf16
- optimizer states: 12 bytes per parameter, so 15.6 GB, which does not change when the number of workers does
- one bucket of 25 MiB takes `t = 1.24e-3 + 0.002` s, between 3 and 4 ms

| term | time (ms) | share |
|---|---:|---:|
| latency | 1.24 | 0.6 % |
| bandwidth | 201.5 | 99.4 % |

";

fn main() {
    let units = Units::standard();
    let symbols = KnownNames::default();
    let context = Context { units: &units, symbols: &symbols, unit_hint: None };
    let measure = |name: &str, text: &str, ordinary: Option<f64>| {
        let source = Source::new("bench", text);
        let read = time(|| {
            let mut count = 0;
            Answer::read_in_turn(black_box(&source), Kind::Markdown, |blocks| {
                count += recognize::read_quantities(blocks, &units, &symbols).map(|(_, found)| found.len()).sum::<usize>();
            });
            count
        });
        let passage = Passage::verbatim(text, 0);
        let recognized = time(|| recognize::recognize(black_box(&passage), &context).mentions.len());
        let per_byte = |time: Duration| time.as_secs_f64() * 1e9 / text.len() as f64;
        let ratio = ordinary.map_or(String::new(), |ordinary| format!("{:.1}", per_byte(read) / ordinary));
        let (read, recognized) = (per_byte(read), per_byte(recognized));
        println!("{name:34} {:>9} {:>10.1} {:>10.1} {:>12.1} {ratio:>10}", text.len(), 1e3 / read, read, recognized);
        read
    };
    println!("{:34} {:>9} {:>10} {:>10} {:>12} {:>10}", "", "bytes", "read MB/s", "read ns/B", "chains ns/B", "x ordinary");
    let mut ordinary = 0.0;
    for size in [1_000, 10_000, 100_000, 1_000_000, 10_000_000] {
        let text: String = PAGE.chars().cycle().take(size).collect();
        ordinary = measure("an ordinary answer", &text, None);
    }
    for unit in [
        "1e1e", "((((", "7777", "$", " ", "1,1,", "1 1 1 ", "±", "\\", "|", "`", "10^10^", "×", "1/1/", "a=b=", "1.1.", "1-1-", "[1,2",
        "a_1-", "1:1:", "one ", "twenty ", "x10^", "µµ", "1×", "**1", "|1", "1 GB ", "5 ms = ", "~~1~~", "> ", "- 1\n", "\\frac{", "[^1]",
        "<a", "2 to ",
    ] {
        for size in [100_000, 1_000_000] {
            let text: String = unit.chars().cycle().take(size).collect();
            measure(&format!("{unit:?} again and again"), &text, Some(ordinary));
        }
    }
}

/// The least time of a few runs: what the work takes when nothing else gets in the way.
fn time(mut work: impl FnMut() -> usize) -> Duration {
    let started = Instant::now();
    let mut least = Duration::MAX;
    for run in 0..20 {
        let start = Instant::now();
        black_box(work());
        least = least.min(start.elapsed());
        if run >= 2 && started.elapsed() > Duration::from_millis(600) {
            break;
        }
    }
    least
}
