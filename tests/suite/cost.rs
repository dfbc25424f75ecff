//! `drillmark cost`: the exercise's own command lines, published tables, fitted measurements, and refused input.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use drillmark::collective::{Algorithm, Buckets, Collective, Fabric, Link, Node, Window, ZeroStage, cost};
use drillmark::drill::Library;
use serde_json::Value;

fn drillmark(line: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_drillmark"))
        .arg("cost")
        .args(line.split_whitespace().map(|word| word.replace('_', " ")))
        .stdin(Stdio::null())
        .output()
        .expect("the program starts")
}

#[track_caller]
fn printed(line: &str) -> String {
    let output = drillmark(line);
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

fn json(line: &str) -> Value {
    serde_json::from_str(&printed(&format!("{line} --format json"))).expect("output is JSON")
}

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/cost").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Compares what a command prints with the file beside the published tables.
fn looks_as_reviewed(name: &str, output: &str) {
    insta::with_settings!({
        snapshot_path => Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/cost"),
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, { insta::assert_snapshot!(name, output) });
}

const MESSAGE: &str = "--gpus 32 --bw 25 --latency 20 --params 1.3 --step-ms 400";
const LAYER: &str = "--gpus 32 --bw 25 --latency 20 --layer-ratio --hidden 4096 --seq 4096";

#[test]
fn the_four_lines_of_the_exercise_run_as_written() {
    looks_as_reviewed("32-gpus-buckets", &printed("--gpus 32 --bw 25 --latency 20 --params 1.3 --step-ms 400 --buckets 1,8,16,25,100"));
    looks_as_reviewed("256-gpus", &printed("--gpus 256 --bw 25 --latency 20 --params 1.3 --step-ms 400"));
    looks_as_reviewed("layer-accum-1", &printed("--gpus 32 --bw 25 --latency 20 --layer-ratio --hidden 4096 --seq 4096 --grad-accum 1"));
    looks_as_reviewed("layer-accum-4", &printed("--gpus 32 --bw 25 --latency 20 --layer-ratio --hidden 4096 --seq 4096 --grad-accum 4"));
}

#[test]
fn everything_else_looks_as_reviewed() {
    looks_as_reviewed(
        "explain-everything",
        &printed(&format!("{MESSAGE} --buckets 25 --zero 2 --grad-accum 4 --compare 8 --busbw --explain")),
    );
    looks_as_reviewed("hierarchical", &printed(&format!("{MESSAGE} --algorithm hierarchical --gpus-per-node 8 --intra-bw 300")));
    looks_as_reviewed("layer-explained", &printed(&format!("{LAYER} --explain")));
    looks_as_reviewed("sweep-gpus", &printed(&format!("{MESSAGE} --sweep gpus=8..1024")));
    looks_as_reviewed("sweep-bucket", &printed(&format!("{MESSAGE} --sweep bucket=1MiB..512MiB")));
    looks_as_reviewed("json", &printed(&format!("{MESSAGE} --buckets 25 --format json")));
}

/// Rows of a published table: column names, then numbers.
fn table(name: &str) -> (Vec<String>, Vec<Vec<f64>>) {
    let text = fixture(name);
    let mut lines = text.lines();
    let columns = lines.next().expect("a table has a head").split(',').map(str::to_owned).collect();
    let rows = lines.map(|line| line.split(',').map(|cell| cell.parse().expect("a number")).collect()).collect();
    (columns, rows)
}

#[track_caller]
fn near(got: &Value, expected: f64, what: &str) {
    let got = got.as_f64().unwrap_or_else(|| panic!("{what} is {got}"));
    assert!((got - expected).abs() <= 2e-11 * expected.abs(), "{what}: {got} is not {expected}");
}

#[test]
fn the_scaling_table_is_the_published_one() {
    let (columns, rows) = table("scaling.csv");
    let report = json(&format!("{MESSAGE} --sweep gpus=8..1024"));
    let swept = report["rows"].as_array().expect("rows");
    assert_eq!(swept.len(), rows.len());
    for (got, expected) in swept.iter().zip(&rows) {
        for (column, expected) in columns.iter().zip(expected) {
            near(&got[column], *expected, &format!("{} GPUs, {column}", got["gpus"]));
        }
    }
}

#[test]
fn the_bucket_tables_are_the_published_ones() {
    let (_, rows) = table("buckets.csv");
    for expected in rows {
        let [gpus, bytes, count, latency, bandwidth, total, times, share, exposed, efficiency] = expected[..] else {
            panic!("ten columns")
        };
        let line = format!("--gpus {gpus} --bw 25 --latency 20 --params 1.3 --step-ms 400 --buckets {bytes}B");
        let report = json(&line);
        let row = &report["buckets"][0];
        near(&row["count"], count, &line);
        near(&row["latency_s"], latency, &line);
        near(&row["bandwidth_s"], bandwidth, &line);
        near(&row["total_s"], total, &line);
        near(&row["times_one_shot"], times, &line);
        near(&row["exposed_s"], exposed, &line);
        near(&row["efficiency"], efficiency, &line);
        let latency = row["latency_s"].as_f64().zip(row["total_s"].as_f64()).map(|(each, total)| count * each / total);
        near(&latency.into(), share, &line);
    }
}

#[test]
fn units_may_be_written_and_change_nothing() {
    let bare = printed(&format!("{MESSAGE} --buckets 1,25"));
    let written = printed("--gpus 32 --bw 200_Gb/s --latency 0.02ms --params 1.3B --step-ms 0.4s --buckets 1MiB,25MiB");
    assert_eq!(bare, written);
}

/// Rows as nccl-tests prints them, for a ring with a known link, with an error of up to half a percent either way.
fn measured(ranks: u32, latency: f64, bandwidth: f64) -> String {
    let mut output = String::from(
        "# nThread 1 nGpus 1 minBytes 1024 maxBytes 4294967296 step: 2(factor) warmup iters: 5 iters: 20\n#\n# Using devices\n",
    );
    for rank in 0..ranks {
        output +=
            &format!("#  Rank {rank:2} Group  0 Pid {:6} on box{:02} device {:2} [0x{:02x}]\n", 4000 + rank, rank / 8, rank % 8, rank % 8);
    }
    output += "#\n#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong\n";
    output += "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)\n";
    let p = f64::from(ranks);
    for power in 10..=32_u32 {
        let bytes = f64::from(power).exp2();
        let noise = 1.0 + 0.005 * f64::from(power % 3) - 0.005;
        let time = noise * (2.0 * (p - 1.0) * latency + 2.0 * (p - 1.0) / p * bytes / bandwidth) * 1e6;
        let (algorithm, bus) = (bytes / time / 1e3, 2.0 * (p - 1.0) / p * bytes / time / 1e3);
        let one = format!("{time:8.2} {algorithm:7.2} {bus:7.2}      0");
        output += &format!("{bytes:12} {:13}     float     sum      -1 {one} {one}\n", bytes / 4.0);
    }
    output + "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 11.7\n#\n"
}

#[test]
fn nccl_tests_output_leads_back_to_its_link() {
    let folder = std::env::temp_dir().join(format!("drillmark-cost-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    for (ranks, latency, bandwidth) in [(32, 20e-6, 25e9), (8, 3.4e-6, 300e9), (64, 9e-6, 380e9)] {
        let file = folder.join(format!("{ranks}.txt"));
        std::fs::write(&file, measured(ranks, latency, bandwidth)).expect("a temporary file");
        let report = json(&format!("fit {}", file.display()));
        assert_eq!(report["gpus"], ranks);
        let off = |key: &str, truth: f64| (report[key].as_f64().expect("a number") / truth - 1.0).abs();
        assert!(off("latency_s", latency) < 0.01, "{}", report["latency_s"]);
        assert!(off("bw_Bps", bandwidth) < 0.01, "{}", report["bw_Bps"]);
        assert_eq!(report["points"].as_array().map(Vec::len), Some(23));
    }
    looks_as_reviewed("fit", &printed(&format!("fit {}", folder.join("32.txt").display())));
    std::fs::remove_dir_all(&folder).expect("the temporary folder goes");
}

#[test]
fn a_sweep_is_drawn_whole_or_not_at_all() {
    let file = std::env::temp_dir().join(format!("drillmark-sweep-{}.svg", std::process::id()));
    printed(&format!("{MESSAGE} --sweep gpus=8..1024 --svg {}", file.display()));
    let svg = std::fs::read_to_string(&file).expect("the chart is written");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    std::fs::remove_file(&file).expect("the chart goes");
    let nowhere = drillmark(&format!("{MESSAGE} --sweep gpus=8..1024 --svg {}/no/such/folder.svg", file.display()));
    assert_eq!(nowhere.status.code(), Some(2));
}

#[test]
fn refused_input_names_its_flag() {
    for (line, said) in [
        ("--gpus 1 --bw 25 --latency 20 --params 1.3", "invalid value '1' for '--gpus <P>': a collective needs at least two GPUs"),
        ("--gpus 32 --bw 0 --latency 20 --params 1.3", "invalid value '0' for '--bw <B>': a number above zero is wanted"),
        ("--gpus 32 --bw=-25 --latency 20 --params 1.3", "invalid value '-25' for '--bw <B>': a number above zero is wanted"),
        ("--gpus 32 --bw NaN --latency 20 --params 1.3", "invalid value 'NaN' for '--bw <B>': a number is wanted"),
        (
            "--gpus 32 --bw 25 --latency 20_GB --params 1.3",
            "invalid value '20 GB' for '--latency <α>': `GB` does not fit: a time, such as 20, 20us or 0.02ms is wanted",
        ),
        ("--gpus 32 --bw 25 --latency 20 --params 1e400", "invalid value '1e400' for '--params <N>': too large to work with"),
        ("--gpus 32 --bw 1e-300 --latency 20 --params 1e290", "--params, --bw and --latency: the result is too large to print"),
        (
            "--gpus 32 --bw 25 --latency 20 --params 1.3 --buckets 25,9999",
            "--buckets: a bucket of 9999.0000 MiB is larger than the message of 2479.55 MiB",
        ),
        ("--gpus 12 --bw 25 --latency 20 --params 1.3 --algorithm hierarchical", "--gpus-per-node: 12 GPUs do not fill whole nodes"),
        (
            "--gpus 32 --bw 25 --latency 20 --params 1.3 --algorithm tree --collective all-to-all",
            "--algorithm: this algorithm does not carry out this --collective; a ring does",
        ),
        ("--gpus 32 --bw 25 --latency 20 --params 1.3 --sweep bw=1..2", "--sweep bw=1..2: only gpus and bucket can be swept"),
        (
            "--gpus 32 --bw 25 --latency 20 --params 1.3 --svg a.svg",
            "--svg draws a sweep: add --sweep gpus=8..1024 or --sweep bucket=1MiB..512MiB",
        ),
    ] {
        let output = drillmark(line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), format!("drillmark: {said}\n"), "{line}");
        assert!(output.stdout.is_empty());
    }
}

/// The reference solver works from the drill's formulas, the tool from its model of collectives: they are the same thing
/// said twice, and neither may drift.
#[test]
fn the_model_and_the_drill_agree() {
    let drill = Library::built_in().load("communication-budget").unwrap_or_else(|_| panic!("the shipped drill loads"));
    let asked = |id: &str| {
        let ask = drill.ask(id).unwrap_or_else(|| panic!("the drill asks for {id}"));
        drill.asks[ask].formula.value().to_f64()
    };
    let given = |name: &str| drill.reference.get(drill.name(name).unwrap_or_else(|| panic!("the drill gives {name}"))).to_f64();
    let link = Link { latency: given("alpha"), bandwidth: given("B") };
    let all_reduce = |ranks: f64, link: Link| {
        let fabric = Fabric { ranks: ranks as u64, link, node: None };
        cost(Collective::AllReduce, Algorithm::Ring, &fabric).expect("a ring of several ranks")
    };
    let (message, step) = (given("N") * given("b"), given("C"));
    let (here, there) = (all_reduce(given("P"), link), all_reduce(given("P2"), link));
    let inside = all_reduce(given("g"), Link { bandwidth: given("B_node"), ..link });
    let window = Window { compute: step, backward: given("phi") * step };
    let buckets = |size: f64| Buckets { message, size }.cost(here);
    for (ask, modeled) in [
        ("a.bytes", message),
        ("b.latency", here.latency),
        ("b.bandwidth", here.bandwidth(message)),
        ("b.total", here.total(message)),
        ("b.dominance", here.bandwidth(message) / here.latency),
        ("c.fraction", here.total(message) / step),
        ("c.eff_exposed", window.efficiency(here.total(message))),
        ("e1.ratio", here.total(message) / (given("A") * step)),
        ("e2.memory", ZeroStage::Two.model_state_bytes(given("N"), given("P") as u64)),
        ("e3.ratio", inside.total(message) / step),
        ("f.crossover", here.crossover()),
        ("f.1mib_count", buckets(given("small")).count),
        ("f.1mib_total", buckets(given("small")).total),
        ("f.25_total", buckets(given("cap")).total),
        ("g.latency", there.latency),
        ("g.bandwidth", there.bandwidth(message)),
        ("g.total", there.total(message)),
        ("g.crossover", there.crossover()),
    ] {
        near(&modeled.into(), asked(ask), ask);
    }
    // ZeRO-2 replaces the all-reduce by its two halves, so the ratio of item (e2) is that of part (c).
    let node = Node { ranks: 8, link };
    let halves: f64 = ZeroStage::Two
        .phases(1)
        .iter()
        .map(|phase| {
            let fabric = Fabric { ranks: given("P") as u64, link, node: Some(node) };
            phase.times as f64 * cost(phase.collective, Algorithm::Ring, &fabric).expect("a ring").total(message)
        })
        .sum();
    near(&(halves / step).into(), asked("e2.ratio"), "e2.ratio");
}
