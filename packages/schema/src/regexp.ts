import { messageOf } from "@kubescaffold/k8s";
import { RE2JS } from "re2js";

/** A compiled pattern, or the reason why Go does not compile it. */
export type CompiledPattern =
  | { readonly kind: "pattern"; readonly matches: (text: string) => boolean }
  | { readonly kind: "invalid"; readonly reason: string };

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
    return { kind: "pattern", matches: (text) => compiled.matcher(text).find() };
  } catch (error) {
    return { kind: "invalid", reason: messageOf(error) };
  }
}
