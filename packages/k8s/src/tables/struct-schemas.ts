import { KUBERNETES_MINOR, type KubernetesMinor } from "../kubernetes-version.ts";
import { patchedSchemas, type SchemaPatch } from "./schema-patch.ts";
import { structTexts } from "./struct-texts.ts";

/** A schema as controller-gen writes it into a CRD: references resolved, no descriptions. */
export type StructSchema = Readonly<Record<string, unknown>>;

/** The schemas that controller-gen 0.23.0 writes for the structs and named strings of one minor version of k8s.io/api. */
export interface StructSchemas {
  /** Returns the schema of a struct or named string, as {@link structSchema} does. */
  readonly structSchema: (name: string) => StructSchema | undefined;
  /** Lists the names that `structSchema` knows. */
  readonly structNames: () => readonly string[];
}

/**
 * Returns what controller-gen 0.23.0 writes for a struct or a named string of k8s.io/api 0.37 that a CRD uses, by the import path of
 * its package without the module and its name; `undefined` for any other type and for recursive ones (`JSONSchemaProps`).
 *
 * Guarantees: the result is frozen and the same object at each call.
 *
 * @example
 * structSchema("core/v1.PodTemplateSpec");
 * structSchema("core/v1.PullPolicy"); // { type: "string" }
 */
export function structSchema(name: string): StructSchema | undefined {
  return base.schemaOf(name);
}

/** Lists the names that {@link structSchema} knows. */
export function structNames(): readonly string[] {
  return base.names();
}

/** Returns the schemas of another minor version, given as JSON what differs in the tables: structs by group and version, and by name. */
export function patchedStructs(patch: string): StructSchemas {
  let parsed: Readonly<Record<string, SchemaPatch>> | undefined;
  const changes = (): Readonly<Record<string, SchemaPatch>> =>
    (parsed ??= JSON.parse(patch) as Readonly<Record<string, SchemaPatch>>);
  const table = new StructTable(
    () => [...new Set([...structTexts.keys(), ...Object.keys(changes())])],
    (place) => patchedSchemas(base.structsOf(place), changes()[place] ?? {}),
  );
  return { structSchema: (name) => table.schemaOf(name), structNames: () => table.names() };
}

/** Loads the schemas of a minor version of Kubernetes. What differs from the version of the types of this package is loaded on first use. */
export async function loadStructSchemas(minor: KubernetesMinor): Promise<StructSchemas> {
  if (minor === KUBERNETES_MINOR) return { structSchema, structNames };
  const known = loaded.get(minor) ?? patchedStructs((await PATCHES[minor]()).structPatch);
  loaded.set(minor, known);
  return known;
}

const loaded = new Map<string, StructSchemas>();

const PATCHES = {
  "1.34": () => import("./structs/v1-34.ts"),
  "1.35": () => import("./structs/v1-35.ts"),
  "1.36": () => import("./structs/v1-36.ts"),
} satisfies Readonly<Record<Exclude<KubernetesMinor, typeof KUBERNETES_MINOR>, unknown>>;

type Structs = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The structs of one version, of which each group version is parsed when first needed. */
class StructTable {
  readonly #places: () => readonly string[];
  readonly #read: (place: string) => Structs;
  readonly #resolved = new Map<string, StructSchema>();
  readonly #parsed = new Map<string, Structs>();

  constructor(places: () => readonly string[], read: (place: string) => Structs) {
    this.#places = places;
    this.#read = read;
  }

  schemaOf(name: string): StructSchema | undefined {
    const known = this.#resolved.get(name);
    if (known !== undefined) return known;
    const compressed = this.#compressedSchema(name);
    if (compressed === undefined) return undefined;
    const schema = this.#resolve(compressed) as StructSchema;
    this.#resolved.set(name, schema);
    return schema;
  }

  names(): readonly string[] {
    return this.#places().flatMap((place) => Object.keys(this.structsOf(place)).map((name) => `${place}.${name}`));
  }

  structsOf(place: string): Structs {
    let structs = this.#parsed.get(place);
    if (structs === undefined) {
      structs = this.#read(place);
      this.#parsed.set(place, structs);
    }
    return structs;
  }

  #compressedSchema(name: string): Readonly<Record<string, unknown>> | undefined {
    const point = name.indexOf(".");
    const structs = this.structsOf(name.slice(0, point));
    const type = name.slice(point + 1);
    return Object.hasOwn(structs, type) ? structs[type] : undefined;
  }

  // A reference stands for the whole schema beside which nothing else is written.
  #resolve(value: unknown): unknown {
    if (Array.isArray(value)) return Object.freeze(value.map((item) => this.#resolve(item)));
    if (typeof value !== "object" || value === null) return value;
    const fields = value as Readonly<Record<string, unknown>>;
    if (typeof fields["$ref"] === "string") return this.schemaOf(fields["$ref"]);
    return Object.freeze(Object.fromEntries(Object.entries(fields).map(([key, item]) => [key, this.#resolve(item)])));
  }
}

const base = new StructTable(
  () => [...structTexts.keys()],
  (place) => JSON.parse(structTexts.get(place) ?? "{}") as Structs,
);
