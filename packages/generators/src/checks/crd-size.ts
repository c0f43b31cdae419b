import { type SchemaNode, toJsonSchema } from "../crd/model/schema-node.ts";
import { type CrdView, findingOf, kindLocation } from "./crd-view.ts";
import type { Finding } from "./finding.ts";

/** How many bytes the annotations of an object may take, keys included. */
const ANNOTATION_LIMIT = 256 * 1024;
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** How large a request etcd takes by default. */
const ETCD_LIMIT = 1.5 * 1024 * 1024;

/** What a server adds to a CRD before it is stored: uid, times, managed fields, accepted names, conditions. */
const SERVER_ADDITION = 1.5 * 1024;

/** Finds CRDs that client-side apply cannot record in its annotation, and such that etcd does not store. */
export function checkSize(view: CrdView): readonly Finding[] {
  // No character of YAML takes more than six in JSON.
  if (view.crd.yaml.length * 6 < ANNOTATION_LIMIT || measure(view) + HEAD_ROOM < ANNOTATION_LIMIT) return [];
  const object = view.object();
  const size = jsonSize(object);
  const overEtcd = size + SERVER_ADDITION > ETCD_LIMIT;
  if (!overEtcd && recordedSize(object, size) <= ANNOTATION_LIMIT) return [];
  const location = kindLocation(view);
  const code = overEtcd ? "CRD_TOO_LARGE" : "CRD_TOO_LARGE_TO_APPLY";
  return [findingOf(code, describe(object, size, overEtcd), { location, owners: [location] })];
}

// Everything but the schemas; more than enough unless a kind has hundreds of columns, which the exact measure then sees.
const HEAD_ROOM = 8 * 1024;

function measure(view: CrdView): number {
  const { draft, schemas } = view.crd;
  const rest = draft.versions.map(({ schema: _schema, ...version }) => version);
  const schemasSize = [...schemas.values()].reduce((sum, node) => sum + schemaSize(node), 0);
  return schemasSize + jsonSize({ ...draft, versions: rest });
}

// What client-side apply keeps: the object with an annotation map, a line end, and the annotations that it has anyway.
function recordedSize(object: unknown, size: number): number {
  const { metadata } = object as { readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> } };
  const annotations = Object.entries(metadata?.annotations ?? {});
  const emptyMap = metadata?.annotations === undefined ? '"annotations":{},'.length : 0;
  const own = annotations.reduce((sum, [key, text]) => sum + Buffer.byteLength(key) + Buffer.byteLength(text), 0);
  return size + emptyMap + 1 + LAST_APPLIED.length + own;
}

function describe(object: unknown, size: number, overEtcd: boolean): Readonly<Record<"message" | "hint", string>> {
  const { name } = (object as { readonly metadata: { readonly name: string } }).metadata;
  const { branches, descriptions } = largestBranches(object);
  const shares = [
    ...branches.map((each) => shareOf(each, size)),
    ...(descriptions === 0 ? [] : [shareOf({ path: "all descriptions", bytes: descriptions }, size)]),
  ];
  const limit = overEtcd
    ? `etcd stores ${format(ETCD_LIMIT)}`
    : `client-side kubectl apply stores at most ${format(ANNOTATION_LIMIT)} in its annotation`;
  const lessText = descriptions > size / 10 ? ["crd:maxDescLen=0 omits descriptions"] : [];
  const ways = [
    ...lessText,
    ...(overEtcd ? [] : ["kubectl apply --server-side and kubectl create have no such limit"]),
    "JSONValue or RawExtension replaces the schema of a large branch",
  ];
  return {
    message: `the CRD ${name} has ${format(size)} as JSON, ${limit}; largest: ${shares.join(", ")}`,
    hint: ways.join("; "),
  };
}

function shareOf({ path, bytes }: SchemaBranch, size: number): string {
  return `${path} ${format(bytes)} (${Math.round((100 * bytes) / size)} %)`;
}

function format(bytes: number): string {
  return `${bytes} bytes`;
}

/**
 * Returns the bytes of a value as kubectl and servers write it: JSON with the characters escaped that HTML knows.
 */
