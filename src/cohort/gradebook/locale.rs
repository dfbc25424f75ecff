//! Which sign a language puts between points and their hundredths.

use std::str::FromStr;

/// The decimal mark of a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Locale {
    /// `27.5`, and `,` between the cells of a table.
    Point,
    /// `27,5`, and `;` between the cells of a table.
    Comma,
}

/// Languages that write a comma, by the Common Locale Data Repository.
const COMMA: &[&str] = &[
    "be", "bg", "bs", "ca", "cs", "da", "de", "el", "es", "et", "eu", "fi", "fo", "fr", "gl", "hr", "hu", "hy", "id", "is", "it", "ka",
    "kk", "lt", "lv", "mk", "nb", "nl", "nn", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sq", "sr", "sv", "tr", "uk", "vi",
];

/// Languages that write a point.
const POINT: &[&str] = &["en", "ga", "cy", "mt", "he", "hi", "ja", "ko", "th", "zh"];

/// Countries whose use of a language differs.
const POINT_IN: &[&str] =
    &["de-ch", "de-li", "it-ch", "es-mx", "es-us", "es-pr", "es-gt", "es-hn", "es-ni", "es-pa", "es-sv", "es-do", "es-cu", "es-pe"];

impl Locale {
    /// The decimal mark.
    pub fn mark(self) -> char {
        match self {
            Locale::Point => '.',
            Locale::Comma => ',',
        }
    }

    /// What stands between the cells of a table, as spreadsheets of that language expect it.
    pub fn delimiter(self) -> u8 {
        match self {
            Locale::Point => b',',
            Locale::Comma => b';',
        }
    }
}

impl FromStr for Locale {
    type Err = String;

    /// A language, and perhaps a country: `de`, `de-CH`, `pt_BR.UTF-8`.
    fn from_str(text: &str) -> Result<Locale, String> {
        let plain = text.split(['.', '@']).next().unwrap_or(text).replace('_', "-").to_ascii_lowercase();
        let language = plain.split('-').next().unwrap_or(&plain);
        if POINT_IN.contains(&plain.as_str()) || POINT.contains(&language) || matches!(plain.as_str(), "c" | "posix") {
            Ok(Locale::Point)
        } else if COMMA.contains(&language) {
            Ok(Locale::Comma)
        } else {
            Err(format!("`{text}` is no language whose decimal mark is known: expected something like `en`, `de` or `fr-CA`"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_and_countries() {
        for (text, locale) in [
            ("en", Locale::Point),
            ("en-GB", Locale::Point),
            ("de", Locale::Comma),
            ("de_DE.UTF-8", Locale::Comma),
            ("de-CH", Locale::Point),
            ("es-MX", Locale::Point),
            ("es-ES", Locale::Comma),
            ("C", Locale::Point),
            ("zh-Hans-CN", Locale::Point),
        ] {
            assert_eq!(text.parse(), Ok(locale), "{text}");
        }
        assert!("tlh".parse::<Locale>().is_err());
    }
}
