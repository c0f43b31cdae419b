import { type GroupVersionKind, gvkOf } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { ConfigMap, Pod } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { Random } from "../../../src/conversion/random-value.ts";
import { Widget } from "../sample-kinds.ts";

/** A call of a client as data; objects of updates and patches come from the memory of the run, which has older and newer ones. */
export type Call =
  | { readonly verb: "get"; readonly target: KubernetesObject; readonly metadataOnly: boolean }
  | { readonly verb: "list"; readonly kind: GroupVersionKind; readonly options: object }
  | { readonly verb: "create"; readonly target: KubernetesObject; readonly options: object }
  | (Change & { readonly verb: "update" | "patch"; readonly patch: PatchForm; readonly options: object })
  | { readonly verb: "apply"; readonly target: KubernetesObject; readonly isStatus: boolean; readonly options: object }
  | {
      readonly verb: "delete";
      readonly target: KubernetesObject;
      readonly precondition: Precondition;
      readonly options: object;
    }
  | { readonly verb: "deleteAllOf"; readonly kind: GroupVersionKind; readonly options: object }
  | { readonly verb: "getScale" | "setScale"; readonly target: KubernetesObject; readonly replicas: number };

/** The form in which a change is sent. */
export type PatchForm = "merge" | "lockedMerge" | "strategic" | "json";

/** The preconditions of a deletion: none, the version that was last read, or the uid of another object. */
type Precondition = "none" | "lastRead" | "otherUid";

/** A change of an object that was read earlier. */
export interface Change {
  readonly target: KubernetesObject;
  /** How many reads ago the object was read that the change starts from. */
  readonly age: number;
  /** Whether the resourceVersion is left out. */
  readonly isUnconditional: boolean;
  readonly isStatus: boolean;
  /** The fields that change. */
  readonly fields: object;
}

const NAMES = ["a", "b", "c"] as const;
const KINDS = [ConfigMap, Deployment, Pod, Widget] as const;
const OWNERS = ["one", "two"] as const;
const FINALIZERS = ["example.com/first", "example.com/second"] as const;

/** Returns random valid objects that exist before the first call. */
export function randomObjects(random: Random): readonly KubernetesObject[] {
  const objects = KINDS.flatMap((kind) => NAMES.map((name) => wholeObject(kind, name, random)));
  return objects.filter((object) => random() < 0.4 && isValid(object)).map((object) => withQosClass(object));
}

// A server sets the class when it creates the Pod, and a fake client takes objects as they are.
function withQosClass(object: KubernetesObject): KubernetesObject {
  const { status } = object as Pod;
  return object.kind !== "Pod" || status === undefined
    ? object
    : ({ ...object, status: { ...status, qosClass: "BestEffort" } } as Pod);
}

function isValid(object: KubernetesObject): boolean {
  const { size = 0 } = (object as Widget).spec ?? {};
  return size >= 0 && size <= 10;
}

/** Returns a random call. */
export function randomCall(random: Random): Call {
  const kind = pick(KINDS, random);
  const target = wholeObject(kind, pick(NAMES, random), random);
  const isStatus = random() < 0.3;
  const write = {
    ...maybe(random, 0.1, { dryRun: true }),
    ...maybe(random, 0.2, { fieldOwner: pick(OWNERS, random) }),
  };
  const verb = pick(VERBS, random);
  switch (verb) {
    case "get":
      return { verb, target, metadataOnly: random() < 0.2 };
    case "list":
      return { verb, kind, options: randomSelection(random) };
    case "create":
      return { verb, target: spoiled(target, random), options: write };
    case "update":
    case "patch":
      return { verb, ...randomChange(target, isStatus, random), patch: pick(PATCHES, random), options: write };
    case "apply":
      return {
        verb,
        target: partOf(target, isStatus, random),
        isStatus,
        options: { fieldOwner: pick(OWNERS, random), ...maybe(random, 0.3, { forceOwnership: true }) },
      };
    case "delete":
      return {
        verb,
        target,
        precondition: pick(["none", "none", "lastRead", "otherUid"], random),
        options: { ...maybe(random, 0.1, { dryRun: true }), ...maybe(random, 0.5, { gracePeriodSeconds: 0 }) },
      };
    case "deleteAllOf":
      return { verb, kind, options: { namespace: "default", ...maybe(random, 0.8, { labels: { tier: "web" } }) } };
    default:
      return { verb, target, replicas: integer(random, 5) };
  }
}

const PATCHES: readonly PatchForm[] = ["merge", "lockedMerge", "strategic", "json"];
const VERBS: readonly Call["verb"][] = [
  ...([
    "get",
    "get",
    "list",
    "list",
    "create",
    "create",
    "create",
    "update",
    "update",
    "update",
    "patch",
    "patch",
  ] as const),
  ...(["patch", "apply", "apply", "delete", "deleteAllOf", "getScale", "setScale"] as const),
];

