//! Gives the shared library its name at run time: before 1.0 every minor version is a binary interface of its own.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let major = std::env::var("CARGO_PKG_VERSION_MAJOR").unwrap_or_default();
    let minor = std::env::var("CARGO_PKG_VERSION_MINOR").unwrap_or_default();
    let interface = if major == "0" { format!("0.{minor}") } else { major };
    match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("linux" | "android" | "freebsd" | "netbsd" | "openbsd") => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libhaversack.so.{interface}");
        }
        Ok("macos") => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libhaversack.{interface}.dylib");
        }
        _ => {}
    }
}
