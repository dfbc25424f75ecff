//! Units that only a course in physics or chemistry writes.
//!
//! The standard table leaves them out on purpose: in prose about computers `T`, `H`, `M`, `S` and `C` are names of things.

use super::{Base, Dimension, Number, Unit, Units};

/// A unit: its symbols, its names, what it measures, its size as a decimal, and whether SI prefixes go before it.
struct Entry(&'static [&'static str], &'static [&'static str], Dimension, (i128, i32), bool);

use Base::{Angle, Current, Length, Luminosity, Mass, Substance, Time};

/// Sizes are those of the SI Brochure (9th edition), CODATA 2018 and NIST SP 811.
const ENTRIES: &[Entry] = &[
    Entry(&["C"], &["coulomb"], Dimension::of(&[(Current, 1), (Time, 1)]), (1, 0), true),
    Entry(&["T"], &["tesla"], Dimension::of(&[(Mass, 1), (Time, -2), (Current, -1)]), (1, 0), true),
    Entry(&["Wb"], &["weber"], Dimension::of(&[(Mass, 1), (Length, 2), (Time, -2), (Current, -1)]), (1, 0), true),
    Entry(&["H"], &["henry", "henries"], Dimension::of(&[(Mass, 1), (Length, 2), (Time, -2), (Current, -2)]), (1, 0), true),
    Entry(&["S"], &["siemens"], Dimension::of(&[(Mass, -1), (Length, -2), (Time, 3), (Current, 2)]), (1, 0), true),
    Entry(&["Bq"], &["becquerel"], Dimension::of(&[(Time, -1)]), (1, 0), true),
    Entry(&["Ci"], &["curie"], Dimension::of(&[(Time, -1)]), (37, 9), true),
    Entry(&["Gy"], &["gray"], Dimension::of(&[(Length, 2), (Time, -2)]), (1, 0), true),
    Entry(&["Sv"], &["sievert"], Dimension::of(&[(Length, 2), (Time, -2)]), (1, 0), true),
    Entry(&["kat"], &["katal"], Dimension::of(&[(Substance, 1), (Time, -1)]), (1, 0), true),
    Entry(&["M"], &["molar"], Dimension::of(&[(Substance, 1), (Length, -3)]), (1000, 0), true),
    Entry(&["cd"], &["candela"], Dimension::of(&[(Luminosity, 1)]), (1, 0), true),
    Entry(&["lm"], &["lumen"], Dimension::of(&[(Luminosity, 1)]), (1, 0), true),
    Entry(&["lx"], &["lux"], Dimension::of(&[(Luminosity, 1), (Length, -2)]), (1, 0), true),
    Entry(&["dpt"], &["diopter", "dioptre"], Dimension::of(&[(Length, -1)]), (1, 0), false),
    Entry(&["u", "Da", "amu"], &["dalton"], Dimension::of(&[(Mass, 1)]), (166_053_906_660, -38), false),
    Entry(&["c"], &[], Dimension::of(&[(Length, 1), (Time, -1)]), (299_792_458, 0), false),
    Entry(&["ly"], &["light-year", "lightyear"], Dimension::of(&[(Length, 1)]), (9_460_730_472_580_800, 0), false),
    Entry(&["au", "AU"], &["astronomical unit"], Dimension::of(&[(Length, 1)]), (149_597_870_700, 0), false),
    Entry(&["in"], &["inch", "inches"], Dimension::of(&[(Length, 1)]), (254, -4), false),
    Entry(&["ft"], &["foot", "feet"], Dimension::of(&[(Length, 1)]), (3048, -4), true),
    Entry(&["Å"], &["angstrom"], Dimension::of(&[(Length, 1)]), (1, -10), false),
    Entry(&["pc"], &["parsec"], Dimension::of(&[(Length, 1)]), (30_856_775_814_913_673, 0), true),
    Entry(&["mil"], &[], Dimension::of(&[(Length, 1)]), (254, -7), false),
    Entry(&["fathom"], &[], Dimension::of(&[(Length, 1)]), (18_288, -4), false),
    Entry(&["rod"], &[], Dimension::of(&[(Length, 1)]), (50_292, -4), false),
    Entry(&["furlong"], &[], Dimension::of(&[(Length, 1)]), (201_168, -3), false),
    Entry(&["ha"], &["hectare"], Dimension::of(&[(Length, 2)]), (1, 4), false),
    Entry(&["acre"], &[], Dimension::of(&[(Length, 2)]), (40_468_564_224, -7), false),
    Entry(&["cc"], &[], Dimension::of(&[(Length, 3)]), (1, -6), false),
    Entry(&["qt"], &["quart"], Dimension::of(&[(Length, 3)]), (946_352_946, -12), false),
    Entry(&["pt"], &["pint"], Dimension::of(&[(Length, 3)]), (473_176_473, -12), false),
    Entry(&["cup"], &[], Dimension::of(&[(Length, 3)]), (2_365_882_365, -13), false),
    Entry(&["floz"], &["fluid ounce"], Dimension::of(&[(Length, 3)]), (295_735_295_625, -16), false),
    Entry(&["tbsp"], &["tablespoon"], Dimension::of(&[(Length, 3)]), (1_478_676_478_125, -17), false),
    Entry(&["tsp"], &["teaspoon"], Dimension::of(&[(Length, 3)]), (492_892_159_375, -17), false),
    Entry(&["slug"], &[], Dimension::of(&[(Mass, 1)]), (1_459_390_294, -8), false),
    Entry(&["kn"], &["knot"], Dimension::of(&[(Length, 1), (Time, -1)]), (514_444_444_444_444, -15), false),
    Entry(&["dyn"], &["dyne"], Dimension::of(&[(Mass, 1), (Length, 1), (Time, -2)]), (1, -5), false),
    Entry(&["lbf"], &[], Dimension::of(&[(Mass, 1), (Length, 1), (Time, -2)]), (44_482_216_152_605, -13), false),
    Entry(&["erg"], &[], Dimension::of(&[(Mass, 1), (Length, 2), (Time, -2)]), (1, -7), false),
    Entry(&["Btu", "BTU"], &[], Dimension::of(&[(Mass, 1), (Length, 2), (Time, -2)]), (105_505_585_262, -8), false),
    Entry(&["kcal", "Cal"], &["kilocalorie"], Dimension::of(&[(Mass, 1), (Length, 2), (Time, -2)]), (4184, 0), false),
    Entry(&["hp"], &["horsepower"], Dimension::of(&[(Mass, 1), (Length, 2), (Time, -3)]), (74_569_987_158_227, -11), false),
    Entry(&["psi"], &[], Dimension::of(&[(Mass, 1), (Length, -1), (Time, -2)]), (6_894_757_293_168, -9), false),
    Entry(&["Torr", "torr", "mmHg"], &[], Dimension::of(&[(Mass, 1), (Length, -1), (Time, -2)]), (133_322_368_421, -9), false),
    Entry(&["rev"], &["revolution", "turn", "cycle"], Dimension::of(&[(Angle, 1)]), (6_283_185_307_179_586_477, -18), false),
    Entry(&["arcmin"], &["arcminute"], Dimension::of(&[(Angle, 1)]), (290_888_208_665_721_596, -21), false),
    Entry(&["arcsec"], &["arcsecond"], Dimension::of(&[(Angle, 1)]), (4_848_136_811_095_359_936, -24), false),
    Entry(&["mi"], &["mile"], Dimension::of(&[(Length, 1)]), (1_609_344, -3), false),
];

