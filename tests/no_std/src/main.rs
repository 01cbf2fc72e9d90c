//! Delivers a list of 200 rows in 400 characters with nothing under it but the kernel: no libc, no start files, an
//! allocator and a panic handler of its own. `run.sh` builds it, runs it and compares what it prints.
//!
//! Exit status: 0 delivered, 1 a typed error (printed), 2 the answer is not what the contract says, 101 a panic.
#![no_std]
#![no_main]

extern crate alloc;

mod heap;
mod linux;

use alloc::format;
use alloc::string::String;
use haversack::{Budget, Delivery, deliver};

const ROWS: u64 = 200;
const BUDGET: usize = 400;

fn run() -> i32 {
    match deliver(&payload(), Budget::chars(BUDGET)) {
        Ok(d) => {
            linux::print(d.text());
            linux::print("\n");
            if holds(&d) { 0 } else { 2 }
        }
        Err(error) => {
            linux::print(&format!("{error}\n"));
            1
        }
    }
}

fn payload() -> String {
    let mut rows = String::from("[");
    for i in 0..ROWS {
        if i > 0 {
            rows.push(',');
        }
        rows.push_str(&format!(r#"{{"id":{i},"state":"open"}}"#));
    }
    rows.push(']');
    rows
}

/// The books close, and the text is within its budget.
fn holds(d: &Delivery) -> bool {
    let records = d.account().records();
    records.total == ROWS
        && records.kept + records.omitted == ROWS
        && records.omitted > 0
        && !d.complete()
        && d.text().chars().count() <= BUDGET
        && d.size() == d.text().chars().count()
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    linux::print(&format!("{info}\n"));
    linux::exit(101)
}
