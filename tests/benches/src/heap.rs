//! The system's allocator with a gauge that is off while anything is timed.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

struct Gauge;

#[global_allocator]
static GAUGE: Gauge = Gauge;
static ON: AtomicBool = AtomicBool::new(false);
static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// The most bytes that `job` held at one time.
pub fn peak_of<T>(job: impl FnOnce() -> T) -> usize {
    NOW.store(0, Relaxed);
    PEAK.store(0, Relaxed);
    ON.store(true, Relaxed);
    let answer = job();
    ON.store(false, Relaxed);
    drop(answer);
    PEAK.load(Relaxed)
}

// SAFETY: everything is handed to the system's allocator unchanged.
unsafe impl GlobalAlloc for Gauge {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if ON.load(Relaxed) {
            let now = NOW.fetch_add(layout.size(), Relaxed) + layout.size();
            PEAK.fetch_max(now, Relaxed);
        }
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        if ON.load(Relaxed) {
            NOW.fetch_sub(layout.size(), Relaxed);
        }
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}
