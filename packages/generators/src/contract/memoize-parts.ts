import { hashValue } from "../cache/key.ts";
import type { Memo } from "../cache/memo.ts";
import { reachInModel } from "../loader/reach-names.ts";
import { nameKey, type TypeModel } from "../loader/type-model.ts";
import { CATALOGUE } from "../markers/catalogue.ts";
import type { MarkerValue } from "../markers/definitions/marker-definition.ts";
import { parseMarker } from "../markers/parse-marker.ts";
import type { ParsedMarker } from "../markers/parsed-marker.ts";
import type { MarkedModel, MarkerParser } from "../markers/read-markers.ts";

/** A part of the output of a run, and all of its inputs. */
interface Part {
  /** The generator and the kind of part. */
  readonly maker: string;
  /** The ids of the declarations that it is generated from; all declarations that these reach count too. */
  readonly ids: readonly string[];
  /** Further inputs, as plain data. */
  readonly more?: unknown;
}

/** Returns a part, which is plain data: from the cache when an earlier run generated it from the same inputs, else newly computed. */
export type MemoizePart = <T>(part: Part, compute: () => T) => T;

/** Computes every part. */
export const withoutMemo: MemoizePart = (_part, compute) => compute();

/** Returns a function that memoizes the parts of the generators of a model. */
export function createPartMemo(source: PartSource, memo: Memo): MemoizePart {
  const keys = new DeclarationKeys(source);
  const { kubernetesVersion } = source;
  return ({ maker, ids, more }, compute) => {
    const from = ids.map((id) => keys.keyOf(id));
    const rest = `${kubernetesVersion}${more === undefined ? "" : hashValue(more)}`;
    return from.includes(undefined) ? compute() : memo.memoize([maker, rest, ...from].join("\n"), compute);
  };
}

interface PartSource {
  readonly model: TypeModel;
  readonly marked: MarkedModel;
  /** The minor version of Kubernetes whose built-in structs the declarations reach. */
  readonly kubernetesVersion: string;
}

/** Computes cache keys of declarations: the texts of the sources that they reach, what names resolve to there, and the markers of the packages. */
class DeclarationKeys {
  readonly #source: PartSource;
  readonly #kinds: ReadonlySet<string>;
  readonly #places: ReadonlyMap<string, readonly unknown[]>;
  readonly #keys = new Map<string, string | undefined>();
  readonly #fileKeys = new Map<string, string>();

  constructor(source: PartSource) {
    this.#source = source;
    this.#kinds = new Set(source.model.packages.flatMap((each) => each.kinds));
    this.#places = placesOf(source);
  }

  keyOf(id: string): string | undefined {
    if (!this.#keys.has(id)) this.#keys.set(id, this.#computeKey(id));
    return this.#keys.get(id);
  }

  #computeKey(id: string): string | undefined {
    const { model } = this.#source;
    const { declarations, names } = reachInModel(model, id);
    const reached = [...declarations.values()];
    // A type parameter that shares its name with another declaration of its file may refer to that one, which is reached from elsewhere.
    const isUnclear = reached.some(({ file, parameters }) =>
      parameters.some(({ name }) => model.names.has(nameKey(file, name))),
    );
    if (isUnclear) return undefined;
    const files = [...new Set(reached.map(({ file }) => file))];
    return hashValue([
      id,
      [...declarations.keys()].filter((each) => this.#kinds.has(each)),
      files.map((file) => this.#fileKeyOf(file)),
      [...names],
    ]);
  }

  #fileKeyOf(file: string): string {
    const { model } = this.#source;
    const compute = (): string =>
      hashValue([file, model.hashes.get(file), model.optionalFiles.has(file), this.#places.get(file)]);
    const key = this.#fileKeys.get(file) ?? compute();
    this.#fileKeys.set(file, key);
    return key;
  }
}

// Inputs of a source that come from its package. The position of a package marker has no effect.
function placesOf({ model, marked }: PartSource): ReadonlyMap<string, readonly unknown[]> {
  return new Map(
    model.packages.flatMap(({ directory, name, files }) => {
      const markers = (marked.packages.get(directory) ?? []).map((marker) => [marker.name, marker.value]);
      return files.map(({ path, isRoot }) => [path, [directory, name, isRoot, markers]] as const);
    }),
  );
}

interface CachedMarker {
  readonly name: string;
  readonly value: MarkerValue;
}

/** Returns a parser that memoizes markers by their texts; markers that are unknown or have errors are parsed every time. */
export function memoizeMarkers(memo: Memo): MarkerParser {
  return (text) => {
    let parsed: ParsedMarker | undefined;
    const cached = memo.memoize(`marker\n${text}`, (): CachedMarker | undefined => {
      parsed = parseMarker(text, CATALOGUE);
      return parsed.kind === "marker" ? { name: parsed.definition.name, value: parsed.value } : undefined;
    });
    return parsed ?? fromCache(cached) ?? parseMarker(text, CATALOGUE);
  };
}

function fromCache(cached: CachedMarker | undefined): ParsedMarker | undefined {
  const definition = cached === undefined ? undefined : CATALOGUE.get(cached.name);
  return cached === undefined || definition === undefined
    ? undefined
    : { kind: "marker", definition, value: cached.value };
}
