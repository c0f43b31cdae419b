import { messageOf } from "@kubescaffold/k8s";
import { RE2JS } from "re2js";

import { longestTextOf } from "../../../text/regexp.ts";
import { CelError } from "../../values/cel-value.ts";

/** A pattern of Go. */
export interface GoPattern {
  readonly matches: (text: string) => boolean;
  /** The length of the longest text that the pattern is tried on. */
  readonly longestText: number;
  /** Returns the first match, or undefined. */
  readonly find: (text: string) => string | undefined;
  /** Returns at most `limit` matches that do not overlap, all of them where the limit is negative. */
  readonly findAll: (text: string, limit: number) => readonly string[];
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
    return {
      matches: (text) => compiled.test(text),
      longestText: longestTextOf(compiled),
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
function allMatches(pattern: RE2JS, text: string, limit: number): readonly string[] {
  const matches: string[] = [];
  const matcher = pattern.matcher(text);
  let lastEnd = -1;
  while (matches.length !== limit && matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    if (start === end && start === lastEnd) continue;
    matches.push(matcher.group() ?? "");
    lastEnd = end;
  }
  return matches;
}
