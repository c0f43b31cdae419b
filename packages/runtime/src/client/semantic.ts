import { compareQuantities, gvkOf, QuantityError } from "@kubescaffold/k8s";
import { builtInSchema } from "@kubescaffold/k8s/schemas";
import { isRecord } from "@kubescaffold/platform";
import { additionalSchemaOf, deepEqual as jsonEqual, itemsOf, type JsonSchema, propertyOf } from "@kubescaffold/schema";

/** Options of {@link deepEqual} and {@link deepDerivative}. */
export interface SemanticOptions {
  /** The schema of a custom resource, such as `GuestbookSchema.schema`. Default: the schema of the built-in kind; for other kinds, that of the metadata. */
  readonly schema?: JsonSchema;
}

/**
 * Reports whether two values mean the same to an API server.
 *
 * Null, an empty list, and an absent field are equal, and so are an empty map and an absent one. Quantities and times are compared by value where
 * the schema declares them; other strings, such as labels, are compared as text. An empty object is equal to an absent one only if the field is a
 * map, or a struct that the server always writes, since `emptyDir: {}` and `namespaceSelector: {}` have a meaning.
 *
 * apimachinery: pkg/api/equality.Semantic
 *
 * @example
 * semantic.deepEqual(deployment, { ...deployment, metadata: { ...deployment.metadata, labels: {} } });
 */
export function deepEqual(left: unknown, right: unknown, options: SemanticOptions = {}): boolean {
  return (
    jsonEqual(left, right) ||
    holds(isEqual, { left, right, schema: schemaFor(left, options) ?? schemaFor(right, options) })
  );
}

/**
 * Reports whether the fields that are set in the first value have the same meaning in the second.
 *
 * Null, empty strings, empty lists, and empty maps count as not set; a list may be longer in the second value, and a map may have more keys.
 *
 * apimachinery: pkg/api/equality.Semantic
 */
export function deepDerivative(left: unknown, right: unknown, options: SemanticOptions = {}): boolean {
  return holds(isDerivative, { left, right, schema: schemaFor(left, options) });
}

/** Two values to compare, and their schema. */
interface Pair {
  readonly left: unknown;
  readonly right: unknown;
  readonly schema: JsonSchema | undefined;
  /** The path of the values in the whole; absent where nobody asks for it. */
  readonly path?: string | undefined;
}

/** Compares two values; adds their parts that have to be compared, too. */
type Comparison = (pair: Pair, parts: Pair[]) => boolean;

// API servers store more levels than fit on the stack.
function holds(comparison: Comparison, whole: Pair): boolean {
  const pairs: Pair[] = [whole];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    if (!comparison(pair, pairs)) return false;
  }
  return true;
}

/** Returns the paths of the fields whose meaning differs, as {@link deepEqual} compares them; at most as many as given. */
export function differingFields(
  left: unknown,
  right: unknown,
  options: SemanticOptions & { readonly most: number },
): readonly string[] {
  const schema = schemaFor(left, options) ?? schemaFor(right, options);
  const pairs: Pair[] = [{ left, right, schema, path: "$" }];
  const found: string[] = [];
  for (let pair = pairs.pop(); pair !== undefined && found.length < options.most; pair = pairs.pop()) {
    const parts: Pair[] = [];
    if (isEqual(pair, parts)) pairs.push(...parts.toReversed());
    else found.push((pair.path ?? "").replace(/^\$\.?/u, ""));
  }
  return found;
}

type Members = Readonly<Record<string, unknown>>;

