import { deepClone } from "@kubescaffold/k8s";
import type { OpenApiSchema } from "@kubescaffold/k8s/tables";

import type { Random } from "../../src/conversion/random-value.ts";
import type { Json } from "../conformance/row.ts";
import { randomFieldValue, randomKey } from "./field-values.ts";
import { resolved } from "./resolved-schema.ts";

/** A change of one place in an object. */
export interface Edit {
  readonly path: readonly (string | number)[];
  /** Absent where the place is removed. */
  readonly value?: unknown;
}

/** Returns the object with the edits that apply to it. */
export function edited(object: Json, edits: readonly Edit[]): Json {
  const copy = deepClone(object);
  for (const edit of edits) applyEdit(copy, edit);
  return copy;
}

function applyEdit(object: Json, { path, value }: Edit): void {
  let parent: unknown = object;
  for (const step of path.slice(0, -1)) parent = (parent as Record<string | number, unknown> | undefined)?.[step];
  const last = path.at(-1);
  if (typeof parent !== "object" || parent === null || last === undefined) return;
  if (value !== undefined) (parent as Record<string | number, unknown>)[last] = deepClone(value);
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete (parent as Record<string | number, unknown>)[last];
}

interface Place {
  readonly path: readonly (string | number)[];
  readonly schema: OpenApiSchema;
  /** Undefined for a field that the object does not have. */
  readonly value: unknown;
}

/** Where a request may change an object: what its resource keeps, or what its status endpoint does. */
type EditedPart = "content" | "status";

interface EditedObject {
  readonly object: Json;
  readonly schema: OpenApiSchema;
  readonly part: EditedPart;
}

/** Returns an edit of a random place of an object, which may make it invalid. */
export function randomEdit({ object, schema, part }: EditedObject, random: Random): Edit {
  const places = placesOf(object, resolved(schema)).filter(({ path }) => !FIXED[part].test(path.join(".")));
  const inDepth = places.filter(({ path }) => path[0] !== "metadata" || random() < 0.25);
  const place = inDepth[Math.floor(random() * inDepth.length)] ?? { path: ["bogus"], schema: {}, value: undefined };
  return editOf(place, random);
}

// Kinds and the data of the server are not varied.
const FIXED: Readonly<Record<EditedPart, RegExp>> = {
  content:
    /^metadata$|volumeClaimTemplate\.metadata|^(apiVersion|kind|status|metadata\.(name|generateName|namespace|managedFields|uid|creationTimestamp|resourceVersion|deletion.*|selfLink|generation))(\.|$)/u,
  status: /^(?!status(?:\.|$)|metadata\.(?:labels|annotations|finalizers|ownerReferences)(?:\.|$))/u,
};

function placesOf(object: Json, schema: OpenApiSchema): readonly Place[] {
  const places: Place[] = [];
  collect({ path: [], schema, value: object }, places);
  return places.filter(({ path }) => path.length > 0);
}

function collect(place: Place, places: Place[]): void {
  const { path, value } = place;
  const schema = resolved(place.schema);
  places.push(place);
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      collect({ path: [...path, index], schema: schema.items ?? {}, value: item }, places);
    });
  } else if (typeof value === "object" && value !== null) {
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const member = (value as Json)[name];
      if (member === undefined) places.push({ path: [...path, name], schema: property, value: undefined });
      else collect({ path: [...path, name], schema: property, value: member }, places);
    }
    if (schema.additionalProperties !== undefined) {
      for (const [name, member] of Object.entries(value))
        collect({ path: [...path, name], schema: schema.additionalProperties, value: member }, places);
    }
  }
}

function editOf({ path, schema: source, value }: Place, random: Random): Edit {
  const name = path.findLast((step) => typeof step === "string") ?? "";
  const schema = resolved(source);
  const fresh = (): unknown => randomFieldValue(source, { name, random, depth: 0 });
  if (value === undefined) return { path, value: fresh() };
  const roll = random();
  if (roll < 0.15) return { path };
  if (Array.isArray(value)) return { path, value: changedList(value, fresh, { schema, name, random }) };
  if (typeof value === "object" && value !== null && schema.additionalProperties !== undefined && roll < 0.8) {
    const key = randomKey(name, random);
    const member = randomFieldValue(schema.additionalProperties, { name, random, depth: 0 });
    return { path, value: { ...value, [key]: member } };
  }
  return { path, value: fresh() };
}

function changedList(
  list: readonly unknown[],
  fresh: () => unknown,
  { schema, name, random }: { readonly schema: OpenApiSchema; readonly name: string; readonly random: Random },
): unknown {
  const roll = random();
  if (roll < 0.15) return [];
  if (roll < 0.45) return [...list, list[Math.floor(random() * list.length)] ?? {}];
  if (roll < 0.85) return [...list, randomFieldValue(schema.items ?? {}, { name, random, depth: 0 })];
  return fresh();
}
