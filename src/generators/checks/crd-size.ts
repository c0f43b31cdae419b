import { findingOf, kindLocation, type CrdView } from "./crd-view.ts";
import type { Finding } from "./finding.ts";
import { jsonSize, schemaSize } from "./json-size.ts";
import { largestBranches, type SchemaBranch } from "./largest-branches.ts";

/** How many bytes the annotations of an object may take, keys included. */
const ANNOTATION_LIMIT = 256 * 1024;
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** How large a request etcd takes unless it is told otherwise. */
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
