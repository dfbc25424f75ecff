//! The units that may be written: a small table, so that no course about computers meets a barn or a gilbert.
//!
//! Symbols keep their case; names do not, and take an `s`. What a spelling means is decided in `unit`.

use super::{Base, Dimension, Number};

/// Which prefixes a unit takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prefixes {
    /// None: `min`, `%`.
    None,
    /// Kilo and up, decimal and binary: nobody writes a millibyte.
    Data,
    /// Kilo and up, decimal.
    Large,
    /// All of SI.
    Si,
    /// Those of SI that make it smaller: nobody has gigafarads.
    Small,
}

/// A unit of the table.
#[derive(Debug)]
pub(super) struct Entry {
    /// What we print.
    pub(super) symbol: &'static str,
    /// Other symbols that mean the same, case kept.
    pub(super) also: &'static [&'static str],
    /// Its names, in lower case and singular.
    pub(super) names: &'static [&'static str],
    /// What it measures.
    pub(super) dimension: Dimension,
    /// Its size in SI base units (bytes for data), as a ratio.
    pub(super) factor: (i128, i128),
    /// The prefixes it takes.
    pub(super) prefixes: Prefixes,
}

/// Units of one kind, and where their sizes come from.
#[derive(Debug)]
pub(super) struct Group {
    /// What they measure, for people.
    pub(super) name: &'static str,
    /// The standard that fixes their sizes.
    pub(super) source: &'static str,
    /// The units.
    pub(super) entries: &'static [Entry],
}

const fn entry(
    symbol: &'static str,
    also: &'static [&'static str],
    names: &'static [&'static str],
    dimension: Dimension,
    factor: (i128, i128),
    prefixes: Prefixes,
) -> Entry {
    Entry { symbol, also, names, dimension, factor, prefixes }
}

const DATA: Dimension = Dimension::DATA;
const TIME: Dimension = Dimension::TIME;
const RATE: Dimension = Dimension::DATA_RATE;
const PER_TIME: Dimension = Dimension::PER_TIME;
const FLOP: Dimension = Dimension::of(&[(Base::Flop, 1)]);
const FLOP_RATE: Dimension = Dimension::of(&[(Base::Flop, 1), (Base::Time, -1)]);
const LENGTH: Dimension = Dimension::of(&[(Base::Length, 1)]);
const SPEED: Dimension = Dimension::of(&[(Base::Length, 1), (Base::Time, -1)]);
const VOLUME: Dimension = Dimension::of(&[(Base::Length, 3)]);
const MASS: Dimension = Dimension::of(&[(Base::Mass, 1)]);
const FORCE: Dimension = Dimension::of(&[(Base::Mass, 1), (Base::Length, 1), (Base::Time, -2)]);
const ENERGY: Dimension = Dimension::of(&[(Base::Mass, 1), (Base::Length, 2), (Base::Time, -2)]);
const POWER: Dimension = Dimension::of(&[(Base::Mass, 1), (Base::Length, 2), (Base::Time, -3)]);
const PRESSURE: Dimension = Dimension::of(&[(Base::Mass, 1), (Base::Length, -1), (Base::Time, -2)]);
const CURRENT: Dimension = Dimension::of(&[(Base::Current, 1)]);
const CHARGE: Dimension = Dimension::of(&[(Base::Current, 1), (Base::Time, 1)]);
const VOLTAGE: Dimension = Dimension::of(&[(Base::Mass, 1), (Base::Length, 2), (Base::Time, -3), (Base::Current, -1)]);
const RESISTANCE: Dimension = Dimension::of(&[(Base::Mass, 1), (Base::Length, 2), (Base::Time, -3), (Base::Current, -2)]);
const CAPACITANCE: Dimension = Dimension::of(&[(Base::Mass, -1), (Base::Length, -2), (Base::Time, 4), (Base::Current, 2)]);
const TEMPERATURE: Dimension = Dimension::of(&[(Base::Temperature, 1)]);
const ANGLE: Dimension = Dimension::of(&[(Base::Angle, 1)]);
const MONEY: Dimension = Dimension::of(&[(Base::Money, 1)]);
const POINTS: Dimension = Dimension::of(&[(Base::Points, 1)]);
const LEVEL: Dimension = Dimension::of(&[(Base::Level, 1)]);
const SUBSTANCE: Dimension = Dimension::of(&[(Base::Substance, 1)]);
const NONE: Dimension = Dimension::NONE;

