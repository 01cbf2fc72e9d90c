//! SHA-256 with the digests of every prefix thrown in, keyed where the host wants it.
//!
//! SHA-256 goes from block to block with a state of 256 bits. A part of that state at every 256th byte is a digest of
//! the text up to there: the first one in which two texts differ says where they part, and none costs another pass.

use alloc::vec::Vec;

use sha2::block_api::compress256;

/// Bytes between two of the short digests.
pub(crate) const CHUNK: usize = 256;
const BLOCK: usize = 64;
const START: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// A SHA-256 digest, or an HMAC of it.
pub(crate) type Digest = [u8; 32];

/// The digests of one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    /// Of the whole text.
    pub(crate) whole: Digest,
    /// Of its first 256, 512, 768 … bytes, in 64 bits each.
    pub(crate) prefixes: Vec<u64>,
}

/// Digests texts, under a key or plainly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digester {
    inner: [u32; 8],
    /// The state behind the outer block of an HMAC.
    outer: Option<[u32; 8]>,
}

impl Digester {
    /// Plain SHA-256, or HMAC-SHA-256 (RFC 2104) under `key`.
    pub(crate) fn new(key: Option<&[u8]>) -> Self {
        let Some(key) = key else { return Digester { inner: START, outer: None } };
        let mut block = [0; BLOCK];
        if key.len() > BLOCK {
            let short = Digester::new(None).digest(key);
            block.iter_mut().zip(short).for_each(|(to, from)| *to = from);
        } else {
            block.iter_mut().zip(key).for_each(|(to, from)| *to = *from);
        }
        let (mut inner, mut outer) = (START, START);
        compress256(&mut inner, &[block.map(|byte| byte ^ 0x36)]);
        compress256(&mut outer, &[block.map(|byte| byte ^ 0x5c)]);
        Digester { inner, outer: Some(outer) }
    }

    /// The digest of `bytes`.
    pub(crate) fn digest(&self, bytes: &[u8]) -> Digest {
        let mut state = self.inner;
        let (blocks, tail) = bytes.as_chunks::<BLOCK>();
        compress256(&mut state, blocks);
        self.finish(state, tail, bytes.len())
    }

    /// The digest of `bytes` and those of its prefixes.
    pub(crate) fn fingerprint(&self, bytes: &[u8]) -> Fingerprint {
        let mut state = self.inner;
        let mut prefixes = Vec::with_capacity(bytes.len() / CHUNK);
        let (blocks, tail) = bytes.as_chunks::<BLOCK>();
        for chunk in blocks.chunks(CHUNK / BLOCK) {
            compress256(&mut state, chunk);
            if chunk.len() == CHUNK / BLOCK {
                prefixes.push(u64::from(state[0]) << 32 | u64::from(state[1]));
            }
        }
        Fingerprint { whole: self.finish(state, tail, bytes.len()), prefixes }
    }

    fn finish(&self, state: [u32; 8], tail: &[u8], len: usize) -> Digest {
        let Some(outer) = self.outer else { return bytes_of(padded(state, tail, len as u64)) };
        let inner = bytes_of(padded(state, tail, (len + BLOCK) as u64));
        bytes_of(padded(outer, &inner, (inner.len() + BLOCK) as u64))
    }
}

/// The state behind `tail` (less than a block), the end mark and the length of all that was hashed.
fn padded(mut state: [u32; 8], tail: &[u8], len: u64) -> [u32; 8] {
    let mut blocks = [[0u8; BLOCK]; 2];
    let bytes = blocks.as_flattened_mut();
    bytes.iter_mut().zip(tail.iter().chain(&[0x80])).for_each(|(to, from)| *to = *from);
    let used = if tail.len() < BLOCK - 8 { 1 } else { 2 };
    let end = used * BLOCK;
    if let Some(length) = bytes.get_mut(end - 8..end) {
        length.copy_from_slice(&(len * 8).to_be_bytes());
    }
    compress256(&mut state, blocks.get(..used).unwrap_or_default());
    state
}

fn bytes_of(state: [u32; 8]) -> Digest {
    let mut digest = [0; 32];
    for (to, word) in digest.chunks_exact_mut(4).zip(state) {
        to.copy_from_slice(&word.to_be_bytes());
    }
    digest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::offload::{hex, sha256};
    use alloc::vec;

    #[test]
    fn is_sha256_at_every_length() {
        let plain = Digester::new(None);
        for len in 0..700 {
            let bytes: Vec<u8> = (0..len).map(|i| (i * 7 + len) as u8).collect();
            let print = plain.fingerprint(&bytes);
            assert_eq!((print.whole, plain.digest(&bytes)), (sha256(&bytes), sha256(&bytes)), "{len}");
            assert_eq!(print.prefixes.len(), len / CHUNK);
            let longer = plain.fingerprint(&[&bytes[..], &[1; 300]].concat());
            assert_eq!(longer.prefixes[..len / CHUNK], print.prefixes[..]);
        }
    }

    #[test]
    fn is_hmac_under_a_key() {
        // RFC 4231, test cases 1, 2 and 6.
        for (key, text, wanted) in [
            (vec![0x0b; 20], "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
            (
                b"Jefe".to_vec(),
                "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            ),
            (
                vec![0xaa; 131],
                "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
            ),
        ] {
            let keyed = Digester::new(Some(&key));
            assert_eq!(hex(&keyed.digest(text.as_bytes())), wanted);
            assert_eq!(hex(&keyed.fingerprint(text.as_bytes()).whole), wanted);
        }
    }
}
