//! Characters that are another way to set ordinary ones, or that are not seen at all.

/// The ASCII character that a full-width one is.
pub(super) fn narrow(c: char) -> Option<char> {
    matches!(c, '\u{ff01}'..='\u{ff5e}').then(|| char::from_u32(u32::from(c) - 0xfee0)).flatten()
}

/// What a unit that is set as one character spells (Unicode's squared abbreviations and letter-like signs).
pub(super) fn spelled(c: char) -> Option<&'static str> {
    Some(match c {
        '℃' => "°C",
        '℉' => "°F",
        '\u{212a}' => "K",
        '\u{2126}' => "Ω",
        '㎅' => "KB",
        '㎆' => "MB",
        '㎇' => "GB",
        '㎎' => "mg",
        '㎏' => "kg",
        '㎐' => "Hz",
        '㎑' => "kHz",
        '㎒' => "MHz",
        '㎓' => "GHz",
        '㎔' => "THz",
        '㎛' => "µm",
        '㎚' => "nm",
        '㎜' => "mm",
        '㎝' => "cm",
        '㎞' => "km",
        '㎡' => "m²",
        '㎧' => "m/s",
        '㎰' => "ps",
        '㎱' => "ns",
        '㎲' => "µs",
        '㎳' => "ms",
        '㎶' => "µV",
        '㎷' => "mV",
        '㎸' => "kV",
        '㎼' => "µW",
        '㎽' => "mW",
        '㎾' => "kW",
        '㎿' => "MW",
        '㏈' => "dB",
        _ => return None,
    })
}

/// Whether a character only steers how others are set: where a line may break, in which direction a stretch is written.
pub(super) fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}
