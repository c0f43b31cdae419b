import { InvalidContainerError } from "./errors.ts";
import { type ImageReference, parseImageReference } from "./image-reference.ts";

/** What was asked for, as it was written and as PROJECT keeps it. */
export interface OperandOptions {
  readonly image: string;
  readonly containerCommand?: string;
  readonly containerPort?: string;
  readonly runAsUser?: string;
}

/** What the Pods of a kind run. */
export interface Operand {
  readonly image: string;
  readonly reference: ImageReference;
  /** Empty for the image's own. */
  readonly command: readonly string[];
  readonly port: number | undefined;
  readonly runAsUser: number | undefined;
}

/** Reads options. Fails: `InvalidImageError`, {@link InvalidContainerError}. */
export function readOperand(options: OperandOptions): Operand {
  const { image, containerCommand, containerPort, runAsUser } = options;
  return {
    image,
    reference: parseImageReference(image),
    command: containerCommand === undefined ? [] : splitCommand(containerCommand),
    port: containerPort === undefined ? undefined : readPort(containerPort),
    runAsUser: runAsUser === undefined ? undefined : readUser(runAsUser),
  };
}

function readPort(text: string): number {
  return readInteger(text, { what: "port", least: 1, most: 65_535, hint: "use a port from 1 to 65535" });
}

// Pods may not run as root under the Pod Security Standard "restricted"; Kubernetes takes ids of 31 bits.
function readUser(text: string): number {
  const hint = "use an ID from 1 to 2147483647: 0 is root, which is not allowed for Pods";
  return readInteger(text, { what: "user", least: 1, most: 2_147_483_647, hint });
}

interface Range {
  readonly what: string;
  readonly least: number;
  readonly most: number;
  readonly hint: string;
}

function readInteger(text: string, { what, least, most, hint }: Range): number {
  const value = /^\+?\d+$/u.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new InvalidContainerError(`cannot use ${what} "${text}" for the container`, { hint });
}

/**
 * Splits the text of a command at its commas into words; blanks around a word do not count.
 *
 * Single or double quotes, around a word or a part of it, keep commas and blanks: `sh,-c,'echo a,b'`. Within double quotes a backslash stands
 * before a quote or a backslash that is meant. An empty word is written as a pair of quotes.
 *
 * Fails: {@link InvalidContainerError} for a quote without an end, and for a word that is not there.
 */
export function splitCommand(text: string): readonly string[] {
  return scanWords(text).map(({ value, isQuoted }, index) => {
    if (value !== "" || isQuoted) return value;
    throw new InvalidContainerError(`cannot use command "${text}": word ${index + 1} is empty`, {
      hint: 'omit the comma, or write "" for an empty word',
    });
  });
}

interface Word {
  readonly value: string;
  readonly isQuoted: boolean;
}

function scanWords(text: string): readonly Word[] {
  const words: Word[] = [];
  let rest = text;
  for (;;) {
    const { word, end } = scanWord(text, rest);
    words.push(word);
    if (rest[end] === undefined) return words;
    rest = rest.slice(end + 1);
  }
}

const QUOTED = /^(?:'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\[^])*)")/u;

// Returns a word and where it ends: at a comma, or at the end of the text.
function scanWord(whole: string, rest: string): { readonly word: Word; readonly end: number } {
  let value = "";
  // What follows a quote is not trimmed away with blanks that are inside it.
  let kept = 0;
  let isQuoted = false;
  let at = 0;
  while (at < rest.length && rest[at] !== ",") {
    const char = rest[at] ?? "";
    if (char !== "'" && char !== '"') {
      if (value !== "" || isQuoted || char.trim() !== "") value += char;
      at += 1;
      continue;
    }
    const match = QUOTED.exec(rest.slice(at));
    if (match === null) throw unended(whole, char);
    value += match.groups?.["single"] ?? (match.groups?.["double"] ?? "").replaceAll(/\\(?<sign>["\\])/gu, "$<sign>");
    kept = value.length;
    isQuoted = true;
    at += match[0].length;
  }
  return { word: { value: value.slice(0, kept) + value.slice(kept).trimEnd(), isQuoted }, end: at };
}

function unended(text: string, quote: string): InvalidContainerError {
  return new InvalidContainerError(`cannot use command "${text}": an unterminated quote ${quote}`, {
    hint: `add the closing ${quote}, or use the other kind of quotes`,
  });
}
