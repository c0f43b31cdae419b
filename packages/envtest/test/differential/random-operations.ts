import { seededRandom, type Random } from "../../src/conversion/random-value.ts";
import { configMap, gadget, GROUP, pathOf, widget } from "../conformance/kinds.ts";
import type { Json } from "../conformance/row.ts";

/** A request whose versions are those that a server has answered before. */
export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly contentType?: string;
  readonly userAgent: string;
  readonly body?: unknown;
  /** The resourceVersion in the body, or in preconditions: how many versions of the object ago, or none. */
  readonly version?: { readonly of: string; readonly age: number };
  /** Whether the next page of the last list is asked for. */
  readonly continues?: boolean;
}

const NAMES = ["a", "b", "c"] as const;
const MANAGERS = ["alice", "bob"] as const;
const WORDS = ["x", "y", "z"] as const;
/** The kinds that operations write. */
export const KINDS = ["configmaps", "podtemplates", "leases", "widgets", "gadgets"] as const;
type Kind = (typeof KINDS)[number];

const API_VERSIONS: Readonly<Record<Kind, string>> = {
  configmaps: "v1",
  podtemplates: "v1",
  leases: "coordination.k8s.io/v1",
  widgets: `${GROUP}/v1`,
  gadgets: `${GROUP}/v1`,
};

/** The name of the object that ends the watches. */
export const LAST_NAME = "zz-last";

/** Returns a valid object of a kind that every watch of it sees. */
export function lastObjectOf(kind: Kind): Json {
  const content = {
    configmaps: configMap(LAST_NAME),
    podtemplates: { kind: "PodTemplate", template: { spec: { containers: [{ name: "main", image: "image" }] } } },
    leases: { kind: "Lease", spec: {} },
    widgets: widget(LAST_NAME),
    gadgets: gadget(LAST_NAME),
  }[kind];
  return { ...content, apiVersion: API_VERSIONS[kind], metadata: { name: LAST_NAME, labels: { tier: "x" } } };
}

/** Returns operations of all verbs, the same ones for the same seed. */
export function* randomOperations(seed: number, namespace: string): Generator<Operation, never> {
  const random = seededRandom(seed);
  while (true) yield operationOf(random, namespace);
}

function operationOf(random: Random, namespace: string): Operation {
  const kind = pick(random, KINDS);
  const name = pick(random, NAMES);
  const place: Place = { random, kind, name, namespace, userAgent: `${pick(random, MANAGERS)}/v1` };
  const roll = random();
  if (roll < 0.2) return create(place);
  if (roll < 0.35) return update(place);
  if (roll < 0.6) return patch(place);
  if (roll < 0.78) return apply(place);
  if (roll < 0.86) return remove(place);
  if (roll < 0.88) return removeAll(place);
  return read(place);
}

interface Place {
  readonly random: Random;
  readonly kind: Kind;
  readonly name: string;
  readonly namespace: string;
  readonly userAgent: string;
}

function create(place: Place): Operation {
  const path = `${collectionOf(place)}${query(writeOptions(place))}`;
  return { method: "POST", path, body: objectOf(place), userAgent: place.userAgent };
}

function update(place: Place): Operation {
  const subresource = statusOf(place);
  const path = `${pathTo(place)}${subresource}${query(writeOptions(place))}`;
  const version = place.random() < 0.7 ? { version: { of: pathTo(place), age: ageOf(place) } } : {};
  return { method: "PUT", path, body: objectOf(place), userAgent: place.userAgent, ...version };
}

const JSON_OPERATIONS = ["add", "replace", "remove", "test"] as const;

function patch(place: Place): Operation {
  const { random, kind } = place;
  const path = `${pathTo(place)}${statusOf(place)}${query(writeOptions(place))}`;
  const base = { method: "PATCH", path, userAgent: place.userAgent } as const;
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...fields } = objectOf(place);
  const { name: _name, ...others } = metadata as Json;
  const roll = random();
  if (roll < 0.4) {
    const nulls = random() < 0.3 ? { [pick(random, Object.keys(fields))]: null } : {};
    return { ...base, contentType: "application/merge-patch+json", body: { metadata: others, ...fields, ...nulls } };
  }
  if (roll < 0.65) {
    const target = pick(random, [
      "/metadata/labels",
      "/metadata/annotations",
      "/metadata/finalizers",
      "/spec",
      "/data",
    ]);
    const value = target === "/metadata/finalizers" ? ["example.com/hold"] : { [pick(random, WORDS)]: "1" };
    const operations = [{ op: pick(random, JSON_OPERATIONS), path: target, value }];
    return { ...base, contentType: "application/json-patch+json", body: operations };
  }
  const isCustom = kind === "widgets" || kind === "gadgets";
  const body = random() < 0.1 ? { ...fields, metadata: { ...others, bogus: 1 } } : { ...fields, metadata: others };
  return {
    ...base,
    contentType: `application/${isCustom && random() < 0.8 ? "" : "strategic-"}merge-patch+json`,
    body,
  };
}

function apply(place: Place): Operation {
  const { random } = place;
  const manager = `fieldManager=${pick(random, MANAGERS)}`;
  const force = random() < 0.5 ? ["force=true"] : [];
  const path = `${pathTo(place)}${statusOf(place)}${query([manager, ...force, ...(random() < 0.1 ? ["dryRun=All"] : [])])}`;
  return {
    method: "PATCH",
    path,
    contentType: "application/apply-patch+yaml",
    body: objectOf(place),
    userAgent: place.userAgent,
  };
}