export function jsonSize(value: unknown): number {
  const text = JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? Number(each) : each)) ?? "";
  return Buffer.byteLength(text) + 5 * countOf(text, /[<>&]/gu) + 3 * countOf(text, /[\u2028\u2029]/gu);
}

const sizes = new WeakMap<SchemaNode, number>();

/** Returns the same for a schema; parts that stem from built-in structs are measured once. */
function schemaSize(node: SchemaNode): number {
  const known = sizes.get(node);
  if (known !== undefined) return known;
  const { properties, items, additionalProperties, ...own } = node;
  let size = jsonSize(toJsonSchema(own));
  if (size === 2) size -= 1;
  const names = Object.keys(properties ?? {});
  if (names.length > 0) {
    size += '"properties":{},'.length - 1;
    for (const name of names) size += jsonSize(name) + 2 + schemaSize(properties?.[name] ?? {});
  }
  if (items !== undefined) size += '"items":,'.length + schemaSize(items);
  if (additionalProperties !== undefined)
    size += '"additionalProperties":,'.length + (additionalProperties === true ? 4 : schemaSize(additionalProperties));
  if (Object.isFrozen(node)) sizes.set(node, size);
  return size;
}

function countOf(text: string, pattern: RegExp): number {
  let count = 0;
  for (const _ of text.matchAll(pattern)) count += 1;
  return count;
}

/** A branch of a schema and what it takes as JSON. */
interface SchemaBranch {
  /** The version and the path as users read it, such as `v1 spec.template.spec`. */
  readonly path: string;
  readonly bytes: number;
}

interface Branch extends SchemaBranch {
  readonly schema: Schema;
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
}

interface Definition {
  readonly spec: {
    readonly versions: readonly { readonly name: string; readonly schema?: { readonly openAPIV3Schema?: Schema } }[];
  };
}

const SHOWN = 5;

/** Returns the branches that make a CRD large, the largest first, and the bytes of all descriptions together. */
function largestBranches(definition: unknown): {
  readonly branches: readonly SchemaBranch[];
  readonly descriptions: number;
} {
  const { versions } = (definition as Definition).spec;
  let branches: readonly Branch[] = versions.map(({ name, schema }) => branchOf(name, schema?.openAPIV3Schema ?? {}));
  const total = branches.reduce((sum, each) => sum + each.bytes, 0);
  // A branch says more than what it is in: the largest is opened as long as what it holds is still worth a line.
  for (let opened = 0; opened < MOST_OPENED; opened += 1) {
    const next = branches.find((each) => childrenOf(each).some((child) => child.bytes > total / LEAST_SHARE));
    if (next === undefined) break;
    const inner = childrenOf(next).filter((child) => child.bytes > total / LEAST_SHARE);
    branches = [...branches.filter((each) => each !== next), ...inner].toSorted(
      (left, right) => right.bytes - left.bytes,
    );
  }
  return {
    branches: branches.slice(0, SHOWN).map(({ path, bytes }) => ({ path, bytes })),
    descriptions: versions.reduce((sum, { schema }) => sum + descriptionBytes(schema?.openAPIV3Schema), 0),
  };
}

const MOST_OPENED = 50;
const LEAST_SHARE = 8;

function branchOf(path: string, schema: Schema): Branch {
  return { path, schema, bytes: Buffer.byteLength(JSON.stringify(schema)) };
}

function childrenOf({ path, schema }: Branch): readonly Branch[] {
  const { properties = {}, items, additionalProperties } = schema;
  const separator = path.includes(" ") ? "." : " ";
  return [
    ...Object.entries(properties).map(([name, child]) => branchOf(`${path}${separator}${name}`, child)),
    ...(items === undefined ? [] : [branchOf(`${path}[]`, items)]),
    ...(typeof additionalProperties === "object" ? [branchOf(`${path}[*]`, additionalProperties)] : []),
  ];
}

function descriptionBytes(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + descriptionBytes(each), 0);
  if (typeof value !== "object" || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [key, each]) =>
      sum + (key === "description" && typeof each === "string" ? entryBytes(each) : descriptionBytes(each)),
    0,
  );
}

function entryBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify({ description: text })) - 1;
}
