import { structTexts } from "./struct-texts.ts";

/** A schema as controller-gen writes it into a CRD: references resolved, no descriptions. */
export type StructSchema = Readonly<Record<string, unknown>>;

/**
 * Returns what controller-gen 0.23.0 writes for a struct or a named string of k8s.io/api 0.35 that a CRD uses, by the import path of
 * its package without the module and its name; `undefined` for any other type and for recursive ones (`JSONSchemaProps`).
 *
 * Guarantees: the result is frozen and the same object at each call.
 *
 * @example
 * structSchema("core/v1.PodTemplateSpec");
 * structSchema("core/v1.PullPolicy"); // { type: "string" }
 */
export function structSchema(name: string): StructSchema | undefined {
  const known = resolved.get(name);
  if (known !== undefined) return known;
  const compressed = compressedSchema(name);
  if (compressed === undefined) return undefined;
  const schema = resolve(compressed) as StructSchema;
  resolved.set(name, schema);
  return schema;
}

/** Lists the names that {@link structSchema} knows. */
export function structNames(): readonly string[] {
  return [...structTexts.keys()].flatMap((place) => Object.keys(structsOf(place)).map((name) => `${place}.${name}`));
}

type Structs = Readonly<Record<string, Record<string, unknown>>>;

const resolved = new Map<string, StructSchema>();
const parsed = new Map<string, Structs>();

function compressedSchema(name: string): Record<string, unknown> | undefined {
  const point = name.indexOf(".");
  const structs = structsOf(name.slice(0, point));
  const type = name.slice(point + 1);
  return Object.hasOwn(structs, type) ? structs[type] : undefined;
}

function structsOf(place: string): Structs {
  let structs = parsed.get(place);
  if (structs === undefined) {
    structs = JSON.parse(structTexts.get(place) ?? "{}") as Structs;
    parsed.set(place, structs);
  }
  return structs;
}

// A reference stands for the whole schema beside which nothing else is written.
function resolve(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map(resolve));
  if (typeof value !== "object" || value === null) return value;
  const fields = value as Readonly<Record<string, unknown>>;
  if (typeof fields["$ref"] === "string") return structSchema(fields["$ref"]);
  return Object.freeze(Object.fromEntries(Object.entries(fields).map(([key, item]) => [key, resolve(item)])));
}
