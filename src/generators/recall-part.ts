import { createHash } from "node:crypto";
import { serialize } from "node:v8";

import { reachInModel } from "../loader/reach-names.ts";
import { nameKey, type TypeModel } from "../loader/type-model.ts";
import type { MarkedModel } from "../markers/read-markers.ts";
import type { MadeMemory } from "./made-memory.ts";

/** A part of what a run makes, and all that it is made from. */
interface Part {
  /** What makes it. */
  readonly maker: string;
  /** The ids of the declarations that it is made from; what they reach counts with them. */
  readonly ids: readonly string[];
  /** What it depends on besides, as plain data. */
  readonly more?: unknown;
}

/** Returns a part of what a run makes, which is plain data: from a former run when that made it from the same, else anew. */
export type Recall = <T>(part: Part, make: () => T) => T;

/** Remembers nothing. */
export const makeAnew: Recall = (_part, make) => make();

/** Makes what recalls the parts of a model's generators from a memory. */
export function createRecall(source: RecallSource, memory: MadeMemory): Recall {
  const keys = new DeclarationKeys(source);
  return ({ maker, ids, more }, make) => {
    const from = ids.map((id) => keys.keyOf(id));
    const rest = more === undefined ? "" : hashOf(more);
    return from.includes(undefined) ? make() : memory.recall([maker, rest, ...from].join("\n"), make);
  };
}

interface RecallSource {
  readonly model: TypeModel;
  readonly marked: MarkedModel;
}

/**
 * Says what declarations are made from: the texts of the sources that they reach, what their names mean there, and what holds for the packages of these.
 */
class DeclarationKeys {
  readonly #source: RecallSource;
  readonly #kinds: ReadonlySet<string>;
  readonly #places: ReadonlyMap<string, readonly unknown[]>;
  readonly #keys = new Map<string, string | undefined>();
  readonly #fileKeys = new Map<string, string>();

  constructor(source: RecallSource) {
    this.#source = source;
    this.#kinds = new Set(source.model.packages.flatMap((each) => each.kinds));
    this.#places = placesOf(source);
  }

  keyOf(id: string): string | undefined {
    if (!this.#keys.has(id)) this.#keys.set(id, this.#makeKey(id));
    return this.#keys.get(id);
  }

  #makeKey(id: string): string | undefined {
    const { model } = this.#source;
    const { declarations, names } = reachInModel(model, id);
    const reached = [...declarations.values()];
    // A parameter that shares its name with something else of its file may stand for that, which is reached from elsewhere.
    const isUnclear = reached.some(({ file, parameters }) =>
      parameters.some(({ name }) => model.names.has(nameKey(file, name))),
    );
    if (isUnclear) return undefined;
    const files = [...new Set(reached.map(({ file }) => file))];
    return hashOf([
      id,
      [...declarations.keys()].filter((each) => this.#kinds.has(each)),
      files.map((file) => this.#fileKeyOf(file)),
      [...names],
    ]);
  }

  #fileKeyOf(file: string): string {
    const { model } = this.#source;
    const make = (): string =>
      hashOf([file, model.hashes.get(file), model.optionalFiles.has(file), this.#places.get(file)]);
    const key = this.#fileKeys.get(file) ?? make();
    this.#fileKeys.set(file, key);
    return key;
  }
}

// What holds for a source because of the package that it is part of. Where a marker of a package stands makes no difference to what it says.
function placesOf({ model, marked }: RecallSource): ReadonlyMap<string, readonly unknown[]> {
  return new Map(
    model.packages.flatMap(({ directory, name, files }) => {
      const markers = (marked.packages.get(directory) ?? []).map((marker) => [marker.name, marker.value]);
      return files.map(({ path, isRoot }) => [path, [directory, name, isRoot, markers]] as const);
    }),
  );
}

// Unlike JSON, this form tells all values apart.
function hashOf(value: unknown): string {
  return createHash("sha1").update(serialize(value)).digest("base64");
}