/// Prefixes by symbol, name and power of ten.
const PREFIXES: &[(&[&str], &str, i32)] = &[
    (&[""], "", 0),
    (&["f"], "femto", -15),
    (&["p"], "pico", -12),
    (&["n"], "nano", -9),
    (&["u", "µ", "μ"], "micro", -6),
    (&["m"], "milli", -3),
    (&["c"], "centi", -2),
    (&["d"], "deci", -1),
    (&["h"], "hecto", 2),
    (&["k"], "kilo", 3),
    (&["M"], "mega", 6),
    (&["G"], "giga", 9),
    (&["T"], "tera", 12),
    (&["P"], "peta", 15),
];

impl Units {
    /// The standard table and the units of physics and chemistry, which take the place of other readings of their symbols.
    pub fn with_physics() -> Units {
        let mut units = Units::standard();
        for Entry(symbols, names, dimension, (mantissa, exponent), prefixed) in ENTRIES {
            let prefixes = if *prefixed { PREFIXES } else { &PREFIXES[..1] };
            for (signs, prefix, power) in prefixes {
                let factor = Number::decimal(*mantissa, exponent + power);
                let short = signs.iter().flat_map(|sign| symbols.iter().map(move |symbol| format!("{sign}{symbol}")));
                let long = names.iter().map(|name| format!("{prefix}{name}"));
                for symbol in short.chain(long) {
                    // With a prefix, a spelling that the table strictly has is not taken over: `min` is no milli-inch.
                    if *power == 0 || units.senses(&symbol).iter().all(|sense| sense.loose.is_some()) {
                        units.add(Unit::new(symbol, *dimension, factor));
                    }
                }
            }
        }
        units
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn physics_takes_over_its_own_symbols_only() {
        let units = Units::with_physics();
        let size = |spelling: &str| units.senses(spelling).first().map(|sense| sense.unit.factor.to_f64());
        assert_eq!(size("mT"), Some(1e-3));
        assert_eq!(size("min"), Some(60.0));
        assert_eq!(size("Gy"), Some(1.0));
        assert_eq!(size("kilofeet"), Some(304.8));
        assert_eq!(size("GB"), Some(1e9));
        assert!(Units::standard().senses("mT").iter().all(|sense| sense.loose.is_some()));
    }
}