use Prefixes::{Data, Large, None as Bare, Si, Small};

/// The table.
pub(super) static GROUPS: &[Group] = &[
    Group {
        name: "data",
        source: "IEC 80000-13: B and bit, a byte is 8 bits",
        entries: &[entry("B", &["Byte"], &["byte", "octet"], DATA, (1, 1), Data), entry("bit", &["b"], &["bit"], DATA, (1, 8), Data)],
    },
    Group {
        name: "data, in French",
        source: "IEC 80000-13 with the octet of ISO/IEC 2382: always with a prefix; `To` is left out, which is a word in English",
        entries: &[
            entry("ko", &["Ko"], &[], DATA, (1_000, 1), Bare),
            entry("Mo", &[], &[], DATA, (1_000_000, 1), Bare),
            entry("Go", &[], &[], DATA, (1_000_000_000, 1), Bare),
            entry("Kio", &[], &[], DATA, (1 << 10, 1), Bare),
            entry("Mio", &[], &[], DATA, (1 << 20, 1), Bare),
            entry("Gio", &[], &[], DATA, (1 << 30, 1), Bare),
        ],
    },
    Group {
        name: "data rate",
        source: "IEC 80000-13; bps and Bps as networking equipment prints them",
        entries: &[
            entry("bit/s", &["bps", "bE"], &["bps"], RATE, (1, 8), Data),
            entry("B/s", &["Bps"], &[], RATE, (1, 1), Data),
            entry("Bd", &[], &["baud"], PER_TIME, (1, 1), Large),
        ],
    },
    Group {
        name: "time",
        source: "SI Brochure, 9th edition: table 8; week, month and year as the Gregorian calendar's means (365.25 days, a twelfth of it)",
        entries: &[
            entry("s", &[], &["second", "sec", "sekunde", "sekunden"], TIME, (1, 1), Si),
            entry("min", &[], &["minute", "minuten", "min"], TIME, (60, 1), Bare),
            entry("h", &[], &["hour", "hr", "stunde", "stunden"], TIME, (3600, 1), Bare),
            entry("d", &[], &["day", "tage", "tagen"], TIME, (86_400, 1), Bare),
            entry("wk", &[], &["week", "wk", "woche", "wochen"], TIME, (604_800, 1), Bare),
            entry("mo", &[], &["month", "monat", "monate", "monaten"], TIME, (2_629_800, 1), Bare),
            entry("quarter", &[], &[], TIME, (7_889_400, 1), Bare),
            entry("yr", &[], &["year", "yr", "jahr", "jahre", "jahren"], TIME, (31_557_600, 1), Bare),
            entry("decade", &[], &["decade"], TIME, (315_576_000, 1), Bare),
            entry("century", &["centuries"], &["century"], TIME, (3_155_760_000, 1), Bare),
        ],
    },
    Group {
        name: "frequency and rates of events",
        source: "SI Brochure, 9th edition: table 4 (hertz); the others count events a second or a minute",
        entries: &[
            entry("Hz", &[], &["hertz"], PER_TIME, (1, 1), Si),
            entry("rpm", &["RPM"], &[], PER_TIME, (1, 60), Bare),
            entry("fps", &["FPS"], &[], PER_TIME, (1, 1), Bare),
            entry("rps", &["RPS"], &[], PER_TIME, (1, 1), Bare),
            entry("qps", &["QPS"], &[], PER_TIME, (1, 1), Bare),
            entry("tps", &["TPS"], &[], PER_TIME, (1, 1), Bare),
            entry("IOPS", &[], &["iops"], PER_TIME, (1, 1), Large),
        ],
    },
    Group {
        name: "floating-point work",
        source: "the field's usage: FLOP counts operations, FLOPS and FLOP/s are operations a second",
        entries: &[
            entry(
                "FLOP",
                &["FLOPs", "flop", "flops", "Flop", "Flops"],
                &["flop", "float operation", "floating point operation", "floating-point operation", "float op", "floating-point op"],
                FLOP,
                (1, 1),
                Large,
            ),
            entry("FLOP/s", &["FLOPS", "flop/s"], &[], FLOP_RATE, (1, 1), Large),
        ],
    },
    Group {
        name: "shares and multiples",
        source: "ISO 80000-1: per cent is a hundredth; ‰, ppm and ppb likewise",
        entries: &[
            entry("%", &["pct", "\\%"], &["percent", "per cent", "pct", "percentage"], NONE, (1, 100), Bare),
            entry("‰", &[], &["permille", "per mille", "per mil", "promille"], NONE, (1, 1000), Bare),
            entry("ppm", &[], &["part per million", "ppm"], NONE, (1, 1_000_000), Bare),
            entry("ppb", &[], &["part per billion", "ppb"], NONE, (1, 1_000_000_000), Bare),
            entry("‱", &[], &["basis point"], NONE, (1, 10_000), Bare),
            entry(
                "pp",
                &["ppt", "%pt", "pps", "p.p."],
                &["percentage point", "percent point", "pp", "%-point", "% point"],
                POINTS,
                (1, 100),
                Bare,
            ),
            entry("x", &["×", "X"], &["fold"], NONE, (1, 1), Bare),
            entry("dB", &[], &["decibel"], LEVEL, (1, 1), Bare),
        ],
    },
    Group {
        name: "length",
        source: "SI Brochure, 9th edition; the yard of 1959 is 0.9144 m",
        entries: &[
            entry("m", &[], &["meter", "metre"], LENGTH, (1, 1), Si),
            entry("inch", &[], &["inch", "inche"], LENGTH, (254, 10_000), Bare),
            entry("ft", &[], &["foot", "feet"], LENGTH, (3048, 10_000), Bare),
            entry("yd", &[], &["yard"], LENGTH, (9144, 10_000), Bare),
            entry("mi", &[], &["mile"], LENGTH, (1_609_344, 1000), Bare),
            entry("Å", &["Å"], &["angstrom", "ångström"], LENGTH, (1, 10_000_000_000), Bare),
            entry("mph", &[], &["mph"], SPEED, (44_704, 100_000), Bare),
            entry("km/h", &["kmh", "kph"], &["kmh", "kph"], SPEED, (10, 36), Bare),
        ],
    },
    Group {
        name: "mass",
        source: "SI Brochure, 9th edition; the avoirdupois pound of 1959 is 0.45359237 kg",
        entries: &[
            entry("g", &[], &["gram", "gramme"], MASS, (1, 1000), Si),
            entry("t", &[], &["tonne", "ton", "metric ton"], MASS, (1000, 1), Large),
            entry("lb", &["lbs"], &["pound", "lb"], MASS, (45_359_237, 100_000_000), Bare),
            entry("oz", &[], &["ounce", "oz"], MASS, (45_359_237, 1_600_000_000), Bare),
        ],
    },
    Group {
        name: "energy and power",
        source: "SI Brochure, 9th edition; the thermochemical calorie is 4.184 J, the electronvolt is exact since 2019",
        entries: &[
            entry("J", &[], &["joule"], ENERGY, (1, 1), Si),
            entry("Wh", &[], &["watt hour", "watt-hour"], ENERGY, (3600, 1), Si),
            entry("eV", &[], &["electronvolt", "electron volt"], ENERGY, (801_088_317, 5_000_000_000_000_000_000_000_000_000), Si),
            entry("cal", &[], &["calorie"], ENERGY, (4184, 1000), Large),
            entry("W", &[], &["watt"], POWER, (1, 1), Si),
        ],
    },
    Group {
        name: "force and pressure",
        source: "SI Brochure, 9th edition; the standard atmosphere is 101 325 Pa; a pound-force by standard gravity on a square inch",
        entries: &[
            entry("N", &[], &["newton"], FORCE, (1, 1), Si),
            entry("Pa", &[], &["pascal"], PRESSURE, (1, 1), Si),
            entry("bar", &[], &["bar"], PRESSURE, (100_000, 1), Si),
            entry("psi", &[], &["psi"], PRESSURE, (6_894_757_293_168, 1_000_000_000), Bare),
            entry("atm", &[], &["atmosphere"], PRESSURE, (101_325, 1), Bare),
        ],
    },
    Group {
        name: "electricity",
        source: "SI Brochure, 9th edition: table 4",
        entries: &[
            entry("A", &[], &["ampere", "amp"], CURRENT, (1, 1), Si),
            entry("V", &[], &["volt"], VOLTAGE, (1, 1), Si),
            entry("Ω", &["Ω"], &["ohm"], RESISTANCE, (1, 1), Si),
            entry("F", &[], &["farad"], CAPACITANCE, (1, 1), Small),
            entry("C", &[], &["coulomb"], CHARGE, (1, 1), Bare),
            entry("Ah", &[], &["ampere hour", "ampere-hour", "amp hour", "amp-hour"], CHARGE, (3600, 1), Si),
        ],
    },
    Group {
        name: "volume",
        source: "SI Brochure, 9th edition: table 8; the US liquid gallon is 231 cubic inches",
        entries: &[
            entry("L", &["l", "ℓ"], &["liter", "litre"], VOLUME, (1, 1000), Si),
            entry("gal", &[], &["gallon", "gal"], VOLUME, (3_785_411_784, 1_000_000_000_000), Bare),
        ],
    },
    Group {
        name: "angle",
        source: "SI Brochure, 9th edition: table 8; a degree as the float nearest to π/180 allows",
        entries: &[
            entry("rad", &[], &["radian"], ANGLE, (1, 1), Si),
            entry("°", &["deg"], &["degree", "deg"], ANGLE, (174_532_925_199_432_957, 10_000_000_000_000_000_000), Bare),
        ],
    },
    Group {
        name: "temperature difference",
        source: "SI Brochure, 9th edition: one degree Celsius of difference is one kelvin; scales with another zero are not converted",
        entries: &[
            entry("K", &[], &["kelvin"], TEMPERATURE, (1, 1), Si),
            entry(
                "°C",
                &["℃", "degC", "ºC"],
                &[
                    "degree celsius",
                    "degree c",
                    "celsius",
                    "degree centigrade",
                    "degrees celsius",
                    "degrees c",
                    "degrees centigrade",
                    "deg c",
                    "° c",
                ],
                TEMPERATURE,
                (1, 1),
                Bare,
            ),
            entry(
                "°F",
                &["℉", "degF", "ºF"],
                &["degree fahrenheit", "degree f", "fahrenheit", "degrees fahrenheit", "degrees f", "deg f", "° f"],
                TEMPERATURE,
                (5, 9),
                Bare,
            ),
        ],
    },
    Group {
        name: "substance",
        source: "SI Brochure, 9th edition: table 2",
        entries: &[entry("mol", &[], &["mole"], SUBSTANCE, (1, 1), Si)],
    },
    Group {
        name: "currency",
        source: "ISO 4217 codes; a label only: amounts are never converted",
        entries: &[
            entry("USD", &["$", "US$"], &["dollar", "us dollar", "usd", "buck"], MONEY, (1, 1), Large),
            entry("cent", &["¢"], &["cent"], MONEY, (1, 100), Bare),
            entry("EUR", &["€"], &["euro", "eur"], MONEY, (1, 1), Large),
            entry("GBP", &["£"], &["pound sterling", "british pound"], MONEY, (1, 1), Large),
            entry("JPY", &["¥"], &["yen"], MONEY, (1, 1), Bare),
            entry("CNY", &["RMB"], &["yuan"], MONEY, (1, 1), Bare),
            entry("INR", &["₹"], &["rupee"], MONEY, (1, 1), Bare),
            entry("CHF", &[], &["franc"], MONEY, (1, 1), Bare),
            entry("SEK", &[], &["krona", "kronor"], MONEY, (1, 1), Bare),
        ],
    },
];

