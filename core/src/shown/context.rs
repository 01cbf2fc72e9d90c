//! Which characters a reader does not see, and where such a character belongs to its script or emoji all the same.

/// Characters without an appearance of their own: controls, marks of direction and of format, joiners, selectors, tags,
/// fillers, and code points that are no characters.
pub(super) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fdd0}'..='\u{fdef}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
        || u32::from(c) & 0xfffe == 0xfffe
}

const ZWNJ: char = '\u{200c}';
const ZWJ: char = '\u{200d}';

/// Whether a hidden character is needed where it stands: a joiner between two letters of a script that has joined forms
/// or inside an emoji, and one selector behind a character that has variants. A run of them is not.
pub(super) fn belongs(before: Option<char>, c: char, after: &str) -> bool {
    let Some(before) = before else { return false };
    let next = after.chars().next();
    match c {
        ZWJ if next.is_some_and(is_pictograph) => is_pictograph(before) || matches!(before, '\u{fe0f}' | '\u{20e3}'),
        ZWJ | ZWNJ => joins(before) && next.is_some_and(joins),
        '\u{fe0e}' | '\u{fe0f}' => is_pictograph(before) || matches!(before, '0'..='9' | '#' | '*'),
        '\u{fe00}'..='\u{fe0d}' => !before.is_ascii() && !is_hidden(before),
        '\u{e0100}'..='\u{e01ef}' => is_ideograph(before),
        '\u{180b}'..='\u{180d}' | '\u{180f}' => matches!(before, '\u{1820}'..='\u{18aa}'),
        '\u{34f}' => is_hebrew(before) && next.is_some_and(is_hebrew),
        '\u{1160}' => matches!(before, '\u{1100}'..='\u{115e}'),
        _ => false,
    }
}

/// Scripts whose letters join or stack, so that a joiner between two of them changes what is seen.
fn joins(c: char) -> bool {
    matches!(c,
        '\u{600}'..='\u{dff}' | '\u{f00}'..='\u{109f}' | '\u{1780}'..='\u{180a}' | '\u{1810}'..='\u{18af}'
        | '\u{1900}'..='\u{1cff}' | '\u{a800}'..='\u{abff}' | '\u{fb50}'..='\u{fdcf}' | '\u{fe70}'..='\u{fefc}'
        | '\u{10a00}'..='\u{11fff}' | '\u{1e900}'..='\u{1e95f}')
        && !is_hidden(c)
}

/// Symbols that have an emoji form, and the skin tones that belong to them.
fn is_pictograph(c: char) -> bool {
    matches!(c,
        '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2194}'..='\u{21aa}'
        | '\u{231a}'..='\u{23ff}' | '\u{24c2}' | '\u{25aa}'..='\u{27bf}' | '\u{2934}' | '\u{2935}' | '\u{2b05}'..='\u{2b55}'
        | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3fffd}')
}

fn is_hebrew(c: char) -> bool {
    matches!(c, '\u{591}'..='\u{5f4}')
}

/// The three flags that are written with tags: England, Scotland, Wales. Others of that form are not for interchange,
/// and could spell out anything.
const FLAGS: [&str; 3] = [
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];

/// The flag that a text starts with.
pub(super) fn flag(text: &str) -> Option<&'static str> {
    FLAGS.into_iter().find(|flag| text.starts_with(*flag))
}
