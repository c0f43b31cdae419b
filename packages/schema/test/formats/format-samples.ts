const SAMPLES_OF_A_FORMAT = 3000;

interface Shape {
  /** Texts to mutate; most are valid. */
  readonly seeds: readonly string[];
  /** Pieces that mutations insert, and that make texts of their own. */
  readonly pieces: readonly string[];
}

const HEX = ["0", "9", "a", "f", "A", "F", "g", "-", ":", "."];
const ANY = ["", " ", "\t", "\n", "\0", "\u00e9", "\u4e2d", "\u{1f600}", "\ud800", "\u212a", "\u017f", "0", "A"];

/** What the texts of each format are made of. Every format that servers check is here. */
const SHAPES: Readonly<Record<string, Shape>> = {
  bsonobjectid: { seeds: ["507f1f77bcf86cd799439011", "507F1F77BCF86CD799439011"], pieces: HEX },
  byte: {
    seeds: ["YQ==", "YWI=", "YWJj", "YWJjZGVm", "+/+/"],
    pieces: ["=", "==", "YQ", "a", "/", "+", "_", "-", "\n"],
  },
  cidr: {
    seeds: ["10.0.0.0/8", "::/0", "2001:db8::/32", "::ffff:1.2.3.4/96", "010.1.1.1/32", "1:2:3:4:5:6:7:8/128"],
    pieces: ["/", "0", "00", "32", "33", "128", "129", ":", "::", ".", "255", "256", "ffff", "10000", "00001", "%"],
  },
  creditcard: {
    seeds: [
      "4111111111111111",
      "4222222222222",
      "5500000000000004",
      "6011000000000004",
      "340000000000009",
      "30000000000004",
      "3530111333300000",
      "4111-1111-1111-1111",
    ],
    pieces: ["4", "5", "0", "1", "-", " ", "1111", "6011", "35", "2131"],
  },
  date: {
    seeds: ["2024-02-29", "2023-02-29", "1900-02-29", "2000-02-29", "0000-01-01", "9999-12-31", "2024-04-31"],
    pieces: ["-", "0", "1", "2", "9", "00", "12", "13", "31", "32", "2024", "T"],
  },
  "date-time": {
    seeds: [
      "2024-01-01T00:00:00Z",
      "2024-01-01t23:59:59.123+24:99",
      "2024-02-30T00:00:00Z",
      "2024-01-01T00:00:00,5Z",
      "2024-01-01T00:00:60Z",
      "2024-01-01T24:00:00-00:00",
    ],
    pieces: ["T", "t", "Z", "z", ":", "-", "+", ".", "x", "0", "1", "23", "59", "60", "\u2028", "\r"],
  },
  duration: {
    seeds: [
      "1h30m",
      "-1.5h",
      "0",
      "+0",
      ".5s",
      "1.h",
      "2 days",
      "3 weeks",
      "1\u00b5s",
      "1\u03bcs",
      "1.\u03bcs",
      "9223372036854775807ns",
      "-9223372036854775808ns",
      "9223372036854775808ns",
      "2562047h47m16.854775807s",
      "2562047h47m16.854775808s",
      "9223372036854775808ns9223372036854775808ns",
      "1 fortnight",
      "5 hours and 3 minutes",
    ],
    pieces: [
      "1",
      "0",
      "00000000000000000000",
      "9223372036854775807",
      "99999999999999999999",
      ".",
      "-",
      "+",
      "ns",
      "us",
      "\u00b5s",
      "\u03bcs",
      "\u039cs",
      "ms",
      "s",
      "m",
      "h",
      "d",
      "w",
      "wk",
      "hr",
      "nano",
      "Sec",
      "MIN",
      "hours",
      "day",
      "x",
      "\v",
      "\r",
    ],
  },
  email: {
    seeds: [
      "a@b",
      "a.b@c.d",
      '"a b"@c',
      '""@c',
      "Name <a@b>",
      '"N \\" x" <a@b>',
      "a@[127.0.0.1]",
      "a@[::1]",
      "a@[1.2]",
      "(c) a@b",
      "a@b (c (d))",
      "g: a@b;",
      "g: a@b, c@d;",
      "g:;",
      "=?utf-8?q?a=20b?= <a@b>",
      "=?x?q?a?= <a@b>",
      "a =?x?b?YQ==?= <a@b>",
      "a@b (=?x?q?a?=)",
      "=?u\u017f-ascii?Q?a?= <a@b>",
      "A (c) B <a@b>",
      "\u00e9@\u4e2d",
      "A . B <a@b>",
      "a@b (\\()",
      "g: (c) a@b (d) ; (e)",
      "<a@b>",
      "< a@b>",
      "a @b",
      "a@ b",
    ],
    pieces: [
      "@",
      "<",
      ">",
      "(",
      ")",
      "[",
      "]",
      ";",
      ":",
      ",",
      ".",
      '"',
      "\\",
      "a",
      "b",
      "=?",
      "?=",
      "?q?",
      "?b?",
      "utf-8",
      "x",
      "=41",
      "YQ==",
      "\r",
      "::1",
      "1.2.3.4",
      "~",
      "{",
      "\x7f",
    ],
  },
  hexcolor: { seeds: ["#fff", "fff", "#A0b1C2", "A0b1C2"], pieces: ["#", ...HEX] },
  hostname: {
    seeds: [
      "a",
      "a-",
      "-a",
      "a-b",
      "ab-c",
      "a.bc",
      "a.b",
      "a-b.cd",
      "1.2",
      "example.com",
      "\u00e9.\u4e2d\u4e2d",
      "\u{1f600}.com",
      `${"a".repeat(63)}.com`,
      `${"a".repeat(64)}.com`,
      `${"ab.".repeat(84)}com`,
      "a".repeat(62),
      "a".repeat(64),
      "+.com",
      "a..bc",
      "a.bc.",
    ],
    pieces: [".", "-", "_", "a", "Z", "9", "com", "\u20ac", "+", "$", "\u0301", "a".repeat(30)],
  },
  ipv4: {
    seeds: ["1.2.3.4", "255.255.255.255", "01.002.0003.4", "::ffff:1.2.3.4", "256.1.1.1", "1.2.3"],
    pieces: [".", "0", "1", "255", "256", ":", "::", "f", "%", "00000"],
  },
  ipv6: {
    seeds: [
      "::",
      "::1",
      "1:2:3:4:5:6:7:8",
      "1::8",
      "::1.2.3.4",
      "1:2:3:4:5:6:1.2.3.4",
      "1:2:3:4:5:6:7::",
      "::2:3:4:5:6:7:8",
      "fe80::1%eth0",
      "1:2:3:4:5:6:7::8",
      "::01.2.3.4",
    ],
    pieces: [":", "::", "0", "ffff", "fffff", "g", ".", "1.2.3.4", "%", "1:2:3"],
  },
  isbn: {
    seeds: ["0306406152", "097522980X", "9780306406157", "978-0-306-40615-7", "0 306 40615 2"],
    pieces: ["X", "x", "-", " ", "0", "9", "5", "978"],
  },
  isbn10: { seeds: ["0306406152", "097522980X", "0-306-40615-2"], pieces: ["X", "x", "-", " ", "\v", "0", "9", "5"] },
  isbn13: { seeds: ["9780306406157", "978-0-306-40615-7"], pieces: ["-", " ", "0", "9", "5", "978"] },
  "k8s-long-name": {
    seeds: ["a", "a.b", "a-b.c-d", `${"a".repeat(64)}.b`, "a".repeat(253), "a".repeat(254)],
    pieces: [".", "-", "a", "0", "A", "_", "a.b"],
  },
  "k8s-short-name": { seeds: ["a", "a-b", "0", "a".repeat(63), "a".repeat(64)], pieces: [".", "-", "a", "0", "A"] },
  mac: {
    seeds: [
      "01:23:45:67:89:ab",
      "01-23-45-67-89-ab",
      "0123.4567.89ab",
      "01:23:45:67:89:ab:cd:ef",
      "0123.4567.89ab.cdef",
      `00${":00".repeat(19)}`,
      `0000${".0000".repeat(9)}`,
      "0123456789ab",
    ],
    pieces: HEX,
  },
  password: { seeds: ["secret"], pieces: ["a"] },
  rgbcolor: {
    seeds: ["rgb(0,0,0)", "rgb(255, 255, 255)", "rgb( 1 , 10 , 199 )", "rgb(256,0,0)", "rgb(01,0,0)"],
    pieces: [",", "(", ")", "rgb", " ", "\t", "0", "1", "25", "249", "255", "256", "\v"],
  },
  ssn: { seeds: ["123-45-6789", "123 45 6789", "123-45 6789", "123456789"], pieces: ["-", " ", "1", "9", "a"] },
  uri: {
    seeds: [
      "http://a.b/c?d#e",
      "/path",
      "*",
      "mailto:a@b",
      "http://u:p@h:1/",
      "http://[::1]:80/",
      "http://[fe80::1%25en0]/",
      "http://[::1%25%41%20%7b]/",
      "http://%80/",
      "http://%41/",
      "//a/%zz",
      "///",
      "x:///%zz",
      "http://h:p/",
      "http://a[b]/",
      "http://[1.2.3.4]/",
      "http://h%25/",
      "http:/?%zz",
      "a:b",
      "?a",
      "http://u%2@h/",
      "http://a@b@c/",
      "http://[::1]%25/",
      "/a b",
      "http://a b/",
    ],
    pieces: [
      ":",
      "/",
      "//",
      "?",
      "#",
      "@",
      "[",
      "]",
      "%",
      "%25",
      "%20",
      "%41",
      "%5c",
      "%2f",
      "%80",
      "%7E",
      "::1",
      "1.2.3.4",
      "a",
      "80",
      "<",
      "\\",
      "^",
      "{",
      "|",
      "`",
      '"',
      "\x7f",
      "*",
    ],
  },
  uuid: { seeds: ["123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000"], pieces: HEX },
  uuid3: { seeds: ["123e4567-e89b-32d3-a456-426614174000"], pieces: [...HEX, "3", "4"] },
  uuid4: {
    seeds: ["123e4567-e89b-42d3-a456-426614174000", "123e4567e89b42d3b456426614174000"],
    pieces: [...HEX, "4", "8", "c"],
  },
  uuid5: { seeds: ["123e4567-e89b-52d3-9456-426614174000"], pieces: [...HEX, "5", "8", "c"] },
};

