//! Quantities as scripts get them: a line of JSON each.

use std::io::{self, Write};

use drillmark::quantity::Dimension;
use drillmark::recognize::{Kind, Reading};
use drillmark::text::Source;
use serde::Serialize;

use super::Found;

/// Where rows are written to.
pub(super) struct Rows<W> {
    out: W,
    /// What is written next: a row is put together here, and goes out with others.
    buffer: Vec<u8>,
    /// The dimensions of a text are few; their names are put together once, as JSON.
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
    pub(super) fn row(&mut self, source: &Source, found: &Found) -> io::Result<()> {
        self.object(source, found)?;
        self.end()
    }

    /// Writes all the quantities of a text on one line.
    pub(super) fn rows(&mut self, source: &Source, found: &[Found]) -> io::Result<()> {
        self.raw("{\"quantities\":[");
        for (at, found) in found.iter().enumerate() {
            if at > 0 {
                self.raw(",");
            }
            self.object(source, found)?;
        }
        self.raw("]}");
        self.end()
    }

    /// Writes something else on a line of its own.
    pub(super) fn line(&mut self, value: &serde_json::Value) -> io::Result<()> {
        self.value(value)?;
        self.end()
    }

    /// Sends out what is left.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        self.out.flush()
    }

    fn end(&mut self) -> io::Result<()> {
        self.raw("\n");
        if self.buffer.len() >= CHUNK {
            self.out.write_all(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(())
    }

    /// Writes what is JSON already.
    fn raw(&mut self, json: &str) {
        self.buffer.extend_from_slice(json.as_bytes());
    }

    fn value(&mut self, value: impl Serialize) -> io::Result<()> {
        Ok(serde_json::to_writer(&mut self.buffer, &value)?)
    }

    /// Writes a key, which is JSON already, and its value.
    fn field(&mut self, key: &str, value: impl Serialize) -> io::Result<()> {
        self.raw(key);
        self.value(value)
    }

    /// Writes a key, which is JSON already, and a text.
    fn text(&mut self, key: &str, text: &str) -> io::Result<()> {
        // Most stand in JSON as they are.
        let escapes = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
        if text.bytes().fold(false, |any, byte| any | escapes(byte)) {
            return self.field(key, text);
        }
        self.buffer.reserve(key.len() + text.len() + 2);
        self.raw(key);
        self.raw("\"");
        self.raw(text);
        self.raw("\"");
        Ok(())
    }

    fn object(&mut self, source: &Source, found: &Found) -> io::Result<()> {
        let mention = &found.mention;
        let reading = &mention.readings[0];
        self.text("{\"text\":", source.slice(found.span))?;
        self.field(",\"value\":", reading.value.to_f64())?;
        if let Some(high) = reading.high {
            self.field(",\"low\":", reading.value.to_f64())?;
            self.field(",\"high\":", high.to_f64())?;
        }
        self.text(",\"unit\":", unit(reading))?;
        self.raw(",\"dimension\":");
        self.dimension(reading.unit.as_ref().map_or(Dimension::NONE, |unit| unit.dimension));
        self.field(",\"start\":", found.span.start)?;
        self.field(",\"end\":", found.span.end)?;
        if mention.approximate {
            self.raw(",\"approximate\":true");
        }
        match mention.kind {
            Kind::AtMost => self.raw(",\"bound\":\"most\""),
            Kind::AtLeast => self.raw(",\"bound\":\"least\""),
            _ => {}
        }
        if mention.withdrawn {
            self.raw(",\"withdrawn\":true");
        }
        if let Some(noun) = found.noun {
            self.text(",\"noun\":", source.slice(noun))?;
        }
        for (at, other) in mention.readings[1..].iter().enumerate() {
            self.raw(if at == 0 { ",\"or\":[" } else { "," });
            self.field("{\"value\":", other.value.to_f64())?;
            self.text(",\"unit\":", unit(other))?;
            self.raw("}");
        }
        self.raw(if mention.readings.len() > 1 { "]}" } else { "}" });
        Ok(())
    }

    /// Writes what a quantity measures.
    fn dimension(&mut self, dimension: Dimension) {
        let known = self.dimensions.iter().position(|(known, _)| *known == dimension);
        let at = known.unwrap_or_else(|| {
            self.dimensions.truncate(MOST_DIMENSIONS);
            self.dimensions.push((dimension, serde_json::Value::from(dimension.to_string()).to_string()));
            self.dimensions.len() - 1
        });
        self.buffer.extend_from_slice(self.dimensions[at].1.as_bytes());
    }
}

fn unit(reading: &Reading) -> &str {
    reading.unit.as_ref().map_or("", |unit| unit.symbol.as_str())
}
