import { randomLine } from "./random-text.ts";
import type { Random } from "./random.ts";

/** A value that JSON can hold. */
export type JsonDocument = Readonly<Record<string, unknown>>;

const PIECES = [
  "a", "B", "0", "9", "é", "名", "🚀", " ", "  ", "\t", "\n", "\n\n", "\r", "\u0000", "\u0007", "\u001b", "\u00a0", "\u2028", "\u2029",
  "\ufeff", "\ufffd", "\u200b", "\ud7ff", "\ue000", "'", '"', "\\", ":", ": ", " #", "#", "-", "- ", "?", "? ", ",", "[", "]", "{", "}", "&", "*", "!", "|", ">", "%", "@", "`",
  "=", "~", "<<", "---", "...", ".", "_", "/", "word", "long ".repeat(18), "yes", "null", "1e3", "0x1F",
] as const; // prettier-ignore

const WORDS = [
  "", "y", "Y", "n", "N", "yes", "No", "on", "OFF", "true", "False", "TRUE", "null", "Null", "~", "NULL", "0", "-0", "1", "+1", "01", "0o7", "0x1f", "0b11", "1_000", "1.5", "1.",
  ".5", "1e3", "1E+3", "-1e-3", ".inf", "-.Inf", ".NaN", "1:30", "190:20:30", "2024-01-15", "2024-01-15T10:00:00Z", "2024-1-1 1:2:3", "<<", "=", "-", "--", "---", "...", "?",
  ":", "#", "a:", "a: b", "a #b", "- a", "? a", "!x", "&x", "*x", "%x", "@x", "`x", "[x", "{x", "]x", "}x", ",x", "|x", ">x", "'x", "\"x", " x", "x ", "x\n", "\nx", "x\n\n", "é", "\u00e9:",
] as const; // prettier-ignore

const KEYS = [
  "a",
  "b",
  "B",
  "a1",
  "a2",
  "a10",
  "A",
  "_a",
  "a_b",
  "a-b",
  "a.b",
  "aB",
  "ab",
  "é",
  "1",
  "10",
  "2",
  "true",
  "",
  "a b",
  "y",
  "$x",
  "名",
  "a: b",
  "#",
  "x\ny",
  "01",
] as const;

const NUMBERS = [
  0, 1, -1, 10, 255, 1_000_000, 2_147_483_648, 9_007_199_254_740_991, 0.5, -0.25, 1.5, 1e21, 1e-7, 1e100, 1_234_567.5, 123_456_789.25, 0.1, 100_000.5, 1e-5, 0.0001, 5e-324,
  1.797_693_134_862_315_7e308,
] as const; // prettier-ignore

/** Makes a document of everything that a printer of YAML stumbles over. */
export function randomDocument(random: Random): JsonDocument {
  return randomObject(random, 0);
}

function randomObject(random: Random, depth: number): JsonDocument {
  return Object.fromEntries(
    random.many(depth === 0 ? 1 : 0, 5, () => [randomKey(random), randomValue(random, depth + 1)]),
  );
}

// Keys with digits before letters have no order in yaml.v2 that does not depend on chance; these have one.
function randomKey(random: Random): string {
  return random.chance(0.9) ? random.pick(KEYS) : randomString(random).replaceAll(/\d/gu, "");
}

function randomValue(random: Random, depth: number): unknown {
  const drawn = random.next();
  if (depth < 6 && drawn < 0.2) return randomObject(random, depth);
  if (depth < 6 && drawn < 0.35) return random.many(0, 4, () => randomValue(random, depth + 1));
  if (drawn < 0.45)
    return random.chance(0.3) ? random.whole(-1000, 1000) / random.pick([1, 3, 7, 8, 1000]) : random.pick(NUMBERS);
  if (drawn < 0.52) return random.pick([true, false, null]);
  return randomString(random);
}

// What yaml.v2, which reads the JSON before it prints it, refuses or takes for the end of a line.
const UNREADABLE = ["\u007f", "\u0080", "\u0085", "\u009f", "\ufffe", "\uffff"] as const;

function randomString(random: Random): string {
  if (random.chance(0.001)) return `a${random.pick(UNREADABLE)}b`;
  const drawn = random.next();
  if (drawn < 0.3) return random.pick(WORDS);
  if (drawn < 0.55) return random.many(1, 3, () => randomLine(random)).join(random.pick([" ", "\n"]));
  return random.many(1, random.chance(0.2) ? 30 : 6, () => random.pick(PIECES)).join("");
}

/** Returns the row of docs/verification/generator-differences.md that explains why two answers differ, if one does. */
export function listedYamlDifference(document: JsonDocument, theirs: unknown, ours: unknown): string | undefined {
  const text = JSON.stringify(document);
  if (UNREADABLE.some((character) => text.includes(character))) return "unreadable-characters";
  const isMergeKey = text.includes('"<<":') && unfolded(ours).replaceAll('"<<":', "<<:") === unfolded(theirs);
  return isMergeKey ? "merge-key" : undefined;
}

// Two characters more can move the end of a line, where a backslash keeps the blanks behind it.
function unfolded(yaml: unknown): string {
  return String(yaml)
    .replaceAll(/\n *\\(?= )/gu, "")
    .replaceAll(/\s+/gu, " ");
}
