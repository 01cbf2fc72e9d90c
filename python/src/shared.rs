//! A value that threads share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A value behind a lock that is held for one call into the core, and never while Python runs: what a call answers is
/// turned into objects and exceptions when the lock is free again. Whoever waited for the lock with the interpreter in
/// hand, while its holder waits for the interpreter, would wait for ever.
#[derive(Debug, Default)]
pub(crate) struct Shared<T>(Mutex<Arc<T>>);

impl<T: Clone> Shared<T> {
    pub(crate) fn new(value: T) -> Self {
        Shared(Mutex::new(Arc::new(value)))
    }

    fn lock(&self) -> MutexGuard<'_, Arc<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// As it is now, to be read without the lock. Whoever writes meanwhile writes a copy.
    pub(crate) fn now(&self) -> Arc<T> {
        Arc::clone(&self.lock())
    }

    /// `work` runs no Python.
    pub(crate) fn read<R>(&self, work: impl FnOnce(&T) -> R) -> R {
        work(&self.lock())
    }

    /// `work` runs no Python.
    pub(crate) fn write<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        work(Arc::make_mut(&mut self.lock()))
    }

    /// Puts `after` there unless somebody wrote since `before` was read, and says whether it did.
    pub(crate) fn replace(&self, before: &Arc<T>, after: T) -> bool {
        let mut held = self.lock();
        let same = Arc::ptr_eq(&held, before);
        if same {
            *held = Arc::new(after);
        }
        same
    }

    /// One of its own with the same value. Costs nothing until one of them changes.
    pub(crate) fn copy(&self) -> Self {
        Shared(Mutex::new(self.now()))
    }
}
