import { canonicalJson, type Schema } from "@kubescaffold/generators/importer";
import { deepClone, type FieldError, type JSONValue } from "@kubescaffold/k8s";
import { asList, asRecord, isRecord } from "@kubescaffold/platform";
import { applyDefaults, type JsonSchema, prune, validate } from "@kubescaffold/schema";
import { validateRules } from "@kubescaffold/schema/cel";

import { alternatives, type Literals, propertiesOf, smallestValue } from "./example-values.ts";

/** An object of Kubernetes in JSON. */
export type ExampleObject = Readonly<Record<string, JSONValue>>;

/** An object as a server stores it, and what its schema and its rules refuse. */
export interface CheckedExample {
  readonly object: ExampleObject;
  readonly errors: readonly FieldError[];
}

/** Prunes an object, sets its defaults, and validates it with all rules, as a server does when it is created. */
export function checkExample(schema: Schema, object: ExampleObject): CheckedExample {
  const typed = schema as JsonSchema;
  const pruned = prune(typed, deepClone(object), { isResourceRoot: true }).value;
  const complete = applyDefaults(typed, pruned);
  const errors = validate(typed, complete);
  return { object: complete, errors: errors.length > 0 ? errors : validateRules(typed, complete).errors };
}

// Objects that are validated until the search ends without a result.
const MOST_STEPS = 600;
const MOST_WAITING = 200;
// Each step changes one place, and validates the whole object: one with more errors takes minutes, and is not repaired by that many steps.
const MOST_ERRORS = 100;

/**
 * Changes an object until its schema and its rules accept it: adds what is optional, removes it, and sets other values, near the places of errors.
 *
 * Returns the best one that it found, which has errors where the search ended without a result.
 */
export function repairExample(schema: Schema, object: ExampleObject): CheckedExample {
  let best = checkExample(schema, object);
  const waiting: CheckedExample[] = [best];
  const seen = new Set<string>();
  let steps = 0;
  while (steps < MOST_STEPS && best.errors.length > 0 && best.errors.length <= MOST_ERRORS) {
    const next = waiting.shift();
    if (next === undefined) break;
    for (const changed of changesOf(schema, next)) {
      const key = canonicalJson(changed);
      if (seen.has(key) || steps++ >= MOST_STEPS) continue;
      seen.add(key);
      const checked = checkExample(schema, changed);
      waiting.push(checked);
      if (checked.errors.length < best.errors.length) best = checked;
      if (best.errors.length === 0) return best;
    }
    waiting.sort((left, right) => left.errors.length - right.errors.length);
    waiting.length = Math.min(waiting.length, MOST_WAITING);
  }
  return best;
}

type Path = readonly (string | number)[];

function* changesOf(schema: Schema, { object, errors }: CheckedExample): Generator<ExampleObject> {
  const paths = new Map<string, Path>();
  for (const { field } of errors) {
    const path = pathOf(field);
    for (const each of [path, path.slice(0, -1)]) paths.set(each.join("/"), each);
  }
  for (const path of paths.values()) {
    const places = schemasAlong(schema, path);
    const own = places.at(-1);
    if (own === undefined || places.length <= path.length) continue;
    const literals = literalsIn(places);
    const change = (at: Path, value: unknown): ExampleObject => withValue(object, at, value);
    if (own["type"] !== "object") {
      for (const value of alternatives(own, literals)) if (path.length > 0) yield change(path, value);
      continue;
    }
    yield* objectChanges(own, { path, object, literals });
  }
}

/** Members of an object that no example takes from a schema. */
export const OWN_FIELDS: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata", "status"]);

function* objectChanges(
  schema: Schema,
  { path, object, literals }: { readonly path: Path; readonly object: ExampleObject; readonly literals: Literals },
): Generator<ExampleObject> {
  const value = valueAt(object, path);
  const required = asList(schema["required"]).map(String);
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    if (path.length === 0 && OWN_FIELDS.has(name)) continue;
    const typed = asRecord(property);
    const isPresent = isRecord(value) && value[name] !== undefined;
    const at = [...path, name];
    if (!isPresent) yield withValue(object, at, smallestValue(typed));
    else if (!required.includes(name)) yield withValue(object, at, undefined);
    for (const each of alternatives(typed, literals)) yield withValue(object, at, each);
  }
  if (isRecord(schema["additionalProperties"]))
    yield withValue(object, [...path, "key"], smallestValue(schema["additionalProperties"]));
}

// Fields as in messages: spec.ports[0].name, spec.labels[key].
function pathOf(field: string): Path {
  if (field === "<nil>" || field === "") return [];
  return [...field.matchAll(/[^.[\]]+/gu)].map(([part]) => (/^\d+$/u.test(part) ? Number(part) : part));
}

/** Returns the schema of the object, and those of each step of a path as far as they are known. */
function schemasAlong(schema: Schema, path: Path): readonly Schema[] {
  const found = [schema];
  for (const step of path) {
    const last = found.at(-1) ?? {};
    const next =
      typeof step === "number" && last["type"] === "array"
        ? last["items"]
        : (propertiesOf(last)[String(step)] ?? last["additionalProperties"]);
    if (!isRecord(next)) break;
    found.push(next);
  }
  return found;
}

function literalsIn(schemas: readonly Schema[]): Literals {
  const rules = schemas
    .flatMap((schema) => [schema, ...Object.values(propertiesOf(schema)).map((each) => asRecord(each))])
    .flatMap((schema) => asList(schema["x-kubernetes-validations"]))
    .map((rule) => String(asRecord(rule)["rule"]));
  const texts = rules.flatMap((rule) =>
    [...rule.matchAll(/'([^']*)'|"([^"]*)"/gu)].map((each) => each[1] ?? each[2] ?? ""),
  );
  const numbers = rules.flatMap((rule) => [...rule.matchAll(/(?<![\w.])\d+/gu)].map(([each]) => Number(each)));
  return {
    texts: [...new Set(texts.flatMap((text) => [text, `${text}a`]))].slice(0, 40),
    numbers: [...new Set(numbers.flatMap((each) => [each, each + 1, each - 1]))].slice(0, 40),
  };
}

function valueAt(object: ExampleObject, path: Path): unknown {
  let value: unknown = object;
  for (const step of path)
    value = Array.isArray(value) ? value[Number(step)] : isRecord(value) ? value[String(step)] : undefined;
  return value;
}

/** Returns a copy of an object with a value at a path; undefined removes what is there. Objects on the way that are missing are added. */
function withValue(object: ExampleObject, path: Path, value: unknown): ExampleObject {
  const copy = deepClone(object) as Record<string, unknown>;
  let holder: Record<string | number, unknown> = copy;
  for (const step of path.slice(0, -1)) {
    if (typeof holder[step] !== "object" || holder[step] === null) holder[step] = {};
    holder = holder[step] as Record<string | number, unknown>;
  }
  const last = path.at(-1);
  if (last === undefined) return copy as ExampleObject;
  if (value === undefined) delete holder[last];
  else holder[last] = deepClone(value as JSONValue);
  return copy as ExampleObject;
}
