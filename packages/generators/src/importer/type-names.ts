/** Returns the names that the types of a folder cannot have: those of its kinds, and what its files import. */
export function namesOfKinds(kinds: Iterable<string>): Set<string> {
  return new Set([...RESERVED, ...[...kinds].flatMap((kind) => [kind, `${kind}List`])]);
}

/** Chooses names of types from the paths of properties; no name is chosen twice in a folder. */
export class TypeNames {
  readonly #kind: string;
  readonly #taken: Set<string>;

  /** Adds the chosen names to those that are taken in the folder. */
  constructor(kind: string, taken: Set<string> = namesOfKinds([kind])) {
    this.#kind = kind;
    this.#taken = taken;
  }

  /** Returns the shortest free name: the kind with as many of the last properties of the path as it takes, then a number. */
  choose(path: readonly string[]): string {
    const words = path.map((name) => pascalCase(name));
    const inSpec = words.length > 1 && words[0] === "Spec" ? words.slice(1) : words;
    const names = [...inSpec.keys()].map((index) => this.#kind + inSpec.slice(inSpec.length - 1 - index).join(""));
    names.push(this.#kind + words.join(""));
    const longest = names.at(-1) ?? this.#kind;
    for (let number = 2; names.every((name) => this.#isTaken(name)); number += 1) names.push(`${longest}${number}`);
    const name = names.find((each) => !this.#isTaken(each)) ?? longest;
    this.#taken.add(name);
    return name;
  }

  // The generated schema of a type is a constant named for it.
  #isTaken(name: string): boolean {
    const isSchema = name.endsWith(SCHEMA) && this.#taken.has(name.slice(0, -SCHEMA.length));
    return isSchema || this.#taken.has(name) || this.#taken.has(name + SCHEMA);
  }
}

/** Returns the path of the items of a list or the values of a map: the same, in the singular. */
export function itemPath(path: readonly string[]): readonly string[] {
  const last = path.at(-1) ?? "";
  return [...path.slice(0, -1), singularOf(last)];
}

function singularOf(word: string): string {
  if (/[a-z]ies$/u.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:sses|xes|ches|shes|aliases|statuses)$/iu.test(word)) return word.slice(0, -2);
  if (/[A-Za-z]s$/u.test(word) && !/(?:ss|us|is|as)$/u.test(word)) return word.slice(0, -1);
  return `${word}Item`;
}

function pascalCase(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/u).filter((word) => word !== "");
  return words.length === 0 ? "Field" : words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

const SCHEMA = "Schema";

// Names that stand for something else in the files.
const RESERVED: readonly string[] = ["GroupVersion", "Kind", "KubernetesObject", "NamespacedObject", "Record"];
