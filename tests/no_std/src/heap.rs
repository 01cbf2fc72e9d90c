//! An allocator that hands out a fixed block from front to back and gives nothing back but the latest piece. Enough
//! for one call, and it makes the program's need for memory a number.

use core::alloc::{GlobalAlloc, Layout};
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicUsize, Ordering};

const SIZE: usize = 1 << 20;

struct Bump {
    block: UnsafeCell<[u8; SIZE]>,
    used: AtomicUsize,
}

// SAFETY: the program has one thread; `used` alone decides which bytes belong to whom.
unsafe impl Sync for Bump {}

#[global_allocator]
static HEAP: Bump = Bump { block: UnsafeCell::new([0; SIZE]), used: AtomicUsize::new(0) };

// SAFETY: every piece lies inside the block, is aligned, and overlaps no other piece in use.
unsafe impl GlobalAlloc for Bump {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let base = self.block.get().cast::<u8>();
        let free = base as usize + self.used.load(Ordering::Relaxed);
        let start = free.next_multiple_of(layout.align()) - base as usize;
        let Some(end) = start.checked_add(layout.size()) else { return core::ptr::null_mut() };
        if end > SIZE {
            return core::ptr::null_mut();
        }
        self.used.store(end, Ordering::Relaxed);
        // SAFETY: start <= end <= SIZE.
        unsafe { base.add(start) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let start = pointer as usize - self.block.get() as usize;
        if start + layout.size() == self.used.load(Ordering::Relaxed) {
            self.used.store(start, Ordering::Relaxed);
        }
    }
}