function wholeObject(kind: GroupVersionKind, name: string, random: Random): KubernetesObject {
  const metadata = {
    namespace: "default",
    name,
    ...maybe(random, 0.6, { labels: { tier: pick(["web", "api"], random) } }),
    ...maybe(random, 0.2, { finalizers: [pick(FINALIZERS, random)] }),
  };
  switch (kind.kind) {
    case "ConfigMap":
      return ConfigMap.create({ metadata, data: { a: String(integer(random, 3)) } });
    case "Deployment":
      return Deployment.create({ metadata, spec: deploymentSpec(random), ...statusOf("replicas", random) });
    case "Pod":
      return Pod.create({
        metadata,
        spec: { containers: [container(random)], ...maybe(random, 0.3, { nodeName: "n1" }) },
        ...statusOf("observedGeneration", random),
      });
    default:
      return Widget.create({ metadata, spec: widgetSpec(random), ...statusOf("ready", random) });
  }
}

function statusOf(field: string, random: Random): object {
  return maybe(random, 0.4, { status: { [field]: integer(random, 5) } });
}

function deploymentSpec(random: Random): NonNullable<Deployment["spec"]> {
  const labels = { app: "a" };
  const template = { metadata: { labels }, spec: { containers: [container(random)] } };
  return { ...maybe(random, 0.7, { replicas: integer(random, 5) }), selector: { matchLabels: labels }, template };
}

function container(random: Random): { name: string; image: string } {
  return { name: "main", image: pick(["a:1", "a:2", "b:1"], random) };
}

function widgetSpec(random: Random): object {
  const parts = ["x", "y"].filter(() => random() < 0.5).map((name) => ({ name, count: integer(random, 3) }));
  // Sizes above 10 violate a rule, negative ones the schema.
  return { size: integer(random, 14) - 1, ...maybe(random, 0.3, { color: pick(["red", "blue"], random) }), parts };
}

// Objects that servers refuse, or change on creation.
function spoiled(object: KubernetesObject, random: Random): KubernetesObject {
  const { metadata, ...rest } = object;
  const wrong = pick(
    [
      {},
      {},
      {},
      {},
      {},
      { namespace: "missing" },
      { name: "Not_A_Name" },
      { resourceVersion: "1" },
      { labels: { "not a label": "" } },
      { uid: "mine", generation: 7, creationTimestamp: "2020-01-01T00:00:00Z" },
      { ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "", uid: "" }] },
    ],
    random,
  );
  return { ...rest, ...maybe(random, 0.1, { surprise: true }), metadata: { ...metadata, ...wrong } };
}

// The part of an object that a field owner applies.
function partOf(object: KubernetesObject, isStatus: boolean, random: Random): KubernetesObject {
  const { apiVersion, kind, metadata, ...rest } = object as KubernetesObject & {
    readonly spec?: object;
    readonly status?: object;
  };
  const { status, ...fields } = rest;
  return {
    apiVersion,
    kind,
    metadata: random() < 0.5 ? { namespace: "default", name: metadata.name ?? "" } : metadata,
    ...(isStatus ? { status: status ?? {} } : fields),
  };
}

function randomChange(target: KubernetesObject, isStatus: boolean, random: Random): Change {
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...fields } = target;
  return {
    target,
    age: random() < 0.7 ? 0 : integer(random, 3),
    isUnconditional: random() < 0.15,
    isStatus,
    fields: {
      ...maybe(random, 0.8, fields),
      metadata: {
        ...maybe(random, 0.5, { labels: metadata.labels ?? {} }),
        ...maybe(random, 0.3, { finalizers: FINALIZERS.filter(() => random() < 0.3) }),
        ...maybe(random, 0.2, { annotations: { note: String(integer(random, 3)) } }),
      },
    },
  };
}

function randomSelection(random: Random): object {
  return {
    ...maybe(random, 0.7, { namespace: "default" }),
    ...pick<object>(
      [
        {},
        { labels: { tier: "web" } },
        { hasLabels: ["tier"] },
        { labelSelector: "tier in (api),!legacy" },
        { labelSelector: "tier in (" },
        { fields: { "metadata.name": "a" } },
        { fieldSelector: "metadata.name!=a" },
        { fields: { "spec.nodeName": "n1" } },
        { fields: { "spec.color": "red" } },
        { limit: 1 },
        { metadataOnly: true },
        { resourceVersion: "latest", resourceVersionMatch: "Exact" },
      ],
      random,
    ),
  };
}

/** Returns the identity of the target of a call. */
export function identityOf(object: KubernetesObject): string {
  return `${gvkOf(object).kind} ${object.metadata.name ?? ""}`;
}

function maybe<T extends object>(random: Random, probability: number, fields: T): Partial<T> {
  return random() < probability ? fields : {};
}

function pick<T>(values: readonly T[], random: Random): T {
  return values[integer(random, values.length)] as T;
}

function integer(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}
