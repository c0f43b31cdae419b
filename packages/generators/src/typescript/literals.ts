import { printServerJson } from "@kubescaffold/k8s";

/**
 * Prints a text as a string literal of TypeScript, with the quotes that a formatter chooses.
 *
 * Guarantees: evaluating the literal gives the text; the literal is on one line for every reader, and no character of it is invisible or changes the
 * direction of what follows. With `isAscii`, it is plain ASCII.
 */
export function stringLiteral(text: string, { isAscii = false }: { readonly isAscii?: boolean } = {}): string {
  const doubled = JSON.stringify(text).replaceAll(UNSEEN, escaped);
  const literal = isAscii ? doubled.replaceAll(/[^ -~]/gu, escaped) : doubled;
  const hasFewerSingles = text.split('"').length > text.split("'").length;
  return hasFewerSingles ? `'${literal.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'` : literal;
}

/**
 * Prints a text in double quotes, as TypeScript, JSON, YAML, and markers all read it.
 *
 * Guarantees: reading gives the text; it is on one line for every reader, and nothing in it changes the direction of what follows.
 */
export function quotedText(text: string): string {
  return JSON.stringify(text).replaceAll(UNSEEN, escapedForAll);
}

/** Prints a value of JSON on one line, as TypeScript and markers read it. Guarantees: no character of it is invisible or breaks the line. */
export function jsonText(value: unknown): string | undefined {
  const text = printServerJson(value) as string | undefined;
  return text?.replaceAll(UNSEEN, escapedForAll);
}

/** Prints the key of a property in an object literal. Guarantees: the property is the object's own, `__proto__` too. */
export function propertyKey(name: string, options: { readonly isAscii?: boolean } = {}): string {
  return name === "__proto__" ? '["__proto__"]' : memberName(name, options);
}

/** Prints the name of a property where a type declares it. */
export function memberName(name: string, options: { readonly isAscii?: boolean } = {}): string {
  return IDENTIFIER.test(name) ? name : stringLiteral(name, options);
}

/** Prints a value of JSON as an expression on one line. */
export function valueLiteral(value: unknown): string {
  if (typeof value === "string") return stringLiteral(value);
  if (typeof value === "bigint") return String(Number(value));
  if (Array.isArray(value)) return `[${value.map((each: unknown) => valueLiteral(each)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  const entries = Object.entries(value).map(([key, each]) => `${propertyKey(key)}: ${valueLiteral(each)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** Returns a text as it can be in a line comment. Guarantees: it does not end the line, nor turn the direction of writing. */
export function lineComment(text: string): string {
  return text.replaceAll(UNWRITABLE, " ");
}

/** Returns a text as it can be in a line of a block comment. Guarantees: it ends neither the line nor the comment. */
export function blockComment(text: string): string {
  return lineComment(text).replaceAll("*/", String.raw`*\/`);
}

/** Reports whether a text of several lines can be in a comment as it is, but for the end of a comment. */
export function isWritable(text: string): boolean {
  return text.split("\n").every((line) => lineComment(line) === line);
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/u;

// Controls, line separators, halves of characters, unassigned ones, and those without a shape, such as marks that turn the direction of writing.
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu;
// Signs that end a line or make a source no text, but for tabs, and those that show a line in another order than it is read in.
const UNWRITABLE = /[^\P{Cc}\t]|[\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu;

// Markers know no escapes of two halves; characters that need two end no line.
function escapedForAll(character: string): string {
  return character.length > 1 ? character : escaped(character);
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
