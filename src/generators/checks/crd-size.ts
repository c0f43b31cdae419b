import { findingOf, kindLocation, type CrdView } from "./crd-view.ts";
import type { Finding } from "./finding.ts";
import { largestBranches, type SchemaBranch } from "./largest-branches.ts";

/** How many bytes the annotations of an object may take, keys included. */
const ANNOTATION_LIMIT = 256 * 1024;
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** How large a request etcd takes unless it is told otherwise. */
const ETCD_LIMIT = 1.5 * 1024 * 1024;

/** What a server adds to a CRD before it is stored: uid, times, managed fields, accepted names, conditions. */
const SERVER_ADDITION = 3 * 1024;

/** Finds CRDs that client-side apply cannot record in its annotation, and such that etcd does not store. */
export function checkSize(view: CrdView): readonly Finding[] {
  if (upperBound(view.crd.yaml) + LAST_APPLIED.length < ANNOTATION_LIMIT) return [];
  const object = view.object();
  const size = appliedSize(object);
  const overEtcd = size + SERVER_ADDITION > ETCD_LIMIT;
  if (!overEtcd && recordedSize(object, size) <= ANNOTATION_LIMIT) return [];
  const location = kindLocation(view);
  return [
    findingOf(overEtcd ? "CRD_TOO_LARGE" : "CRD_TOO_LARGE_TO_APPLY", describe(object, size, overEtcd), {
      location,
      owners: [location],
    }),
  ];
}

/** Returns the bytes of an object as kubectl and servers write it: JSON with the characters escaped that HTML knows. */
export function appliedSize(value: unknown): number {
  const text = jsonOf(value);
  return Buffer.byteLength(text) + 5 * countOf(text, /[<>&]/gu) + 3 * countOf(text, /[\u2028\u2029]/gu);
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? Number(each) : each)) ?? "";
}

// Indentation takes more room than quotes, braces and commas, so YAML is as large as JSON but for characters that JSON escapes.
function upperBound(yaml: string): number {
  return Buffer.byteLength(yaml) + 5 * countOf(yaml, /[<>&"\\\u2028\u2029]/gu) + HEAD_ROOM;
}

const HEAD_ROOM = 1024;

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
    : `client-side kubectl apply keeps at most ${format(ANNOTATION_LIMIT)} in its annotation`;
  const lessText = descriptions > size / 10 ? ["crd:maxDescLen=0 leaves descriptions out"] : [];
  const ways = [
    ...lessText,
    ...(overEtcd ? [] : ["kubectl apply --server-side and kubectl create have no such limit"]),
    "JSONValue or RawExtension in place of a large branch keeps its content without a schema",
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

function countOf(text: string, pattern: RegExp): number {
  let count = 0;
  for (const _ of text.matchAll(pattern)) count += 1;
  return count;
}
