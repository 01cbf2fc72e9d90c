//! Lines of text: logs, diffs, tables, pages of HTML, one endless line.

use crate::deliver::delivery::Delivery;
use crate::deliver::options::{DeliverOptions, Format};
use crate::deliver::records;
use crate::deliver::source::Split;
use crate::error::Error;

/// Delivers lines: head and tail by default, the notice on the first line.
///
/// # Errors
/// `budget_too_small`, `record_too_large`, the cursor kinds, `invalid_option`, `limit_exceeded`.
pub(crate) fn deliver_lines(text: &str, options: &DeliverOptions<'_>) -> Result<Delivery, Error> {
    records::deliver_records(text, Split::Lines, Format::Lines, options, None)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::deliver::Keep;
    use crate::error::ErrorKind;
    use crate::measure::Budget;
    use alloc::string::String;
    use alloc::vec::Vec;

    fn log() -> String {
        let long = "é😀x ".repeat(60);
        (0..40)
            .map(|i| if i % 13 == 5 { alloc::format!("{i} {long}\r\n") } else { alloc::format!("line {i}\n") })
            .collect()
    }

    #[test]
    fn every_line_comes_once_whatever_is_kept() {
        let text = log();
        for limit in [130, 260, 700] {
            for keep in [Keep::Head, Keep::Tail, Keep::Both] {
                for budget in [Budget::bytes(limit), Budget::chars(limit), Budget::utf16(limit)] {
                    let mut seen = Vec::new();
                    let mut cursor: Option<String> = None;
                    loop {
                        let mut options = DeliverOptions::new(budget).keep(keep);
                        if let Some(cursor) = &cursor {
                            options = options.cursor(cursor);
                        }
                        let d = deliver_lines(&text, &options).unwrap();
                        assert!(d.size() <= limit && budget.size(d.text()).unwrap() == d.size());
                        assert!(d.account().records().closes() && d.account().bytes().closes());
                        for run in d.plan().iter().filter(|r| r.action().name() != "omit") {
                            seen.extend(run.from()..run.to());
                        }
                        cursor = d.next().map(String::from);
                        if cursor.is_none() {
                            break;
                        }
                    }
                    seen.sort_unstable();
                    assert_eq!(seen, (0..40).collect::<Vec<_>>(), "{keep:?} {budget:?}");
                }
            }
        }
    }

    #[test]
    fn needed_is_exact() {
        let text = log();
        for limit in 0..30 {
            match deliver_lines(&text, &DeliverOptions::new(Budget::chars(limit))) {
                Ok(d) => assert!(limit >= 26 && d.size() <= limit),
                Err(e) => {
                    assert_eq!(
                        (e.kind(), e.needed(), e.available()),
                        (ErrorKind::BudgetTooSmall, Some(26), Some(limit))
                    );
                    assert!(limit < 26);
                }
            }
        }
    }

    #[test]
    fn a_second_cut_adds_to_the_first() {
        let text = log();
        let first = deliver_lines(&text, &DeliverOptions::new(Budget::chars(400))).unwrap();
        let again = deliver_lines(first.text(), &DeliverOptions::new(Budget::chars(400))).unwrap();
        assert_eq!(again.text(), first.text());
        assert_eq!(again.account().records(), first.account().records());
        assert!(!again.complete());
        let second = deliver_lines(first.text(), &DeliverOptions::new(Budget::chars(200))).unwrap();
        assert_eq!(second.account().records().total, 40);
        assert!(second.account().records().omitted >= first.account().records().omitted);
        let account = first.account().clone();
        let told = deliver_lines(first.text(), &DeliverOptions::new(Budget::chars(200)).earlier(&account)).unwrap();
        assert_eq!((told.account().records().total, told.next()), (40, None));
        assert_eq!(told.account().claimed(), Some(account.records()));
        assert_eq!(
            told.account().bytes().total,
            account.bytes().total,
            "what the first cut left out is counted in bytes, too"
        );
    }
}
