import { RECURSIVE_LEVELS } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";

/** The metadata of an object that a comparison reads. */
export interface ComparedMetadata {
  readonly name?: string | undefined;
  readonly generateName?: string | undefined;
  readonly generation?: number | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly deletionTimestamp?: unknown;
}

/** An object of the API, as it is stored. */
export interface ComparedObject {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata: ComparedMetadata;
}

/** The facts that a comparison of objects needs. */
export interface ComparisonFacts {
  /** Whether a CustomResourceDefinition defines the kind. The status of other kinds is written by the cluster, and not compared. */
  readonly isCustom: boolean;
  /** The schema of a custom resource, which states the lists that are sets or maps. */
  readonly schema?: unknown;
  /** Returns the object with a uid, such as `Deployment web`; undefined if there is none. */
  readonly describeUid: (uid: string) => string | undefined;
  /** The names of generated objects, and what stands for each, such as `token-*`. */
  readonly generatedNames: ReadonlyMap<string, string>;
  /** Returns the text that stands for a value of a Secret: the same for equal values, and useless to others. */
  readonly hideSecret: (value: string) => string;
}

const SERVER_FIELDS: ReadonlySet<string> = new Set([
  "uid",
  "resourceVersion",
  "generation",
  "managedFields",
  "selfLink",
  "creationTimestamp",
  "deletionTimestamp",
]);
// The controller of Deployments counts revisions here, so that it depends on the way to a state.
const CLUSTER_ANNOTATIONS: ReadonlySet<string> = new Set(["deployment.kubernetes.io/revision"]);
// Given by the cluster, in the order of requests.
const ALLOCATED_FIELDS: ReadonlySet<string> = new Set([
  "clusterIP",
  "clusterIPs",
  "nodePort",
  "healthCheckNodePort",
  "volumeName",
]);
const UID = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gu;
const TIME = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})/gu;

// The keys of lists of built-in kinds that are maps, as the API documents them.
const BUILT_IN_KEYS: Readonly<Record<string, readonly string[]>> = {
  conditions: ["type"],
  containers: ["name"],
  env: ["name"],
  initContainers: ["name"],
  ownerReferences: ["kind", "name"],
  ports: ["name", "containerPort", "port", "protocol"],
  volumeMounts: ["mountPath"],
  volumes: ["name"],
};
const SETS: ReadonlySet<string> = new Set(["finalizers"]);

/**
 * Returns the part of an object at rest that two runs of an operator have in common: without versions, uids, times, allocated addresses, and fields that the
 * cluster owns. Lists that are maps are records of their keys, sets are in order, and values of Secrets are hidden.
 */
export function comparableObject(object: ComparedObject, facts: ComparisonFacts): Readonly<Record<string, unknown>> {
  const { metadata, ...fields } = object;
  const shown = object.kind === "Secret" && object.apiVersion === "v1" ? withHiddenData(fields, facts) : fields;
  const kept = Object.entries(shown).filter(([key]) => facts.isCustom || key !== "status");
  const { generation } = metadata;
  return {
    ...(comparable(Object.fromEntries(kept), { facts, generation, schema: facts.schema, level: 0 }) as object),
    metadata: comparable(comparableMetadata(metadata), { facts, generation, schema: undefined, level: 1 }),
  };
}

/** Returns the name of an object; that of a generated one without its suffix. */
export function comparableName({ name = "", generateName = "" }: ComparedMetadata): string {
  return generateName !== "" && name.startsWith(generateName) ? `${generateName}*` : name;
}

function comparableMetadata(metadata: ComparedMetadata): Readonly<Record<string, unknown>> {
  const { annotations = {}, deletionTimestamp } = metadata;
  const kept = Object.entries(metadata).filter(([key]) => !SERVER_FIELDS.has(key) && key !== "annotations");
  const ownAnnotations = Object.entries(annotations).filter(([key]) => !CLUSTER_ANNOTATIONS.has(key));
  return {
    ...Object.fromEntries(kept),
    name: comparableName(metadata),
    ...(ownAnnotations.length === 0 ? {} : { annotations: Object.fromEntries(ownAnnotations) }),
    ...(deletionTimestamp === undefined ? {} : { isBeingDeleted: true }),
  };
}

function withHiddenData(
  fields: Readonly<Record<string, unknown>>,
  { hideSecret }: ComparisonFacts,
): Readonly<Record<string, unknown>> {
  const hidden = (value: unknown): unknown =>
    isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hideSecret(String(item))]))
      : value;
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, key === "data" || key === "stringData" ? hidden(value) : value]),
  );
}

interface Place {
  readonly facts: ComparisonFacts;
  readonly generation: unknown;
  readonly schema: unknown;
  readonly level: number;
}

function comparable(value: unknown, place: Place): unknown {
  if (typeof value === "string") return comparableText(value, place.facts);
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null || place.level >= RECURSIVE_LEVELS) return value;
  if (Array.isArray(value)) {
    return value.map((item) =>
      comparable(item, { ...place, schema: field(place.schema, "items"), level: place.level + 1 }),
    );
  }
  const entries = Object.entries(value).map(([key, item]) => [key, comparableField(key, item, place)] as const);
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}

function comparableField(key: string, value: unknown, place: Place): unknown {
  const { facts, generation } = place;
  if (key === "observedGeneration" && generation !== undefined) return value === generation ? "current" : "stale";
  if (!facts.isCustom && ALLOCATED_FIELDS.has(key) && value !== "None") return "<allocated>";
  const properties = field(place.schema, "properties");
  const schema = field(properties, key) ?? field(place.schema, "additionalProperties");
  const result = comparable(value, { ...place, schema, level: place.level + 1 });
  if (!Array.isArray(value) || !Array.isArray(result)) return result;
  const type = field(schema, "x-kubernetes-list-type");
  if (type === "set" || SETS.has(key)) return result.toSorted(byText);
  const keys = type === "map" ? field(schema, "x-kubernetes-list-map-keys") : keysOf(key, facts);
  return Array.isArray(keys) ? asMap(result, keys as readonly string[]) : result;
}

function keysOf(key: string, { isCustom }: ComparisonFacts): readonly string[] | undefined {
  return isCustom && key !== "conditions" && key !== "ownerReferences" ? undefined : BUILT_IN_KEYS[key];
}

// A list whose keys are not unique stays a list: it is invalid, or of another kind.
function asMap(list: readonly unknown[], keys: readonly string[]): unknown {
  const names = list.map((item) =>
    isRecord(item) ? keys.flatMap((key) => (item[key] === undefined ? [] : [JSON.stringify(item[key])])).join(",") : "",
  );
  if (names.includes("") || new Set(names).size < names.length) return list;
  return Object.fromEntries(
    list
      .map((item, index) => [`[${names[index] ?? ""}]`, item] as const)
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}

function comparableText(text: string, { describeUid, generatedNames }: ComparisonFacts): string {
  const named = [...generatedNames]
    .filter(([name]) => text.includes(name))
    .reduce((result, [name, standIn]) => result.replaceAll(name, () => standIn), text);
  return named
    .replace(UID, (uid) => {
      const object = describeUid(uid);
      return object === undefined ? "<uid>" : `<uid of ${object}>`;
    })
    .replace(TIME, "<time>");
}

function field(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined;
}

function byText(left: unknown, right: unknown): number {
  return JSON.stringify(left) < JSON.stringify(right) ? -1 : 1;
}