function remove(place: Place): Operation {
  const { random } = place;
  const body = {
    ...(random() < 0.5 ? { propagationPolicy: pick(random, ["Background", "Orphan", "Foreground"]) } : {}),
    ...(random() < 0.3 ? { gracePeriodSeconds: 0 } : {}),
  };
  const version = random() < 0.6 ? { version: { of: pathTo(place), age: ageOf(place) } } : {};
  const options = random() < 0.15 ? ["dryRun=All"] : [];
  const path = `${pathTo(place)}${query(options)}`;
  return { method: "DELETE", path, body, userAgent: place.userAgent, ...version };
}

function removeAll(place: Place): Operation {
  const path = `${collectionOf(place)}${query([`labelSelector=tier%3D${pick(place.random, WORDS)}`])}`;
  return { method: "DELETE", path, userAgent: place.userAgent };
}

const SELECTORS = ["tier=x", "tier!=y", "tier in (x,z)", "!tier", "tier"] as const;

function read(place: Place): Operation {
  const { random, userAgent } = place;
  if (random() < 0.4) return { method: "GET", path: pathTo(place), userAgent };
  const parameters = [
    ...(random() < 0.5 ? [`labelSelector=${encodeURIComponent(pick(random, SELECTORS))}`] : []),
    ...(random() < 0.3 ? [`fieldSelector=metadata.name%3D${place.name}`] : []),
    ...(random() < 0.5 ? ["limit=1"] : []),
  ];
  const continues = random() < 0.3 ? { continues: true } : {};
  return { method: "GET", path: `${collectionOf(place)}${query(parameters)}`, userAgent, ...continues };
}

function writeOptions({ random }: Place): readonly string[] {
  return [
    ...(random() < 0.1 ? ["dryRun=All"] : []),
    ...(random() < 0.3 ? [`fieldManager=${pick(random, MANAGERS)}`] : []),
    ...(random() < 0.2 ? [`fieldValidation=${pick(random, ["Strict", "Warn", "Ignore"])}`] : []),
  ];
}

function objectOf({ random, kind, name }: Place): Json {
  const metadata: Json = {
    name,
    ...(random() < 0.5 ? { labels: { tier: pick(random, WORDS) } } : {}),
    ...(random() < 0.3 ? { annotations: { note: pick(random, WORDS) } } : {}),
    ...(random() < 0.15 ? { finalizers: ["example.com/hold"] } : {}),
    ...(random() < 0.05 ? { generateName: "generated-" } : {}),
  };
  const unknown = random() < 0.08 ? { bogus: { deep: 1 } } : {};
  return { apiVersion: API_VERSIONS[kind], ...contentOf(random, kind, name), metadata, ...unknown };
}

function contentOf(random: Random, kind: Kind, name: string): Json {
  switch (kind) {
    case "configmaps":
      return configMap(name, {
        [pick(random, WORDS)]: pick(random, WORDS),
        ...(random() < 0.1 ? { "bad key": "1" } : {}),
      });
    case "podtemplates":
      return { kind: "PodTemplate", template: templateOf(random) };
    case "leases":
      return {
        kind: "Lease",
        spec: {
          ...(random() < 0.8 ? { holderIdentity: pick(random, WORDS) } : {}),
          leaseDurationSeconds: random() < 0.1 ? 0 : 15,
          ...(random() < 0.3 ? { leaseTransitions: Math.floor(random() * 3) - 1 } : {}),
        },
      };
    case "widgets":
      return {
        ...widget(name, {
          size: Math.floor(random() * 12),
          ...(random() < 0.5 ? { mode: pick(random, ["Fast", "Slow", "Other"]) } : {}),
          ...(random() < 0.3 ? { colors: [pick(random, WORDS), pick(random, WORDS)] } : {}),
        }),
        ...(random() < 0.3 ? { status: { phase: pick(random, WORDS) } } : {}),
      };
    case "gadgets":
      return gadget(name, {
        ...(random() < 0.2 ? { title: pick(random, ["x", "UPPER", "fine"]) } : {}),
        ...(random() < 0.4
          ? { items: WORDS.slice(0, 1 + Math.floor(random() * 3)).map((word) => ({ name: word })) }
          : {}),
        ...(random() < 0.3 ? { tags: [pick(random, WORDS), "t"] } : {}),
        ...(random() < 0.3 ? { labels: { [pick(random, WORDS)]: "1" } } : {}),
        ...(random() < 0.2 ? { note: null } : {}),
        ...(random() < 0.2 ? { nested: { note: pick(random, WORDS) } } : {}),
      });
  }
}

function templateOf(random: Random): Json {
  const container = (name: string): Json => ({
    name,
    image: `image:${pick(random, WORDS)}`,
    ...(random() < 0.4 ? { env: [{ name: pick(random, WORDS), value: "1" }] } : {}),
    ...(random() < 0.3 ? { ports: [{ containerPort: 80 + Math.floor(random() * 3) }] } : {}),
  });
  const names = random() < 0.5 ? ["main"] : ["main", "side"];
  return { metadata: { labels: { app: pick(random, WORDS) } }, spec: { containers: names.map(container) } };
}

function statusOf({ random, kind }: Place): string {
  return (kind === "widgets" || kind === "gadgets") && random() < 0.25 ? "/status" : "";
}

function collectionOf({ kind, namespace }: Place): string {
  return pathOf(kind, namespace);
}

function pathTo({ kind, namespace, name }: Place): string {
  return pathOf(kind, namespace, name);
}

function ageOf({ random }: Place): number {
  return random() < 0.8 ? 0 : 1;
}

function query(parameters: readonly string[]): string {
  return parameters.length === 0 ? "" : `?${parameters.join("&")}`;
}

function pick<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)] as T;
}
