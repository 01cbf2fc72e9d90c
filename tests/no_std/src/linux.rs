//! Where the program starts, the two system calls it makes, and the four memory routines that compiled code calls.

use core::arch::{asm, global_asm};

// The kernel enters here with an aligned stack and no return address; a call wants it aligned before the call.
global_asm!(".globl _start", "_start:", "xor ebp, ebp", "and rsp, -16", "call {main}", "ud2", main = sym main);

extern "C" fn main() -> ! {
    exit(crate::run())
}

pub fn exit(status: i32) -> ! {
    // SAFETY: exit_group does not return.
    unsafe { asm!("syscall", in("rax") 231, in("rdi") status, options(noreturn)) }
}

/// Writes all of `text` to standard output; stops quietly when it cannot.
pub fn print(text: &str) {
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        let written: isize;
        // SAFETY: write(1, rest) reads `rest` only; rcx and r11 are what the kernel overwrites.
        unsafe {
            asm!("syscall", inlateout("rax") 1_isize => written, in("rdi") 1, in("rsi") rest.as_ptr(),
                in("rdx") rest.len(), out("rcx") _, out("r11") _, options(nostack));
        }
        match usize::try_from(written) {
            Ok(n) if n > 0 => rest = rest.get(n..).unwrap_or_default(),
            _ => return,
        }
    }
}

// Written with string instructions: a loop would be compiled into a call to the very routine it implements.

#[unsafe(no_mangle)]
unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, n: usize) -> *mut u8 {
    // SAFETY: the caller gives n readable and n writable bytes.
    unsafe { asm!("rep movsb", inout("rcx") n => _, inout("rdi") to => _, inout("rsi") from => _, options(nostack)) };
    to
}

#[unsafe(no_mangle)]
unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, n: usize) -> *mut u8 {
    if (to as usize).wrapping_sub(from as usize) >= n {
        // SAFETY: as the caller promises; going forward does not overwrite what is still to be read.
        return unsafe { memcpy(to, from, n) };
    }
    // SAFETY: as above, backwards; n > 0 here.
    unsafe {
        asm!("std", "rep movsb", "cld", inout("rcx") n => _, inout("rdi") to.add(n - 1) => _,
            inout("rsi") from.add(n - 1) => _, options(nostack));
    }
    to
}

#[unsafe(no_mangle)]
unsafe extern "C" fn memset(to: *mut u8, byte: i32, n: usize) -> *mut u8 {
    // SAFETY: the caller gives n writable bytes.
    unsafe { asm!("rep stosb", inout("rcx") n => _, inout("rdi") to => _, in("al") byte as u8, options(nostack)) };
    to
}

#[unsafe(no_mangle)]
unsafe extern "C" fn memcmp(a: *const u8, b: *const u8, n: usize) -> i32 {
    for i in 0..n {
        // SAFETY: the caller gives n readable bytes on both sides.
        let (x, y) = unsafe { (a.add(i).read_volatile(), b.add(i).read_volatile()) };
        if x != y {
            return i32::from(x) - i32::from(y);
        }
    }
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn bcmp(a: *const u8, b: *const u8, n: usize) -> i32 {
    // SAFETY: the same promise.
    unsafe { memcmp(a, b, n) }
}

// The shipped `alloc` is compiled to unwind and names these two; a program that aborts on panic never reaches them.

#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() -> ! {
    exit(102)
}

#[unsafe(no_mangle)]
extern "C" fn _Unwind_Resume() -> ! {
    exit(102)
}
