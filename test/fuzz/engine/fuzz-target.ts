/** A reader of untrusted input, with what must hold of it whatever the input is. */
export interface FuzzTarget {
  /** The name of the file. */
  readonly name: string;
  /** How inputs are mutated: as characters, or as values of JSON in text form. */
  readonly kind: "text" | "json";
  /** Inputs that mutations start from. */
  readonly seeds: readonly string[];
  /** Pieces that mutations insert: keywords, signs, names of members. */
  readonly dictionary: readonly string[];
  /** Reads an input. Fails: {@link Violation} where an invariant does not hold; errors with a code of ours are answers. */
  readonly run: (input: string) => void | Promise<void>;
}

/** Thrown by a target when an invariant does not hold. */
export class Violation extends Error {
  override readonly name = "Violation";
}

/** Throws a {@link Violation} unless a condition holds. */
export function requireThat(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new Violation(problem);
}

/** Returns what a reader makes of an input, or undefined where it refuses it with an error of ours. */
export function accepted<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** Reports whether an error is an answer: one of ours, with a code that docs/reference/errors.md lists. */
export function isRefusal(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/u.test(String(error.code)) &&
    !isOfNode(error)
  );
}

function isOfNode(error: Error): boolean {
  return String((error as NodeJS.ErrnoException).code).startsWith("ERR_");
}

/** Parses the input of a target for JSON; undefined for a text that is none. */
export function jsonOf(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return undefined;
  }
}
