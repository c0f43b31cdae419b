import { messageOf } from "@kubescaffold/k8s";
import { RE2JS } from "re2js";

/** A compiled pattern, or the reason why Go does not compile it. */
export type CompiledPattern =
  | {
      readonly kind: "pattern";
      readonly matches: (text: string) => boolean;
      /** The number of its instructions. */
      readonly size: number;
      /** The length of the longest text that the pattern is tried on. */
      readonly longestText: number;
    }
  | { readonly kind: "invalid"; readonly reason: string };

/** The most steps that one match may take: each character may visit each instruction of the pattern. */
const MOST_STEPS = 2 ** 24;

/** Returns the length of the longest text that a pattern of so many instructions is tried on, since a match cannot yield to other requests. */
export function longestTextOf(size: number): number {
  return Math.floor(MOST_STEPS / size);
}

const MAX_CACHED_PATTERNS = 2000;
const patterns = new Map<string, CompiledPattern>();

/** Compiles a pattern with Go's RE2 semantics: once per pattern, in linear time on every text. */
export function compilePattern(pattern: string): CompiledPattern {
  const known = patterns.get(pattern);
  if (known !== undefined) {
    return known;
  }
  const compiled = compile(pattern);
  if (patterns.size >= MAX_CACHED_PATTERNS) {
    patterns.clear();
  }
  patterns.set(pattern, compiled);
  return compiled;
}

function compile(pattern: string): CompiledPattern {
  try {
    const compiled = RE2JS.compile(pattern);
    // Unlike `find`, `test` tries the automaton first, which visits each character once.
    const size = compiled.programSize();
    return { kind: "pattern", matches: (text) => compiled.test(text), size, longestText: longestTextOf(size) };
  } catch (error) {
    return { kind: "invalid", reason: messageOf(error) };
  }
}
