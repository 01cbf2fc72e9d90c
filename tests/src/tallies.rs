//! E4: random chains of boundaries, and books that have to explain every record.

use arbitrary::{Arbitrary, Result, Unstructured};
use haversack::{Account, Boundary, Counts, Tally};

/// A chain: at each boundary what becomes of each record that is still there (0 to 3: kept; 4 shrunk; 5 offloaded; 6
/// omitted), and whether the host still has what was omitted.
#[derive(Clone, Debug)]
pub struct Chain {
    /// How many records there are at first.
    pub start: u64,
    /// Boundary, fates, whether what is omitted can be fetched.
    pub links: Vec<(Boundary, Vec<u8>, bool)>,
}

impl<'a> Arbitrary<'a> for Chain {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let start = u.int_in_range(0..=60)?;
        let mut links = vec![];
        for _ in 0..u.int_in_range(1..=11)? {
            let fates = (0..8).map(|_| u.int_in_range(0..=6)).collect::<Result<_>>()?;
            links.push((*u.choose(Boundary::ALL)?, fates, u.arbitrary()?));
        }
        Ok(Chain { start, links })
    }
}

/// Every record of the start is there at the end or explained by one boundary; sums close; state goes through JSON.
///
/// # Errors
/// What does not hold.
pub fn books_close(chain: &Chain) -> std::result::Result<(), String> {
    let (mut tally, mut left) = (Tally::new(), chain.start);
    let (mut offloaded, mut omitted, mut fetchable) = (0, 0, 0);
    for (boundary, fates, recoverable) in &chain.links {
        let mut counts = Counts::default();
        for at in 0..left {
            counts.total += 1;
            match fates[at as usize % fates.len()] {
                0..=3 => counts.kept += 1,
                4 => counts.shrunk += 1,
                5 => counts.offloaded += 1,
                _ => counts.omitted += 1,
            }
        }
        let wide = |n: u64| n * 17;
        let bytes = Counts {
            total: wide(counts.total),
            kept: wide(counts.kept),
            shrunk: wide(counts.shrunk),
            offloaded: wide(counts.offloaded),
            omitted: wide(counts.omitted),
        };
        tally.add(*boundary, &Account::new(counts, bytes, 0, None), *recoverable).map_err(|e| e.to_string())?;
        offloaded += counts.offloaded;
        omitted += counts.omitted;
        fetchable += counts.offloaded + if *recoverable { counts.omitted } else { 0 };
        left = counts.kept + counts.shrunk;
    }
    let (mut gone, mut recoverable, mut lost) = (0, 0, 0);
    for (boundary, sums) in tally.boundaries() {
        if !sums.records.closes() || !sums.bytes.closes() || sums.bytes.total != 17 * sums.records.total {
            return Err(format!("{boundary:?}: {sums:?}"));
        }
        gone += sums.records.offloaded + sums.records.omitted;
        recoverable += sums.recoverable;
        lost += sums.lost();
    }
    let unexplained = chain.start - left - gone;
    if unexplained != 0 || gone != offloaded + omitted || recoverable != fetchable || gone != recoverable + lost {
        return Err(format!("{unexplained} records are unexplained: {}", tally.table()));
    }
    let back = Tally::from_json(&tally.to_json()).map_err(|e| e.to_string())?;
    if back != tally || back.table() != tally.table() {
        return Err("a tally changes on its way through JSON".into());
    }
    Ok(())
}
