import { messageOf } from "@kubescaffold/k8s";
import { MatcherInput, RE2JS } from "re2js";

import { longestTextOf } from "../../../text/regexp.ts";
import { CelError } from "../../values/cel-value.ts";

/** A pattern of Go. */
export interface GoPattern {
  readonly matches: (text: string) => boolean;
  /** The number of its instructions. */
  readonly size: number;
  /** The length of the longest text that the pattern is tried on. */
  readonly longestText: number;
  /** Returns the first match, or undefined. */
  readonly find: (text: string) => string | undefined;
  /** Returns at most `limit` matches that do not overlap, all of them where the limit is negative; undefined where that takes too many steps. */
  readonly findAll: (text: string, limit: number) => readonly string[] | undefined;
}

const MAX_CACHED = 500;
const cache = new Map<string, GoPattern | CelError>();

/** Compiles a pattern as Go does, or returns its error. */
export function compileGoPattern(pattern: string): GoPattern | CelError {
  const known = cache.get(pattern);
  if (known !== undefined) return known;
  const compiled = compile(pattern);
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(pattern, compiled);
  return compiled;
}

function compile(pattern: string): GoPattern | CelError {
  try {
    const compiled = RE2JS.compile(pattern);
    const size = compiled.programSize();
    return {
      size,
      matches: (text) => compiled.test(text),
      longestText: longestTextOf(size),
      find: (text) => firstMatch(compiled, text),
      findAll: (text, limit) => allMatches(compiled, text, limit),
    };
  } catch (error) {
    return new CelError(messageOf(error));
  }
}

function firstMatch(pattern: RE2JS, text: string): string | undefined {
  const matcher = pattern.matcher(text);
  return matcher.find() ? (matcher.group() ?? "") : undefined;
}

// Go drops an empty match that touches the match before it.
function allMatches(pattern: RE2JS, text: string, limit: number): readonly string[] | undefined {
  const matches: string[] = [];
  const matcher = pattern.matcher(MatcherInput.utf16(boundedText(text, pattern.programSize())));
  let lastEnd = -1;
  try {
    while (matches.length !== limit && matcher.find()) {
      const [start, end] = [matcher.start(), matcher.end()];
      if (start === end && start === lastEnd) continue;
      matches.push(text.slice(start, end));
      lastEnd = end;
    }
  } catch (error) {
    if (error instanceof TooManyVisits) return undefined;
    throw error;
  }
  return matches;
}

// The steps of all matches of a text together, beyond those that read it a few times: a pattern such as `a.*b|a` reads the rest of it for each match.
const MOST_STEPS = 2 ** 25;
const READS = 4;

// Counting takes time, too, and most texts are short.
function boundedText(text: string, size: number): string | CountedText {
  if (text.length ** 2 * size <= MOST_STEPS) return text;
  return new CountedText(text, READS * text.length + Math.floor(MOST_STEPS / size));
}

/** A text whose characters are read so many times at most. */
class CountedText extends String {
  #left: number;

  constructor(text: string, most: number) {
    super(text);
    this.#left = most;
  }

  override charCodeAt(index: number): number {
    this.#left -= 1;
    if (this.#left < 0) throw new TooManyVisits();
    return super.charCodeAt(index);
  }
}

/** Thrown inside a search, and never leaves it. */
class TooManyVisits extends Error {}
