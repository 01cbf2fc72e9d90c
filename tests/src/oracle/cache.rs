//! Caches, slow and obvious: a request is a list of blocks, a cache a list of the prefixes that were stored.

/// The levels of a prompt, in the order in which they are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Tools.
    Tools,
    /// The system prompt.
    System,
    /// Messages.
    Messages,
}

/// A block: what it says, how many tokens it has, and for how many seconds its mark asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Where it stands.
    pub level: Level,
    /// Equal blocks say the same.
    pub says: u8,
    /// Its size.
    pub tokens: usize,
    /// The life that its mark asks for.
    pub mark: Option<u64>,
}

/// A request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// In order of levels.
    pub blocks: Vec<Block>,
    /// What breaks all levels, those from the system prompt on, and the messages.
    pub settings: [u8; 3],
}

/// How a cache works, as far as it is told here.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Only what ends at a mark is stored.
    pub marks: bool,
    /// Positions that a mark looks back.
    pub look_back: Option<usize>,
    /// Tokens below which nothing is stored, and the steps above.
    pub minimum: usize,
    /// See `minimum`.
    pub step: usize,
    /// The last token is computed in any case.
    pub recomputes: bool,
}

/// What a block is to a cache: everything that must be equal up to and including it.
fn prefix(request: &Request, blocks: usize) -> Vec<String> {
    let level = |level| match level {
        Level::Tools => 0,
        Level::System => 1,
        Level::Messages => 2,
    };
    let describe = |block: &Block| {
        let settings = &request.settings[..=level(block.level)];
        format!("{:?} {} {} {settings:?}", block.level, block.says, block.tokens)
    };
    request.blocks[..blocks].iter().map(describe).collect()
}

fn tokens(request: &Request, blocks: usize) -> usize {
    request.blocks[..blocks].iter().map(|block| block.tokens).sum()
}

/// The tokens of `now` that are read when `before` went before it.
pub fn read(rules: Rules, before: &Request, now: &Request, elapsed: u64) -> usize {
    let mut best = 0;
    if rules.marks {
        for (at, marked) in now.blocks.iter().enumerate() {
            if marked.mark.is_none() {
                continue;
            }
            let reach = rules.look_back.unwrap_or(usize::MAX);
            for back in 0..=at {
                let end = at + 1 - back;
                let stored = before.blocks.get(end - 1).and_then(|block| block.mark);
                if back < reach
                    && stored.is_some_and(|life| elapsed <= life)
                    && prefix(before, end) == prefix(now, end)
                    && tokens(now, end) >= rules.minimum
                {
                    best = best.max(tokens(now, end));
                }
            }
        }
        return best;
    }
    for end in 0..=before.blocks.len().min(now.blocks.len()) {
        if prefix(before, end) == prefix(now, end) {
            best = tokens(now, end);
        }
    }
    if rules.recomputes {
        best = best.min(tokens(now, now.blocks.len()).saturating_sub(1));
    }
    let mut served = 0;
    let mut length = rules.minimum;
    while length <= best {
        served = length;
        length += rules.step;
    }
    served
}
