//! Enums whose values have a name that is the same in every language and in stored state.

/// Defines an enum with `ALL`, `name` and `named`.
macro_rules! named_enum {
    ($(#[$doc:meta])* $type:ident { $($(#[$variant_doc:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $type { $($(#[$variant_doc])* $variant,)* }

        impl $type {
            /// Every value, in order.
            pub const ALL: &'static [$type] = &[$($type::$variant,)*];

            /// Its name in every language.
            pub const fn name(self) -> &'static str { match self { $($type::$variant => $name,)* } }

            /// The value of that name.
            pub fn named(name: &str) -> Option<Self> { Self::ALL.iter().copied().find(|value| value.name() == name) }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> { to.serialize_str(self.name()) }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let name = <alloc::borrow::Cow<'_, str> as serde::Deserialize>::deserialize(from)?;
                Self::named(&name).ok_or_else(|| <D::Error as serde::de::Error>::custom("unknown name"))
            }
        }
    };
}

pub(crate) use named_enum;
