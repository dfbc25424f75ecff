//! JSON on one line, with every character that a terminal might obey written as an escape.
//!
//! The bytes are those that [`inert::json`] makes of what `serde_json` writes. A report is some hundreds of short keys and short
//! values, and most of what they cost in general is handing each comma, quotation mark and key to a writer of its own.

use serde::Serialize;
use serde::ser::{Error as _, Impossible, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple, SerializeTupleStruct, Serializer};
use serde_json::Error;

use crate::report::inert;

/// The bytes of a usual report, so that room is made for it once.
const USUAL: usize = 16 << 10;

/// A value on one line. It has the shapes of reports: keys that are strings, and no variants with several values.
pub(super) fn write(value: &impl Serialize) -> Result<String, Error> {
    let mut line = Line { bytes: Vec::with_capacity(USUAL) };
    value.serialize(&mut line)?;
    String::from_utf8(line.bytes).map_err(Error::custom)
}

/// A line, as far as it is written.
struct Line {
    bytes: Vec<u8>,
}

impl Line {
    #[inline]
    fn plain(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn string(&mut self, text: &str) {
        self.bytes.push(b'"');
        // What is shown is taken over in stretches, and nearly all of it is plain.
        let (mut taken, mut at) = (0, 0);
        while let Some(next) = text.as_bytes()[at..].iter().position(|byte| !IS_PLAIN[usize::from(*byte)]) {
            at += next;
            let Some(c) = text[at..].chars().next() else { break };
            let end = at + c.len_utf8();
            if c.is_ascii() || inert::may_be_obeyed(c) {
                self.plain(&text[taken..at]);
                self.escape(c);
                taken = end;
            }
            at = end;
        }
        self.plain(&text[taken..]);
        self.bytes.push(b'"');
    }

    fn escape(&mut self, c: char) {
        match c {
            '"' => self.plain("\\\""),
            '\\' => self.plain("\\\\"),
            '\n' => self.plain("\\n"),
            '\r' => self.plain("\\r"),
            '\t' => self.plain("\\t"),
            '\u{8}' => self.plain("\\b"),
            '\u{c}' => self.plain("\\f"),
            c => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    self.plain(&format!("\\u{unit:04x}"));
                }
            }
        }
    }

    /// A number as `serde_json` writes it.
    fn number(&mut self, number: impl Serialize) -> Result<(), Error> {
        serde_json::to_writer(&mut self.bytes, &number)
    }

    fn open(&mut self, open: u8, close: u8) -> Several<'_> {
        self.bytes.push(open);
        Several { line: self, close, is_first: true }
    }
}

/// The bytes that stand for themselves in a string and for no part of another character.
static IS_PLAIN: [bool; 256] = {
    let mut is_plain = [false; 256];
    let mut byte = b' ';
    while byte <= b'~' {
        is_plain[byte as usize] = byte != b'"' && byte != b'\\';
        byte += 1;
    }
    is_plain
};

/// The elements of an array or an object, as far as they are written.
struct Several<'l> {
    line: &'l mut Line,
    close: u8,
    is_first: bool,
}

impl Several<'_> {
    #[inline]
    fn part(&mut self) {
        if !std::mem::replace(&mut self.is_first, false) {
            self.line.bytes.push(b',');
        }
    }

    fn element(&mut self, value: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        self.part();
        value.serialize(&mut *self.line)
    }

    fn close(self) {
        self.line.bytes.push(self.close);
    }
}

