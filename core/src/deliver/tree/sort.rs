//! Order by value: exact, stable, and the same whatever the platform.

use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;

use super::view::View;
use crate::deliver::options::DeliverOptions;
use crate::json::{Child, Children, Kind, Node, Pattern, Scan, cmp_unescaped, decode_key};

/// The order that `sort_by` asks for.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    by: Pattern,
    descending: bool,
}

struct Keyed {
    value: Option<Node>,
    child: Child,
    index: usize,
}

impl Order {
    /// `None` without `sort_by`; its pointer was checked with the options.
    pub(crate) fn of(options: &DeliverOptions<'_>) -> Option<Self> {
        let by = Pattern::parse_plain(options.sort_by?, "sort_by").ok()?;
        Some(Order { by, descending: options.descending })
    }

    /// The records in this order; with `most`, only the first that many are remembered.
    pub(crate) fn sorted(&self, view: &View<'_>, children: Children<'_>, most: Option<usize>) -> Vec<Child> {
        let names = self.by.names().unwrap_or_default();
        let order = |a: &Keyed, b: &Keyed| {
            let raw = |k: &Keyed| k.value.map(|v| v.raw(view.text));
            compare(raw(a), raw(b), self.descending).then_with(|| a.index.cmp(&b.index))
        };
        let mut all: Vec<Keyed> = Vec::new();
        let most = most.unwrap_or(usize::MAX);
        for (index, child) in children.enumerate() {
            all.push(Keyed { value: find(view.text, view.scan, child.node, &names), child, index });
            if all.len() >= most.saturating_mul(2).max(64) && most != usize::MAX {
                all.sort_by(order);
                all.truncate(most);
            }
        }
        all.sort_by(order);
        all.into_iter().map(|k| k.child).collect()
    }

    /// Writes a value that is here whole, its outermost lists in this order.
    pub(crate) fn write(&self, view: &View<'_>, node: &Node, out: &mut String) {
        match node.kind(view.text) {
            Kind::Array => return self.write_list(view, node, out),
            Kind::Object => out.push('{'),
            Kind::String | Kind::Scalar => return view.write(node, out),
        }
        let mut stack = alloc::vec![(Children::new(view.text, view.scan, node), true)];
        while let Some((children, first)) = stack.last_mut() {
            let Some(child) = children.next() else {
                out.push('}');
                stack.pop();
                continue;
            };
            if !core::mem::take(first) {
                out.push(',');
            }
            view.write_span(child.key.0, child.key.1, out);
            out.push(':');
            match child.node.kind(view.text) {
                Kind::Array => self.write_list(view, &child.node, out),
                Kind::Object => {
                    out.push('{');
                    stack.push((Children::new(view.text, view.scan, &child.node), true));
                }
                _ => view.write(&child.node, out),
            }
        }
    }

    fn write_list(&self, view: &View<'_>, list: &Node, out: &mut String) {
        out.push('[');
        let records = self.sorted(view, Children::new(view.text, view.scan, list), None);
        for (i, record) in records.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            view.write(&record.node, out);
        }
        out.push(']');
    }
}

/// The value at these names in a document, as it stands there.
pub(crate) fn value_at<'t>(text: &'t str, scan: &Scan, names: &[&str]) -> Option<&'t str> {
    find(text, scan, scan.root, names).map(|n| n.raw(text))
}

fn find(text: &str, scan: &Scan, node: Node, names: &[&str]) -> Option<Node> {
    let mut node = node;
    for name in names {
        let mut children = Children::new(text, scan, &node);
        node = match node.kind(text) {
            Kind::Object => children.find(|c| decode_key(c.key_raw(text)) == **name)?.node,
            Kind::Array => children.nth(name.parse().ok()?)?.node,
            _ => return None,
        };
    }
    Some(node)
}

fn class(raw: &str) -> u8 {
    match raw.as_bytes().first() {
        Some(b'n') => 1,
        Some(b'f') => 2,
        Some(b't') => 3,
        Some(b'"') => 5,
        Some(b'{' | b'[') => 6,
        _ => 4,
    }
}

