// Limits of Linux: of one argument or variable with its end, and of all of them with a stack of 8 MiB, each with a pointer.
const LONGEST_STRING = 131_072;
const LARGEST_LIST = 2 * 1024 * 1024;
const POINTER_BYTES = 8;
// A Pod may have thousands of containers.
const LARGEST_OF_POD = 4 * LARGEST_LIST;

const REFERENCE = /\$(?:\$|\(([^)]*)\))/gu;

/** Thrown for a process that Linux would refuse to start because of the size of its arguments and variables. */
export class ArgumentListError extends Error {
  constructor() {
    super("argument list too long");
  }
}

/**
 * Counts the bytes of the arguments and variables of a process, and expands references in them.
 *
 * Guarantees: memory and time are bounded by the limits of Linux, no matter how often variables contain each other. Fails: {@link ArgumentListError}.
 */
export class ArgumentList {
  readonly #limit: number;
  #bytes = 0;

  /** `ofOthers` are the bytes that the other containers of the Pod have. */
  constructor(ofOthers = 0) {
    this.#limit = Math.min(LARGEST_LIST, LARGEST_OF_POD - ofOthers);
  }

  /** The bytes so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts an argument or a variable, and returns it. */
  add(text: string): string {
    // A character has a byte at least.
    const bytes = text.length < LONGEST_STRING ? Buffer.byteLength(text) + 1 : Infinity;
    this.#bytes += bytes + POINTER_BYTES;
    if (bytes > LONGEST_STRING || this.#bytes > this.#limit) throw new ArgumentListError();
    return text;
  }
}

/** Expands references to variables in an argument or a variable. Fails: {@link ArgumentListError} if the result is longer than these may be. */
export function expandArgument(text: string, env: Readonly<Record<string, string>>): string {
  const expanded = expand(text, env, LONGEST_STRING);
  if (expanded === undefined) throw new ArgumentListError();
  return expanded;
}

/** Expands references `$(NAME)` to known variables; `$$` is a dollar sign. Returns undefined if the result is as long as the limit. */
export function expand(text: string, env: Readonly<Record<string, string>>, limit: number): string | undefined {
  const parts: string[] = [];
  let [position, length] = [0, 0];
  for (const { 0: match, 1: name, index } of text.matchAll(REFERENCE)) {
    const value = name === undefined ? "$" : Object.hasOwn(env, name) ? (env[name] ?? "") : match;
    parts.push(text.slice(position, index), value);
    length += index - position + value.length;
    if (length >= limit) return undefined;
    position = index + match.length;
  }
  const expanded = `${parts.join("")}${text.slice(position)}`;
  return Buffer.byteLength(expanded) < limit ? expanded : undefined;
}

/** Returns the names of the variables that a text refers to. */
export function referencesIn(text: string): readonly string[] {
  return [...text.matchAll(REFERENCE)].flatMap(([, name]) => (name === undefined ? [] : [name]));
}
