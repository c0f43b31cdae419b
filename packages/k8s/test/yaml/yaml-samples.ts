import * as fc from "fast-check";

const FRAGMENTS = [
  ...Array.from(" \n\t:#-?,[]{}&*!|>'\"%@`~.yYnN019_+eExob/\\é😀\u00a0\u0085\u2028\ufeff\u007f\u0000\r<"),
  "  ",
  "\n\n",
  ": ",
  " #",
  "---",
  "...",
  "yes",
  "true",
  "null",
  "0x1F",
  "1:30",
  "2024-01-15",
  "1e3",
  "some words ",
  "a much longer piece of text that makes lines long enough to fold ",
  "T10:00:00Z",
  " 10:20:30",
];

/** Strings that come close to every rule of quoting and folding. */
export const trickyString: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...FRAGMENTS), { maxLength: 8 })
  .map((parts) => parts.join(""));

const trickyKey = fc.oneof(
  trickyString,
  fc.stringMatching(/^[a-z]{1,6}[0-9]{0,3}[a-z]{0,2}$/),
  fc.constantFrom("v1", "v10", "v2", "a-b", "a.b/c", "A", "_x", "é", "1", "01", "10", "a0", "a00", "x".repeat(130)),
);

/** Numbers on both sides of each change of notation. */
export const trickyNumber: fc.Arbitrary<number> = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(
    0,
    -0,
    1e5 + 0.5,
    1e6 + 0.5,
    1e-4,
    1e-5,
    1e20,
    1e21,
    2 ** 53,
    2 ** 63,
    2 ** 64,
    -(2 ** 63),
    0.1,
    123456.789,
  ),
);

/** JSON values whose keys sort the same in every sorting algorithm. */
export const trickyValue: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    trickyString,
    trickyNumber,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(trickyKey, tie("value"), { maxKeys: 4 }),
  ),
})).value;
