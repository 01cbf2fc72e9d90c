//! Numbers as RFC 8785 writes them: what ECMAScript prints of the nearest double.

use alloc::string::String;

/// What becomes of a number of the grammar.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Canonical {
    /// It is written as it stands.
    Same,
    /// It is written another way; `exact` when that says the same number.
    Other { text: String, exact: bool },
    /// No double is near it.
    TooLarge,
}

/// So many digits are below 2^53 and print as they stand.
const PLAIN_DIGITS: usize = 15;

/// The canonical form of `raw`, a number of the grammar.
pub(super) fn canonical(raw: &str) -> Canonical {
    let digits = raw.strip_prefix('-').unwrap_or(raw);
    if digits.len() <= PLAIN_DIGITS && raw != "-0" && digits.bytes().all(|b| b.is_ascii_digit()) {
        return Canonical::Same;
    }
    if is_plain_decimal(digits) {
        return Canonical::Same;
    }
    // `f64` reads every number of the grammar, and what is too large as infinity.
    let value: f64 = raw.parse().unwrap_or(f64::INFINITY);
    if !value.is_finite() {
        return Canonical::TooLarge;
    }
    let mut buffer = zmij::Buffer::new();
    let shortest = Decimal::of(buffer.format_finite(value));
    let text = shortest.ecmascript(value.is_sign_negative());
    if text == raw {
        return Canonical::Same;
    }
    Canonical::Other { exact: shortest.equals(&Decimal::of(raw)), text }
}

/// Whether a number without its sign is a decimal that prints as it stands: of so few digits no other is the same
/// double, it has no zeros at its end, and it is not small enough for an exponent.
fn is_plain_decimal(digits: &str) -> bool {
    let Some((whole, fraction)) = digits.split_once('.') else { return false };
    let zeros = if whole == "0" { fraction.bytes().take_while(|b| *b == b'0').count() } else { 0 };
    let all = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    whole.len() + fraction.len() <= PLAIN_DIGITS
        && zeros <= 5
        && !fraction.ends_with('0')
        && all(whole)
        && all(fraction)
}

/// A number as `0.DIGITS · 10^point`, the digits being those of the text without the zeros around them.
struct Decimal<'a> {
    /// Digits before and behind the decimal point, without the zeros that begin and end the number.
    whole: &'a str,
    fraction: &'a str,
    point: i64,
}

impl<'a> Decimal<'a> {
    fn of(raw: &'a str) -> Self {
        let raw = raw.strip_prefix('-').unwrap_or(raw);
        let (mantissa, exponent) = raw.split_once(['e', 'E']).unwrap_or((raw, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let exponent = saturating(exponent);
        let whole = whole.trim_start_matches('0');
        let mut point = exponent.saturating_add(length(whole));
        let mut fraction = fraction.trim_end_matches('0');
        if whole.is_empty() {
            let significant = fraction.trim_start_matches('0');
            point = point.saturating_sub(length(fraction) - length(significant));
            fraction = significant;
        }
        let whole = if fraction.is_empty() { whole.trim_end_matches('0') } else { whole };
        let point = if whole.is_empty() && fraction.is_empty() { 0 } else { point };
        Decimal { whole, fraction, point }
    }

    fn digits(&self) -> impl Iterator<Item = u8> + '_ {
        self.whole.bytes().chain(self.fraction.bytes())
    }

    fn equals(&self, other: &Decimal<'_>) -> bool {
        self.point == other.point && self.digits().eq(other.digits())
    }

    /// `Number.prototype.toString` (ECMA-262, 6.1.6.1.20) of a number with these digits.
    fn ecmascript(&self, negative: bool) -> String {
        let digits: String = self.digits().map(char::from).collect();
        let (n, k) = (self.point, length(&digits));
        if digits.is_empty() {
            return String::from("0");
        }
        let mut out = String::with_capacity(26);
        if negative {
            out.push('-');
        }
        let zeros = |out: &mut String, count: i64| (0..count).for_each(|_| out.push('0'));
        if (1..=21).contains(&n) {
            let (head, tail) = digits.split_at(usize::try_from(n.min(k)).unwrap_or(0));
            out.push_str(head);
            zeros(&mut out, n - k);
            if !tail.is_empty() {
                out.push('.');
                out.push_str(tail);
            }
        } else if (-5..=0).contains(&n) {
            out.push_str("0.");
            zeros(&mut out, -n);
            out.push_str(&digits);
        } else {
            let (head, tail) = digits.split_at(1);
            out.push_str(head);
            if !tail.is_empty() {
                out.push('.');
                out.push_str(tail);
            }
            out.push_str(if n > 0 { "e+" } else { "e-" });
            out.push_str(&alloc::format!("{}", (n - 1).unsigned_abs()));
        }
        out
    }
}

fn length(digits: &str) -> i64 {
    i64::try_from(digits.len()).unwrap_or(i64::MAX)
}

/// Far beyond every double, and far from the ends of an integer.
const FAR: i64 = 1 << 48;

/// A decimal exponent, however many digits it has.
fn saturating(exponent: &str) -> i64 {
    let (negative, digits) = match exponent.as_bytes() {
        [b'-', ..] => (true, exponent.get(1..)),
        [b'+', ..] => (false, exponent.get(1..)),
        _ => (false, Some(exponent)),
    };
    let value = digits.unwrap_or_default().bytes().fold(0i64, |n, b| (n * 10 + i64::from(b & 15)).min(FAR));
    if negative { -value } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(raw: &str) -> (String, bool) {
        match canonical(raw) {
            Canonical::Same => (raw.into(), true),
            Canonical::Other { text, exact } => (text, exact),
            Canonical::TooLarge => ("too large".into(), false),
        }
    }

    #[test]
    fn writes_what_ecmascript_writes() {
        // Appendix B of RFC 8785, by the double's bits.
        for (bits, text) in [
            (0x0000_0000_0000_0000, "0"),
            (0x8000_0000_0000_0000, "0"),
            (0x0000_0000_0000_0001, "5e-324"),
            (0x8000_0000_0000_0001, "-5e-324"),
            (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
            (0x4340_0000_0000_0000, "9007199254740992"),
            (0x4430_0000_0000_0000, "295147905179352830000"),
            (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
            (0x44b5_2d02_c7e1_4af6, "1e+23"),
            (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
            (0x444b_1ae4_d6e2_ef50, "1e+21"),
            (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
            (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
            (0x41b3_de43_5555_5553, "333333333.3333332"),
            (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
            (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
        ] {
            let value = f64::from_bits(bits);
            assert_eq!(written(&alloc::format!("{value:e}")).0, text);
            assert_eq!(written(&alloc::format!("{value:?}")).0, text);
        }
    }

    #[test]
    fn says_which_numbers_do_not_survive() {
        for (raw, text, exact) in [
            ("9007199254740993", "9007199254740992", false),
            ("9007199254740992", "9007199254740992", true),
            ("18446744073709551615", "18446744073709552000", false),
            ("1.0", "1", true),
            ("-0", "0", true),
            ("-0.0e5", "0", true),
            ("1E30", "1e+30", true),
            ("100e-2", "1", true),
            ("0.00100", "0.001", true),
            ("333333333.33333329", "333333333.3333333", false),
            ("1e-400", "0", false),
            ("0e99999999999999999999", "0", true),
            ("1e-99999999999999999999", "0", false),
            ("1e99999999999999999999", "too large", false),
            ("-1e400", "too large", false),
        ] {
            assert_eq!(written(raw), (text.into(), exact), "{raw}");
        }
    }
}