const OBJECT_META = builtInReference("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
const CUSTOM_RESOURCE: JsonSchema = { properties: { metadata: OBJECT_META } };
const QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity";

function builtInReference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Returns the schema of a value. The metadata of an object has its own schema, which CRDs do not contain. */
function schemaFor(value: unknown, { schema }: SemanticOptions): JsonSchema | undefined {
  const known = schemaOf(value);
  return schema === undefined || known === undefined
    ? (schema ?? known)
    : { ...schema, properties: { ...schema.properties, metadata: OBJECT_META } };
}

/** Returns the schema of an object by its kind; undefined for any other value. */
function schemaOf(value: unknown): JsonSchema | undefined {
  if (!isRecord(value) || typeof value["apiVersion"] !== "string" || typeof value["kind"] !== "string") {
    return undefined;
  }
  const gvk = gvkOf({ apiVersion: value["apiVersion"], kind: value["kind"] });
  return builtInSchema(gvk) ?? CUSTOM_RESOURCE;
}

function isEqual({ left, right, schema, path }: Pair, parts: Pair[]): boolean {
  if (left === right) {
    return true;
  }
  if (schema !== undefined && schema === divisorSchema()) {
    return isEqualScalar(left ?? 0, right ?? 0, schema);
  }
  if (isAbsent(left) || isAbsent(right)) {
    return isUnset(left ?? right, schema);
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    addItems({ left, right, schema: itemSchemaOf(schema), path }, parts);
    return left.length === right.length;
  }
  if (isRecord(left) && isRecord(right)) {
    return addMembers({ left, right, schema: resolve(schema) ?? schemaOf(left), path }, parts);
  }
  return isEqualScalar(left, right, schema);
}

type Lists = { readonly left: readonly unknown[]; readonly right: readonly unknown[] } & Pick<Pair, "schema" | "path">;

function addItems({ left, right, schema, path }: Lists, parts: Pair[]): void {
  if (left.length <= right.length)
    left.forEach((item, index) => {
      parts.push({ left: item, right: right[index], schema, path: path && `${path}[${String(index)}]` });
    });
}

// The only quantity that servers write even if it is not set.
function divisorSchema(): JsonSchema | undefined {
  return builtInSchema("io.k8s.api.core.v1.ResourceFieldSelector")?.properties?.["divisor"];
}

type Records = { readonly left: Members; readonly right: Members } & Pick<Pair, "schema" | "path">;

function addMembers({ left, right, schema, path }: Records, parts: Pair[]): boolean {
  const isMap = isMapSchema(schema);
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((name) => {
    // The keys of a map count even if a value is null.
    const isInBoth = memberOf(left, name) !== undefined && memberOf(right, name) !== undefined;
    parts.push({
      left: memberOf(left, name),
      right: memberOf(right, name),
      schema: memberSchemaOf(schema, name),
      path: path && `${path}.${name}`,
    });
    return !isMap || isInBoth;
  });
}

function isDerivative({ left, right, schema }: Pair, parts: Pair[]): boolean {
  if (left === right || isAbsent(left) || left === "") {
    return true;
  }
  if (Array.isArray(left)) {
    const others: readonly unknown[] = Array.isArray(right) ? right : [];
    addItems({ left, right: others, schema: itemSchemaOf(schema) }, parts);
    return left.length <= others.length;
  }
  if (isAbsent(right)) {
    return isUnset(left, schema);
  }
  if (isRecord(left) && isRecord(right)) {
    return addDerivedMembers({ left, right, schema: resolve(schema) ?? schemaOf(left) }, parts);
  }
  return isEqualScalar(left, right, schema);
}

function addDerivedMembers({ left, right, schema }: Records, parts: Pair[]): boolean {
  const isMap = isMapSchema(schema);
  return Object.keys(left).every((name) => {
    parts.push({ left: memberOf(left, name), right: memberOf(right, name), schema: memberSchemaOf(schema, name) });
    return !isMap || memberOf(right, name) !== undefined;
  });
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** Reports whether a value means the same as an absent field. */
function isUnset(value: unknown, schema: JsonSchema | undefined): boolean {
  return holds(isUnsetHere, { left: value, right: undefined, schema });
}

function isUnsetHere({ left: value, schema }: Pair, parts: Pair[]): boolean {
  if (isAbsent(value)) {
    return true;
  }
  if (Array.isArray(value)) {
    return value.length === 0;
  }
  if (isRecord(value)) {
    const members = resolve(schema);
    if (!isRecord(schema?.default) || isMapSchema(members)) {
      return isMapSchema(members) && Object.keys(value).length === 0;
    }
    for (const name of Object.keys(value)) {
      parts.push({ left: memberOf(value, name), right: undefined, schema: memberSchemaOf(members, name) });
    }
    return true;
  }
  return isZero(value) && schema?.default === value;
}

function isZero(value: unknown): boolean {
  return value === "" || value === 0 || value === false;
}

function isEqualScalar(left: unknown, right: unknown, schema: JsonSchema | undefined): boolean {
  if (isQuantitySchema(schema)) {
    return isScalar(left) && isScalar(right) && areQuantitiesEqual(left, right);
  }
  if (resolve(schema)?.format === "date-time" && typeof left === "string" && typeof right === "string") {
    const instant = instantOf(left);
    return instant !== undefined && instant === instantOf(right);
  }
  return left === right;
}

function isScalar(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

function areQuantitiesEqual(left: string | number, right: string | number): boolean {
  try {
    return compareQuantities(left, right) === 0;
  } catch (error) {
    if (error instanceof QuantityError) {
      return false;
    }
    throw error;
  }
}

/** Returns a time in UTC with its fraction of a second at full precision, since `Date` has milliseconds only. */
function instantOf(text: string): string | undefined {
  const [, start = "", fraction = "", zone = ""] =
    /^(\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)$/u.exec(text) ?? [];
  const seconds = Date.parse(`${start}${zone}`) / 1000;
  return Number.isNaN(seconds) ? undefined : `${String(seconds)}.${fraction.replace(/(?<!0)0+$/u, "")}`;
}

// The pattern of a CRD's quantities is the only mark that controller-gen leaves.
function isQuantitySchema(schema: JsonSchema | undefined): boolean {
  const isReferenced = referenceOf(schema)?.endsWith(QUANTITY) === true;
  return (
    isReferenced || (schema?.["x-kubernetes-int-or-string"] === true && schema.pattern?.includes("[KMGTPE]i") === true)
  );
}

function isMapSchema(schema: JsonSchema | undefined): boolean {
  return schema?.additionalProperties !== undefined && schema.properties === undefined;
}

function itemSchemaOf(schema: JsonSchema | undefined): JsonSchema | undefined {
  const list = resolve(schema);
  return list === undefined ? undefined : itemsOf(list);
}

function memberSchemaOf(schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  return schema === undefined ? undefined : (propertyOf(schema, name) ?? additionalSchemaOf(schema));
}

function memberOf(members: Members, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

function referenceOf(schema: JsonSchema | undefined): string | undefined {
  return schema?.$ref ?? schema?.allOf?.[0]?.$ref;
}

function resolve(schema: JsonSchema | undefined): JsonSchema | undefined {
  const reference = referenceOf(schema);
  return reference === undefined ? schema : builtInSchema(reference);
}