/// Two values as they stand in their texts; `None` is a missing one.
pub(crate) fn compare(a: Option<&str>, b: Option<&str>, descending: bool) -> Ordering {
    let (a, b) = match (a, b) {
        (None, None) => return Ordering::Equal,
        // Missing comes first, or (reversed) stays last.
        (None, Some(_)) => return if descending { Ordering::Greater } else { Ordering::Less },
        (Some(_), None) => return if descending { Ordering::Less } else { Ordering::Greater },
        (Some(a), Some(b)) => (a, b),
    };
    let values = class(a).cmp(&class(b)).then_with(|| match class(a) {
        4 => Decimal::read(a).cmp(&Decimal::read(b)),
        5 => cmp_unescaped(a, b),
        _ => Ordering::Equal,
    });
    if descending { values.reverse() } else { values }
}

/// A JSON number as sign, digits and the power of ten of the first digit: no float, no rounding.
struct Decimal<'a> {
    negative: bool,
    whole: &'a [u8],
    fraction: &'a [u8],
    /// Digits before the point of the first digit that counts, exponent included; saturating.
    magnitude: i64,
    zero: bool,
}

impl<'a> Decimal<'a> {
    fn read(raw: &'a str) -> Self {
        let (negative, rest) = raw.strip_prefix('-').map_or((false, raw), |r| (true, r));
        let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let down = exponent.starts_with('-');
        let digits = exponent.trim_start_matches(['+', '-']);
        let size = digits
            .bytes()
            .try_fold(0i64, |n, d| n.checked_mul(10)?.checked_add(i64::from(d.wrapping_sub(b'0'))))
            .unwrap_or(i64::MAX / 4);
        let exponent = if down { -size.min(i64::MAX / 4) } else { size.min(i64::MAX / 4) };
        let zeros = whole.bytes().chain(fraction.bytes()).take_while(|b| *b == b'0').count();
        let zero = zeros == whole.len() + fraction.len();
        let digits = |n: usize| i64::try_from(n).unwrap_or(i64::MAX / 4);
        let magnitude = exponent + digits(whole.len()) - digits(zeros);
        Decimal { negative: negative && !zero, whole: whole.as_bytes(), fraction: fraction.as_bytes(), magnitude, zero }
    }

    fn digits(&self) -> impl Iterator<Item = u8> + '_ {
        self.whole.iter().chain(self.fraction).copied().skip_while(|b| *b == b'0')
    }

    fn cmp(&self, other: &Decimal<'_>) -> Ordering {
        if self.zero || other.zero {
            let sign = |d: &Decimal<'_>| {
                if d.zero {
                    0
                } else if d.negative {
                    -1
                } else {
                    1
                }
            };
            return sign(self).cmp(&sign(other));
        }
        if self.negative != other.negative {
            return other.negative.cmp(&self.negative);
        }
        let size = self.magnitude.cmp(&other.magnitude).then_with(|| {
            let (mut a, mut b) = (self.digits(), other.digits());
            loop {
                match (a.next(), b.next()) {
                    (None, None) => return Ordering::Equal,
                    (x, y) => {
                        let order = x.unwrap_or(b'0').cmp(&y.unwrap_or(b'0'));
                        if order.is_ne() {
                            return order;
                        }
                    }
                }
            }
        });
        if self.negative { size.reverse() } else { size }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_by_exact_value() {
        let ascending =
            ["-1e400", "-20", "-2.5", "-0", "1e-9", "0.1", "1", "9007199254740993", "9007199254740994", "1e17"];
        for (i, a) in ascending.iter().enumerate() {
            for (j, b) in ascending.iter().enumerate() {
                assert_eq!(Decimal::read(a).cmp(&Decimal::read(b)), i.cmp(&j), "{a} {b}");
            }
        }
        assert_eq!(Decimal::read("1.50e1").cmp(&Decimal::read("15")), Ordering::Equal);
        assert_eq!(Decimal::read("-0").cmp(&Decimal::read("0.00")), Ordering::Equal);
    }
}