/// A power that may stand before a unit.
#[derive(Debug)]
pub(super) struct Prefix {
    /// As printed; empty for none.
    pub(super) symbol: &'static str,
    /// Other spellings of the symbol.
    pub(super) also: &'static [&'static str],
    /// Its name.
    pub(super) name: &'static str,
    /// Frequent misspellings of the name.
    pub(super) misspelt: &'static [&'static str],
    /// 10 or 1024.
    pub(super) base: i128,
    /// To this power.
    pub(super) power: i32,
}

const fn prefix(
    symbol: &'static str,
    also: &'static [&'static str],
    name: &'static str,
    misspelt: &'static [&'static str],
    base: i128,
    power: i32,
) -> Prefix {
    Prefix { symbol, also, name, misspelt, base, power }
}

/// SI prefixes (SI Brochure, 9th edition: table 7) and IEC prefixes (IEC 80000-13).
pub(super) static PREFIXES: &[Prefix] = &[
    prefix("k", &["K"], "kilo", &["killo"], 10, 3),
    prefix("M", &[], "mega", &[], 10, 6),
    prefix("G", &[], "giga", &[], 10, 9),
    prefix("T", &[], "tera", &["terra"], 10, 12),
    prefix("P", &[], "peta", &["petta"], 10, 15),
    prefix("E", &[], "exa", &[], 10, 18),
    prefix("Z", &[], "zetta", &[], 10, 21),
    prefix("Y", &[], "yotta", &[], 10, 24),
    prefix("m", &[], "milli", &["mili"], 10, -3),
    prefix("µ", &["u", "μ", "mc", "mu"], "micro", &["mikro"], 10, -6),
    prefix("n", &[], "nano", &[], 10, -9),
    prefix("p", &[], "pico", &[], 10, -12),
    prefix("f", &[], "femto", &[], 10, -15),
    prefix("c", &[], "centi", &[], 10, -2),
    prefix("d", &[], "deci", &[], 10, -1),
    prefix("h", &[], "hecto", &[], 10, 2),
    prefix("Ki", &["ki"], "kibi", &[], 1024, 1),
    prefix("Mi", &[], "mebi", &[], 1024, 2),
    prefix("Gi", &[], "gibi", &[], 1024, 3),
    prefix("Ti", &[], "tebi", &[], 1024, 4),
    prefix("Pi", &[], "pebi", &[], 1024, 5),
    prefix("Ei", &[], "exbi", &[], 1024, 6),
    prefix("Zi", &[], "zebi", &[], 1024, 7),
    prefix("Yi", &[], "yobi", &[], 1024, 8),
];

impl Prefix {
    /// By how much it multiplies.
    pub(super) fn size(&self) -> Number {
        match self.base {
            10 => Number::decimal(1, self.power),
            _ => Number::binary(self.power.unsigned_abs()),
        }
    }
}

impl Prefixes {
    /// Whether a unit that takes these takes `prefix`.
    pub(super) fn allow(self, prefix: &Prefix) -> bool {
        match self {
            Prefixes::None => false,
            Prefixes::Data => prefix.power >= 3 || prefix.base == 1024,
            Prefixes::Large => prefix.power >= 3 && prefix.base == 10,
            Prefixes::Si => prefix.base == 10,
            Prefixes::Small => prefix.base == 10 && prefix.power < 0,
        }
    }
}
