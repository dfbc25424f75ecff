use super::*;

/// The tables of a text: columns parted by `|`, the line that names them marked, a part's label in brackets before it.
fn shown(text: &str) -> String {
    let mut out = String::new();
    for table in tables(text) {
        if let Some(margin) = &table.margin {
            out += &format!("[{}]\n", &text[margin.clone()]);
        }
        let rows = table.cells.iter().map(|cell| cell.row).max().map_or(0, |row| row + 1);
        for row in 0..rows {
            let cells: Vec<&Cell> = table.cells.iter().filter(|cell| cell.row == row).collect();
            let columns = cells.iter().map(|cell| cell.column).max().map_or(0, |column| column + 1);
            let texts = (0..columns)
                .map(|column| cells.iter().find(|cell| cell.column == column).map_or("", |cell| &text[cell.range.clone()]).to_owned());
            let head = if cells.first().is_some_and(|cell| cell.header) { "# " } else { "" };
            out += &format!("{head}{}\n", texts.collect::<Vec<_>>().join("|"));
        }
        out.push_str("--\n");
    }
    out
}

#[test]
fn tables_are_recognized_however_they_are_drawn() {
    let cases: &[(&str, &str)] = &[
        // A box, with a header that is wider than its column.
        (
            "+----+--------+---------+\n| n  | t/ms | n*t (ms) |\n+----+--------+---------+\n|  4 |  0,25  |   1,0   |\n| 16 |  0,25  |   4,0   |\n+----+--------+---------+",
            "# n|t/ms|n*t (ms)\n4|0,25|1,0\n16|0,25|4,0\n--\n",
        ),
        ("┌───┬────┐\n│ a │ ms │\n├───┼────┤\n│ x │ 12 │\n└───┴────┘", "# a|ms\nx|12\n--\n"),
        // Bars without those at the margins, and an empty corner.
        ("      | 8 ranks | 64 ranks\nhops  | 14 | 126\ndata  | 91 | 98", "# |8 ranks|64 ranks\nhops|14|126\ndata|91|98\n--\n"),
        // What pandas prints.
        ("   size  count   ms\n0   1.5     12  3.4\n1  24.0      2  0.9", "# |size|count|ms\n0|1.5|12|3.4\n1|24.0|2|0.9\n--\n"),
        // What tabulate prints.
        ("term      value\n------  -------\nlat        1.5\nvol      180.25", "# term|value\nlat|1.5\nvol|180.25\n--\n"),
        // A list of names and values; the longest name leaves a single space.
        (
            "hops       2.4 ms\nthroughput 181 ms   (most of it)\nsum        183.4 ms",
            "hops|2.4 ms\nthroughput|181 ms   (most of it)\nsum|183.4 ms\n--\n",
        ),
        // The label of a part in the margin.
        (
            "e   change        share/%   step/ms\n    one            12,5      800\n    the other      50        200\n    one: a remark, and no row.",
            "[e   change]\n# |share/%|step/ms\none|12,5|800\nthe other|50|200\n--\n",
        ),
        ("name\tms\tshare\nhops\t2\t1 %\ndata\t198\t99 %", "# name|ms|share\nhops|2|1 %\ndata|198|99 %\n--\n"),
        ("term;ms;part\nhops;2,5;1\ndata;200;99", "# term|ms|part\nhops|2,5|1\ndata|200|99\n--\n"),
        ("size,n,ms\n1,2480,40\n25,100,9", "# size|n|ms\n1|2480|40\n25|100|9\n--\n"),
        // A cell is missing, and one holds a word.
        (
            "            8       64     ratio\nhops       14      126     9\ndata       91      98.4    1.08\nbatch      -       512",
            "# |8|64|ratio\nhops|14|126|9\ndata|91|98.4|1.08\nbatch|-|512\n--\n",
        ),
        // The row names end in a colon.
        ("  1 MB:  260 pieces   3.1 s\n 25 MB:   11 pieces   0.3 s", "1 MB|260 pieces|3.1 s\n25 MB|11 pieces|0.3 s\n--\n"),
    ];
    for (text, wanted) in cases {
        assert_eq!(shown(text), *wanted, "{text}");
    }
}

#[test]
fn prose_is_no_table() {
    for text in [
        "The sum is 202 ms.  That is half of the step.\nThe rest is 198 ms.  Nobody waits for it.",
        "(a) 2.6 GB   2480 MiB\n(b) 1.24 ms   201.5 ms",
        "lat  = 1.24 ms\nbw   = 201.5 ms",
        "latency:   1.24 ms\nbandwidth: 201.5 ms",
        "1. first,  5 ms\n2. second,  6 ms",
        "P(a | b) is 5 and\nnothing else is",
        "101,5/200 = 50,75 %.\nOhne: 200/301,5 = 66,33 %.",
        "1,24\n201,5\n202,74",
        "a, b, c, d\n1, 2, 3, 4",
        "one  two\nthree  four",
        "just one row   5 ms   6 ms",
    ] {
        assert_eq!(shown(text), "", "{text}");
    }
}

#[test]
fn text_around_a_table_stays() {
    let text = "Before it:\nsize   n    ms\n1      5    3\n2      9    4\nand behind it";
    let block = Block { printed: true, ..Block::new(crate::text::Passage::verbatim(text, 10), Role::Output) };
    let mut blocks = Vec::new();
    let mut count = 4;
    take_apart(block, &mut count, &mut blocks);
    let texts: Vec<&str> = blocks.iter().map(|block| block.passage.text().trim()).collect();
    assert_eq!(texts, ["Before it:", "size", "n", "ms", "1", "5", "3", "2", "9", "4", "and behind it"]);
    assert_eq!(blocks[5].passage.span(0..1).range(), 10 + text.find("5    3").unwrap_or(0)..10 + text.find("5    3").unwrap_or(0) + 1);
    assert_eq!(blocks[5].role, Role::Cell { table: 4, row: 1, column: 1, header: false });
    assert!(blocks[5].printed);
    assert_eq!(count, 5);
}
