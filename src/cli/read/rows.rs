//! Quantities as scripts get them: a line of JSON each.

use std::borrow::Cow;
use std::io::{self, Write};

use drillmark::answer::Answer;
use drillmark::quantity::Dimension;
use drillmark::recognize::{Kind, Reading};
use serde::Serialize;

use super::Found;

/// A quantity as scripts get it.
#[derive(Serialize)]
struct Row<'a> {
    text: &'a str,
    value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<f64>,
    unit: &'a str,
    dimension: Cow<'a, str>,
    start: usize,
    end: usize,
    #[serde(skip_serializing_if = "is_false")]
    approximate: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'static str>,
    #[serde(skip_serializing_if = "is_false")]
    withdrawn: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    noun: Option<&'a str>,
    #[serde(skip_serializing_if = "Readings::is_empty")]
    or: Readings<'a>,
}

/// The other ways to take a quantity.
struct Readings<'a>(&'a [Reading]);

impl Readings<'_> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Readings<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|reading| Other { value: reading.value.to_f64(), unit: unit(reading) }))
    }
}

#[derive(Serialize)]
struct Other<'a> {
    value: f64,
    unit: &'a str,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// What was found in one line of `--input jsonl`.
#[derive(Serialize)]
struct Line<'a> {
    quantities: Vec<Row<'a>>,
}

/// Where rows are written to.
pub(super) struct Rows<W> {
    out: W,
    /// What is written next: a row is put together here, and goes out with others.
    buffer: Vec<u8>,
    /// The dimensions of a text are few, and their names are put together once.
    dimensions: Vec<(Dimension, String)>,
}

/// Bytes that go out at once.
const CHUNK: usize = 1 << 16;

/// Dimensions whose names are kept; an ordinary text has a handful.
const MOST_DIMENSIONS: usize = 16;

impl<W: Write> Rows<W> {
    pub(super) fn new(out: W) -> Rows<W> {
        Rows { out, buffer: Vec::with_capacity(CHUNK + CHUNK / 8), dimensions: Vec::new() }
    }

    /// Writes a quantity on a line of its own.
    pub(super) fn row(&mut self, answer: &Answer, found: &Found) -> io::Result<()> {
        self.learn(found);
        serde_json::to_writer(&mut self.buffer, &row(answer, found, &self.dimensions))?;
        self.end()
    }

    /// Writes all the quantities of a text on one line.
    pub(super) fn rows(&mut self, answer: &Answer, found: &[Found]) -> io::Result<()> {
        for found in found {
            self.learn(found);
        }
        let quantities = found.iter().map(|found| row(answer, found, &self.dimensions)).collect();
        serde_json::to_writer(&mut self.buffer, &Line { quantities })?;
        self.end()
    }

    /// Writes something else on a line of its own.
    pub(super) fn line(&mut self, value: &serde_json::Value) -> io::Result<()> {
        serde_json::to_writer(&mut self.buffer, value)?;
        self.end()
    }

    /// Sends out what is left.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        self.out.flush()
    }

    fn end(&mut self) -> io::Result<()> {
        self.buffer.push(b'\n');
        if self.buffer.len() >= CHUNK {
            self.out.write_all(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(())
    }

    fn learn(&mut self, found: &Found) {
        let dimension = dimension(&found.mention.readings[0]);
        if self.dimensions.len() < MOST_DIMENSIONS && !self.dimensions.iter().any(|(known, _)| *known == dimension) {
            self.dimensions.push((dimension, dimension.to_string()));
        }
    }
}

fn dimension(reading: &Reading) -> Dimension {
    reading.unit.as_ref().map_or(Dimension::NONE, |unit| unit.dimension)
}

fn unit(reading: &Reading) -> &str {
    reading.unit.as_ref().map_or("", |unit| unit.symbol.as_str())
}

fn row<'a>(answer: &'a Answer, found: &'a Found, dimensions: &'a [(Dimension, String)]) -> Row<'a> {
    let mention = &found.mention;
    let reading = &mention.readings[0];
    let dimension = dimension(reading);
    let high = reading.high.map(|high| high.to_f64());
    Row {
        text: answer.source.slice(found.span),
        value: reading.value.to_f64(),
        low: high.map(|_| reading.value.to_f64()),
        high,
        unit: unit(reading),
        dimension: match dimensions.iter().find(|(known, _)| *known == dimension) {
            Some((_, name)) => name.into(),
            None => dimension.to_string().into(),
        },
        start: found.span.start,
        end: found.span.end,
        approximate: mention.approximate,
        bound: match mention.kind {
            Kind::AtMost => Some("most"),
            Kind::AtLeast => Some("least"),
            _ => None,
        },
        withdrawn: mention.withdrawn,
        noun: found.noun.map(|noun| answer.source.slice(noun)),
        or: Readings(&mention.readings[1..]),
    }
}
