import { readFileSync } from "node:fs";

import type { Random } from "./random.ts";

/** Reads every word of flect's own tables, singular and plural, and every ending of its rules. */
export function flectWords(folder: string): readonly string[] {
  const text = ["plural_rules.go", "acronyms.go"].map((file) => readFileSync(`${folder}/${file}`, "utf8")).join("\n");
  const words = [...text.matchAll(/"([A-Za-z]+)"/gu)].map(([, word = ""]) => word);
  return [...new Set(words)];
}

/** Makes the name of a kind: a word of a table, one made of letters, or several in a row. */
export function randomKind(random: Random, words: readonly string[]): string {
  const parts = random.many(1, 3, () => (random.chance(0.4) ? random.pick(words) : randomWord(random)));
  return parts.map((part) => (random.chance(0.8) ? part.charAt(0).toUpperCase() + part.slice(1) : part)).join("");
}

const LETTERS = "abcdefghiklmnoprstuvwxyz".split("");

const ENDINGS = [
  "s", "ss", "x", "z", "ch", "sh", "y", "ey", "f", "fe", "o", "us", "is", "um", "on", "a", "ix", "ex", "man", "mouse", "fish", "ies", "ves", "API", "DNS", "2", "V1", "eau",
  "ics", "itis", "tz", "quy", "ff", "oo", "io", "sis", "xis", "men", "i", "ae",
] as const; // prettier-ignore

function randomWord(random: Random): string {
  const letters = random.many(1, 7, () => random.pick(LETTERS)).join("");
  return letters + (random.chance(0.7) ? random.pick(ENDINGS) : "");
}
