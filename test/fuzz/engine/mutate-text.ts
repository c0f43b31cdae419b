import { choose, type Random } from "./random.ts";

/** The longest input; what takes time that grows with the square of the length shows here, too. */
export const LONGEST_INPUT = 4096;

const ODD = [
  "",
  " ",
  "\t",
  "\n",
  "\r\n",
  "\0",
  "\u007f",
  "\u00e9",
  "\u2028",
  "\u{1f600}",
  "\ud800",
  "\ufeff",

  "'",
  '"',
  "`",
  "\\",
  "/",
  "{",
  "}",
  "[",
  "]",
  "(",
  ")",
  "<",
  ">",
  ",",
  ":",
  ";",
  "=",
  "!",
  "&",
  "|",
  "*",
  "#",
  "-",
  ".",
  "0",
  "-1",
  "9223372036854775808",
  "1e999",
  "0x",
  "null",
  "true",
  "__proto__",
  "constructor",
  "toString",
] as const;

/** What a mutation draws on. */
export interface Material {
  readonly dictionary: readonly string[];
  /** Another input, to take parts of. */
  readonly other: string;
  readonly random: Random;
}

/** Changes a text in one to eight places. */
export function mutateText(text: string, material: Material): string {
  let changed = text;
  for (let count = 1 << material.random(4); count > 0; count--) changed = changeOnce(changed, material);
  // Files and requests are UTF-8, in which half of a surrogate pair cannot be.
  return changed.slice(0, LONGEST_INPUT).replaceAll(/\p{Cs}/gu, "\uFFFD");
}

type Change = (text: string, from: number, to: number, material: Material) => string;

const CHANGES: readonly [Change, ...Change[]] = [
  (text, from) => text.slice(0, from) + text.slice(from + 1),
  (text, from, to) => text.slice(0, from) + text.slice(to),
  (text, from, _, material) => text.slice(0, from) + pieceOf(material) + text.slice(from),
  (text, from, _, material) => text.slice(0, from) + pieceOf(material) + text.slice(from + 1),
  (text, from, to, material) => text.slice(0, from) + pieceOf(material) + text.slice(to),
  (text, from, to) => text.slice(0, to) + text.slice(from, to) + text.slice(to),
  (text, from, to, { random }) =>
    text.slice(0, to) + text.slice(from, to).repeat(random(64)).slice(0, LONGEST_INPUT) + text.slice(to),
  (text, from, to, { other, random }) => {
    const start = random(other.length + 1);
    return text.slice(0, from) + other.slice(start, start + random(64)) + text.slice(to);
  },
  (text, from, _, { random }) =>
    text.slice(0, from) + String.fromCharCode(text.charCodeAt(from) ^ (1 << random(7))) + text.slice(from + 1),
  (text, from, to) => text.slice(0, from) + Array.from(text.slice(from, to)).toReversed().join("") + text.slice(to),
];

function changeOnce(text: string, material: Material): string {
  const { random } = material;
  const from = random(text.length + 1);
  // Most parts are short.
  const to = Math.min(text.length, from + random(random(4) === 0 ? text.length + 1 : 8));
  return choose(CHANGES, random)(text, from, to, material);
}

function pieceOf({ dictionary, random }: Material): string {
  const own = random(3) > 0 ? dictionary[random(dictionary.length)] : undefined;
  return own ?? choose(ODD, random);
}