/** The formats with samples. */
export const SAMPLED_FORMATS: readonly string[] = Object.keys(SHAPES);

/** Texts of a format, valid ones and those that nearly are: the same ones in every run. */
export function samplesOf(format: string): readonly string[] {
  const shape = SHAPES[format];
  if (shape === undefined) throw new Error(`no samples of the format ${format}`);
  const random = randomNumbers(hashOf(format));
  const pieces = [...shape.pieces, ...shape.pieces, ...ANY];
  const samples = [...shape.seeds];
  while (samples.length < SAMPLES_OF_A_FORMAT) {
    samples.push(random(4) === 0 ? concatenated(pieces, random) : mutated(shape, pieces, random));
  }
  return samples;
}

type Random = (limit: number) => number;

function concatenated(pieces: readonly string[], random: Random): string {
  return Array.from({ length: random(12) }, () => pieces[random(pieces.length)] ?? "").join("");
}

function mutated({ seeds }: Shape, pieces: readonly string[], random: Random): string {
  let text = seeds[random(seeds.length)] ?? "";
  for (let count = 1 + random(3); count > 0; count--) {
    const [from, to] = [random(text.length + 1), random(text.length + 1)].sort((a, b) => a - b) as [number, number];
    const piece = pieces[random(pieces.length)] ?? "";
    const parts = [text.slice(0, from), text.slice(from, to), text.slice(to)] as const;
    text =
      [
        () => parts[0] + piece + parts[1] + parts[2],
        () => text.slice(0, from) + piece + text.slice(from + 1),
        () => text.slice(0, from) + text.slice(from + 1),
        () => parts[0] + parts[1] + parts[1] + parts[2],
        () => parts[0] + parts[2],
      ][random(5)]?.() ?? text;
  }
  return text;
}

function hashOf(text: string): number {
  return Array.from(text).reduce((hash, char) => Math.imul(hash ^ char.charCodeAt(0), 16_777_619), 2_166_136_261);
}

// The generator "mulberry32", so that samples do not depend on a library's version.
function randomNumbers(seed: number): Random {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}
