import { ScaffoldError } from "../failures/errors.ts";
import { RECURSIVE_LEVELS } from "./levels.ts";
import { parseServerJson } from "./lossless-json.ts";

/** The deepest nesting of objects and lists that API servers accept in JSON. It is more than fits on the stack: see {@link RECURSIVE_LEVELS}. */
export const DEEPEST_JSON = 10_000;

/**
 * Thrown when a JSON value is nested deeper than 10,000 levels, the limit of API servers.
 *
 * Fix: Nest the value less deeply, or store it as a string.
 */
export class JsonDepthError extends ScaffoldError {
  readonly code = "MANIFEST_TOO_DEEP";

  /** The character that opens the level beyond the limit. */
  constructor(opening: "{" | "[") {
    super(`invalid character '${opening}' exceeded max depth`, {
      hint: `nest objects and lists at most ${String(DEEPEST_JSON)} levels deep`,
    });
  }
}

/**
 * Parses a JSON text like {@link parseServerJson}.
 *
 * Fails: {@link JsonDepthError} beyond {@link DEEPEST_JSON} levels, `SyntaxError` when it is not JSON.
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = parseServerJson(text);
  } catch (error) {
    checkTextDepth(text);
    throw error;
  }
  // Each level takes two characters.
  if (text.length > 2 * DEEPEST_JSON) checkJsonDepth(value);
  return value;
}

/** Fails with {@link JsonDepthError} when a value, so many levels deep in another, is nested beyond {@link DEEPEST_JSON}. */
export function checkJsonDepth(value: unknown, levelsAbove: number = 0): void {
  const later: Part[] = [];
  for (let part: Part | undefined = { value, level: levelsAbove }; part !== undefined; part = later.pop()) {
    checkPart(part.value, part.level, { end: part.level + RECURSIVE_LEVELS, later });
  }
}

/** A value at a level that is checked later. */
interface Part {
  readonly value: unknown;
  readonly level: number;
}

interface Run {
  /** The level at which this run stops calling itself. */
  readonly end: number;
  readonly later: Part[];
}

function checkPart(value: unknown, level: number, run: Run): void {
  if (typeof value !== "object" || value === null) return;
  if (level >= DEEPEST_JSON) throw new JsonDepthError(Array.isArray(value) ? "[" : "{");
  if (level === run.end) {
    run.later.push({ value, level });
    return;
  }
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) checkPart(item, level + 1, run);
    return;
  }
  for (const name in value) {
    const part = (value as Record<string, unknown>)[name];
    if (typeof part === "object") checkPart(part, level + 1, run);
  }
}

// A text may be both no JSON and too deep, which is then what it is refused for.
function checkTextDepth(text: string): void {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === "}" || character === "]") depth -= 1;
    else if (character === "{" || character === "[") {
      depth += 1;
      if (depth > DEEPEST_JSON) throw new JsonDepthError(character);
    }
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
