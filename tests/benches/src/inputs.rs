//! Root arrays of records as tools return them, built by rule: the same bytes on every machine.

use core::fmt::{self, Write};

/// The shapes of the inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Issues of a code host: about 2.2 KB a record, prose with escapes and some non-ASCII.
    Issues,
    /// Pods of a cluster: about 2.4 KB a record, deep, short strings.
    Pods,
    /// Rows of a table: about 108 bytes a record.
    Flat,
}

impl Shape {
    pub const ALL: [Shape; 3] = [Shape::Issues, Shape::Pods, Shape::Flat];

    /// A compact root array of at least `bytes` bytes, and how many records it has.
    pub fn build(self, bytes: usize) -> (String, usize) {
        let mut out = String::with_capacity(bytes + 4096);
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        let mut records = 0;
        out.push('[');
        while out.len() < bytes {
            if records > 0 {
                out.push(',');
            }
            match self {
                Shape::Issues => issue(&mut out, &mut random, records),
                Shape::Pods => pod(&mut out, &mut random, records),
                Shape::Flat => row(&mut out, &mut random, records),
            }
            records += 1;
        }
        out.push(']');
        (out, records)
    }
}

/// The name used in tables and file names.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Shape::Issues => "gh",
            Shape::Pods => "pods",
            Shape::Flat => "flat",
        })
    }
}

const WORDS: [&str; 24] = [
    "panic",
    "when",
    "the",
    "parser",
    "reads",
    "an",
    "empty",
    "chunk",
    "after",
    "reconnect",
    "expected",
    "value",
    "got",
    "timeout",
    "in",
    "worker",
    "naïve",
    "café",
    "→",
    "日本",
    r"C:\\temp\\log",
    r#"\"quoted\""#,
    r"\n",
    r"\t",
];

fn prose(out: &mut String, random: &mut Random, bytes: usize) {
    let end = out.len() + bytes;
    while out.len() < end {
        out.push_str(WORDS[random.below(WORDS.len() as u64) as usize]);
        out.push(' ');
    }
}

fn issue(out: &mut String, random: &mut Random, i: usize) {
    let id = 1_000_000_000 + random.below(1 << 40);
    _ = write!(
        out,
        r#"{{"url":"https://code.example.org/repos/acme/engine/issues/{i}","id":{id},"number":{i},"title":""#
    );
    prose(out, random, 60);
    _ = write!(
        out,
        concat!(
            r#"","user":{{"login":"user{u}","id":{u},"type":"User","site_admin":false}},"labels":[{{"id":{l},"name":"bug","#,
            r#""color":"d73a4a","default":true}},{{"id":{l},"name":"area/parser","color":"0e8a16","default":false}}],"#,
            r#""state":"open","locked":false,"assignee":null,"comments":{c},"created_at":"2026-03-{d:02}T08:15:00Z","#,
            r#""score":{c}.50,"body":""#
        ),
        u = random.below(5000),
        l = random.below(1 << 31),
        c = random.below(90),
        d = 1 + random.below(28),
    );
    prose(out, random, 1550);
    out.push_str(r#"","reactions":{"total_count":3,"+1":2,"-1":0,"laugh":1}}"#);
}

fn pod(out: &mut String, random: &mut Random, i: usize) {
    let hash = random.below(1 << 32);
    _ = write!(
        out,
        concat!(
            r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"web-{h:08x}-{i}","namespace":"prod","uid":"{a:08x}-{h:08x}","#,
            r#""resourceVersion":"{a}","labels":{{"app":"web","pod-template-hash":"{h:08x}","tier":"front"}},"ownerReferences":"#,
            r#"[{{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-{h:08x}","controller":true}}]}},"spec":{{"containers":["#
        ),
        h = hash,
        i = i,
        a = random.below(1 << 32),
    );
    for c in 0..3 {
        if c > 0 {
            out.push(',');
        }
        _ = write!(
            out,
            concat!(
                r#"{{"name":"c{c}","image":"registry.example.org/acme/web:{v}","ports":[{{"containerPort":{p},"protocol":"TCP"}}],"#,
                r#""env":[{{"name":"MODE","value":"prod"}},{{"name":"SHARD","value":"{s}"}},{{"name":"REGION","value":"eu-1"}}],"#,
                r#""resources":{{"limits":{{"cpu":"500m","memory":"512Mi"}},"requests":{{"cpu":"250m","memory":"256Mi"}}}},"#,
                r#""volumeMounts":[{{"name":"data","mountPath":"/var/data","readOnly":true}}],"imagePullPolicy":"IfNotPresent"}}"#
            ),
            c = c,
            v = random.below(100),
            p = 8000 + c,
            s = random.below(16),
        );
    }
    _ = write!(
        out,
        concat!(
            r#"],"nodeName":"node-{n}","restartPolicy":"Always","terminationGracePeriodSeconds":30}},"status":{{"phase":"Running","#,
            r#""conditions":[{{"type":"Initialized","status":"True","lastTransitionTime":"2026-03-01T08:15:00Z"}},{{"type":"Ready","#,
            r#""status":"True","lastTransitionTime":"2026-03-01T08:15:07Z"}},{{"type":"PodScheduled","status":"True"}}],"#,
            r#""hostIP":"10.0.0.{n}","podIP":"10.1.{n}.{i8}","startTime":"2026-03-01T08:15:00Z","containerStatuses":["#,
            r#"{{"name":"c0","ready":true,"restartCount":{r},"started":true}},{{"name":"c1","ready":true,"restartCount":0,"#,
            r#""started":true}},{{"name":"c2","ready":false,"restartCount":{r},"started":true}}],"qosClass":"Burstable"}}}}"#
        ),
        n = random.below(200),
        i8 = i % 256,
        r = random.below(9),
    );
}

fn row(out: &mut String, random: &mut Random, i: usize) {
    _ = write!(
        out,
        r#"{{"id":{i},"account":{},"amount":{}.{:02},"currency":"EUR","status":"settled","at":"2026-03-{:02}T08:15:00Z"}}"#,
        random.below(1 << 31),
        random.below(100_000),
        random.below(100),
        1 + random.below(28),
    );
}

/// xorshift64*: enough for variety, and the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) % n
    }
}
