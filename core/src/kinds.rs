//! The one table of a named enumeration: each value with its number in C and its name in every language and in stored
//! state.

/// Defines an enumeration from its head and lines `Variant = number, "name";`, with `ALL`, `code`, `name` and `named`;
/// serde writes and reads it under its name.
///
/// Numbers rise, never change and are never used again. 0 is left to what is no value, but where the first value is the
/// default of an option.
macro_rules! kinds {
    (
        $(#[$about:meta])*
        pub enum $kind:ident;
        $($(#[$doc:meta])* $variant:ident = $code:literal, $name:literal;)*
    ) => {
        $(#[$about])*
        pub enum $kind { $($(#[$doc])* $variant,)* }

        impl $kind {
            /// Every value, in the order of its number.
            pub const ALL: &'static [$kind] = &[$($kind::$variant,)*];

            /// The number of this value in the C header; never reused.
            pub const fn code(self) -> u32 { match self { $($kind::$variant => $code,)* } }

            /// The name of this value, the same in every language.
            pub const fn name(self) -> &'static str { match self { $($kind::$variant => $name,)* } }

            /// The value of that name.
            pub fn named(name: &str) -> Option<Self> { Self::ALL.iter().copied().find(|value| value.name() == name) }
        }

        impl serde::Serialize for $kind {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> { to.serialize_str(self.name()) }
        }

        impl<'de> serde::Deserialize<'de> for $kind {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let name = <alloc::borrow::Cow<'_, str> as serde::Deserialize>::deserialize(from)?;
                Self::named(&name).ok_or_else(|| <D::Error as serde::de::Error>::custom("unknown name"))
            }
        }
    };
}
