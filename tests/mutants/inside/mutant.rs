//! Stands in the copy as `haversack::mutant`: which change is on, and which were met.

extern crate std;

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::io::Write as _;
use std::vec::Vec;

/// `MUTANT=record`: no change is on, and each that is met is noted.
const RECORD: u32 = u32::MAX - 1;
const UNREAD: u32 = u32::MAX;
static ACTIVE: AtomicU32 = AtomicU32::new(UNREAD);
static MET: [AtomicU64; 256] = [const { AtomicU64::new(0) }; 256];

/// Whether the change of this number is on.
#[inline]
pub fn m(number: u32) -> bool {
    let active = ACTIVE.load(Relaxed);
    active == number || (active >= RECORD && look(number))
}

#[cold]
fn look(number: u32) -> bool {
    if ACTIVE.load(Relaxed) == UNREAD {
        let active = match std::env::var("MUTANT").as_deref() {
            Ok("record") => RECORD,
            Ok(number) => number.parse().unwrap_or(0),
            Err(_) => 0,
        };
        ACTIVE.store(active, Relaxed);
    }
    let active = ACTIVE.load(Relaxed);
    if active == RECORD {
        let bit = 1 << (number % 64);
        if MET[number as usize / 64].fetch_or(bit, Relaxed) & bit == 0 {
            append(number);
        }
    }
    active == number
}

/// A test program of cargo's cannot be asked at its end, so it keeps a file.
fn append(number: u32) {
    let Ok(path) = std::env::var("MUTANT_MET") else { return };
    if let Ok(mut file) = std::fs::OpenOptions::new().append(true).create(true).open(path) {
        let _ = file.write_all(std::format!("{number}\n").as_bytes());
    }
}

/// The changes met since this was last asked.
pub fn take_met() -> Vec<u32> {
    let mut all = Vec::new();
    for (i, word) in MET.iter().enumerate() {
        let word = word.swap(0, Relaxed);
        all.extend((0..64).filter(|b| word >> b & 1 == 1).map(|b| (i * 64 + b) as u32));
    }
    all
}