impl<'l> Serializer for &'l mut Line {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Several<'l>;
    type SerializeTuple = Several<'l>;
    type SerializeTupleStruct = Several<'l>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Several<'l>;
    type SerializeStruct = Several<'l>;
    type SerializeStructVariant = Impossible<(), Error>;

    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        self.plain(if value { "true" } else { "false" });
        Ok(())
    }

    fn serialize_i8(self, value: i8) -> Result<(), Error> {
        self.number(value)
    }

    fn serialize_i16(self, value: i16) -> Result<(), Error> {
        self.number(value)
    }

    fn serialize_i32(self, value: i32) -> Result<(), Error> {
        self.number(value)
    }

    fn serialize_i64(self, value: i64) -> Result<(), Error> {
        self.number(value)
    }

    fn serialize_u8(self, value: u8) -> Result<(), Error> {
        self.number(value)
    }

    fn serialize_u16(self, value: u16) -> Result<(), Error> {
        self.number(value)
    }

    fn serialize_u32(self, value: u32) -> Result<(), Error> {
        self.number(value)
    }

    fn serialize_u64(self, value: u64) -> Result<(), Error> {
        self.number(value)
    }

    fn serialize_f32(self, value: f32) -> Result<(), Error> {
        self.number(value)
    }

    fn serialize_f64(self, value: f64) -> Result<(), Error> {
        self.number(value)
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<(), Error> {
        self.string(value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        self.collect_seq(value)
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.plain("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let mut only = self.open(b'{', b'}');
        SerializeStruct::serialize_field(&mut only, variant, value)?;
        SerializeStruct::end(only)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Several<'l>, Error> {
        Ok(self.open(b'[', b']'))
    }

    fn serialize_tuple(self, _: usize) -> Result<Several<'l>, Error> {
        Ok(self.open(b'[', b']'))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Several<'l>, Error> {
        Ok(self.open(b'[', b']'))
    }

    fn serialize_tuple_variant(self, name: &'static str, _: u32, _: &'static str, _: usize) -> Result<Impossible<(), Error>, Error> {
        Err(Error::custom(format_args!("`{name}` has no place in a report")))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Several<'l>, Error> {
        Ok(self.open(b'{', b'}'))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Several<'l>, Error> {
        Ok(self.open(b'{', b'}'))
    }

    fn serialize_struct_variant(self, name: &'static str, _: u32, _: &'static str, _: usize) -> Result<Impossible<(), Error>, Error> {
        Err(Error::custom(format_args!("`{name}` has no place in a report")))
    }
}

impl SerializeSeq for Several<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.element(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close();
        Ok(())
    }
}

impl SerializeTuple for Several<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.element(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close();
        Ok(())
    }
}

impl SerializeTupleStruct for Several<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.element(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close();
        Ok(())
    }
}

impl SerializeMap for Several<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.part();
        let start = self.line.bytes.len();
        key.serialize(&mut *self.line)?;
        match self.line.bytes.get(start) {
            Some(b'"') => Ok(()),
            _ => Err(Error::custom("a key of a report is a string")),
        }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.line.bytes.push(b':');
        value.serialize(&mut *self.line)
    }

    fn end(self) -> Result<(), Error> {
        self.close();
        Ok(())
    }
}

impl SerializeStruct for Several<'_> {
    type Ok = ();
    type Error = Error;

    /// The name of a field is a name of the program's: it needs no escapes.
    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        self.part();
        self.line.bytes.push(b'"');
        self.line.plain(name);
        self.line.bytes.push(b'"');
        self.line.bytes.push(b':');
        value.serialize(&mut *self.line)
    }

    fn end(self) -> Result<(), Error> {
        self.close();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    /// One of each shape that a report may hold.
    #[derive(Debug, Serialize)]
    struct Shapes<'a> {
        text: &'a str,
        letter: char,
        number: f64,
        count: usize,
        change: i8,
        is_so: bool,
        nothing: Option<u32>,
        pair: (u64, f32),
        empty: Vec<&'a str>,
        result: Result<&'a str, ()>,
        wrapped: std::num::Wrapping<i64>,
        unit: (),
        #[serde(flatten)]
        more: BTreeMap<&'a str, Vec<Option<f64>>>,
    }

    proptest! {
        #[test]
        fn the_bytes_are_those_of_the_usual_writer(text: String, letter: char, number: f64, change: i8, count: usize, share in 0.0..1.0) {
            let texts = [text.as_str(), "a\"\\\u{1b}[2J\u{7f}\u{202e}µs\n\r\t\u{8}\u{c}\u{9b}\u{e0041}😀", "points", ""];
            for text in texts {
                let shapes = Shapes {
                    text,
                    letter,
                    number,
                    count,
                    change,
                    is_so: change > 0,
                    nothing: None,
                    pair: (7, 0.1),
                    empty: Vec::new(),
                    result: if change > 5 { Ok(text) } else { Err(()) },
                    wrapped: std::num::Wrapping(i64::from(change)),
                    unit: (),
                    more: BTreeMap::from([(text, vec![Some(share), Some(f64::from(change)), Some(f64::NAN), None])]),
                };
                let usual = inert::json(&serde_json::to_string(&shapes).expect("it is JSON"));
                prop_assert_eq!(write(&shapes).expect("it is JSON"), usual);
            }
        }
    }

    #[test]
    fn a_key_is_a_string() {
        assert!(write(&BTreeMap::from([(1, 2)])).is_err());
    }
}
