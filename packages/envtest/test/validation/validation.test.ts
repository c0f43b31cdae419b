import { writeFileSync } from "node:fs";

import { printServerJson } from "@kubescaffold/k8s";
import { expect, it, onTestFinished } from "vitest";

import { seededRandom } from "../../src/conversion/random-value.ts";
import { Environment } from "../../src/environment/environment.ts";
import type { Json } from "../conformance/row.ts";
import { createComparedCluster } from "../conformance/selected-release.ts";
import { baseObjects, NAMESPACE, type BaseObject } from "./base-objects.ts";
import { differenceOf, keepRequest, type ServerPair, type ValidationDifference } from "./differences.ts";
import {
  CREATED_ONLY,
  named,
  randomRequest,
  type StoredBase,
  type StoredForms,
  type VariedRequest,
} from "./random-requests.ts";
import { HUNG_UP, ValidatedServer } from "./validated-server.ts";

// Without a number of requests, no real control plane is started: `npm run fuzz:validation` states both.
const REQUESTS = Number(process.env["VALIDATION_REQUESTS"] ?? 0);
const SEED = Number(process.env["VALIDATION_SEED"] ?? 1);
const KINDS = (process.env["VALIDATION_KINDS"] ?? "").split(",").filter((kind) => kind !== "");
const VERBS = (process.env["VALIDATION_VERBS"] ?? "").split(",").filter((verb) => verb !== "");
const AT_ONCE = 16;
// Different causes, after which a run ends.
const MOST = Number(process.env["VALIDATION_MOST"] ?? 20);
const TIMEOUT_MS = 24 * 60 * 60 * 1000;

async function startPair(): Promise<ServerPair> {
  const embedded = createComparedCluster();
  onTestFinished(() => embedded.close());
  embedded.server.start();
  const kubernetes = new Environment({ backend: "binaries", controllers: false, startTimeoutMs: 120_000 });
  onTestFinished(() => kubernetes.stop());
  return {
    embedded: new ValidatedServer(embedded.config),
    kubernetes: new ValidatedServer(await kubernetes.start()),
  };
}

async function createEverywhere(pair: ServerPair, path: string, body: Json): Promise<StoredForms> {
  const request = { method: "POST", path, contentType: "application/json", body, isRepeatable: false };
  const [embedded, kubernetes] = await Promise.all([pair.embedded.send(request), pair.kubernetes.send(request)]);
  for (const { status, body: created } of [embedded, kubernetes])
    if (status !== 201) throw new TypeError(`cannot create ${path}: ${JSON.stringify(created)}`);
  return { embedded: embedded.body, kubernetes: kubernetes.body };
}

async function storeBase(pair: ServerPair, base: BaseObject, index: number): Promise<StoredBase> {
  const stated = (base.object["metadata"] as Json | undefined)?.["name"] as string | undefined;
  const object = withAddresses(named(base.object, stated ?? `base-${String(index)}`), index);
  if (CREATED_ONLY.has(base.kind)) return { base, stored: { embedded: object, kubernetes: object } };
  const { embedded, kubernetes } = await createEverywhere(pair, base.path, object);
  return { base, stored: { embedded: asSent(embedded), kubernetes: asSent(kubernetes) } };
}

// The servers would choose other addresses and ports.
function withAddresses(object: Json, index: number): Json {
  const spec = object["spec"] as Json | undefined;
  if (object["kind"] !== "Service" || spec?.["type"] === "ExternalName") return object;
  const ports = (spec?.["ports"] ?? []) as readonly Json[];
  const hasNodePorts = spec?.["type"] === "NodePort" || spec?.["type"] === "LoadBalancer";
  const first = 31_000 + 10 * index;
  const given = hasNodePorts ? { ports: ports.map((port, at) => ({ ...port, nodePort: first + at })) } : {};
  return { ...object, spec: { clusterIP: `10.0.0.${String(100 + index)}`, ...spec, ...given } };
}

// Owners are recorded by each server, and the real one writes the status of its flow schemas.
function asSent(created: Json): Json {
  const { managedFields: _owners, resourceVersion, ...metadata } = created["metadata"] as Json;
  const isStable = !String(created["apiVersion"]).startsWith("flowcontrol.");
  return { ...created, metadata: { ...metadata, ...(isStable ? { resourceVersion } : {}) } };
}

// Later requests start from the objects that these leave.
async function keepRequests(
  pair: ServerPair,
  bases: readonly StoredBase[],
  requests: readonly VariedRequest[],
): Promise<readonly ValidationDifference[]> {
  const differences: ValidationDifference[] = [];
  for (const request of requests) {
    // Another request of the same batch may have changed the object.
    const stored = bases.find((candidate) => candidate.stored === request.stored);
    if (stored === undefined) continue;
    const kept = await keepRequest(pair, request);
    if (kept === undefined) continue;
    if ("signature" in kept) differences.push(kept);
    else stored.stored = { embedded: asSent(kept.embedded), kubernetes: asSent(kept.kubernetes) };
  }
  return differences;
}

it("requests are the same for the same seed", () => {
  const bases = baseObjects().map((base) => ({
    base,
    stored: { embedded: named(base.object, "a"), kubernetes: named(base.object, "a") },
  }));
  const take = (seed: number): unknown => {
    const random = seededRandom(seed);
    return Array.from({ length: 200 }, () => randomRequest(bases, random));
  };
  expect(take(1)).toEqual(take(1));
  expect(take(1)).not.toEqual(take(2));
});

it.each([
  { title: "a dry run is repeated", isRepeatable: true, calls: 3 },
  { title: "a write is sent once", isRepeatable: false, calls: 1 },
])("$title when its connection ends", async ({ isRepeatable, calls }) => {
  const sent: string[] = [];
  const server = new ValidatedServer({
    server: "http://server.invalid",
    transport: (request: Request) => {
      sent.push(request.method);
      return Promise.reject(Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }));
    },
  });
  const answer = await server.send({
    method: "PUT",
    path: "/a",
    contentType: "application/json",
    body: {},
    isRepeatable,
  });
  expect({ answer, calls: sent.length }).toEqual({ answer: HUNG_UP, calls });
});

// One run, or none where no real control plane is to be started.
const RUNS = REQUESTS > 0 ? [{ requests: REQUESTS, seed: SEED }] : [];

it.each(RUNS)(
  "both servers answer $requests requests with random objects from seed $seed on the same",
  { timeout: TIMEOUT_MS },
  async ({ requests, seed }) => {
    const pair = await startPair();
    await createEverywhere(pair, "/api/v1/namespaces", { metadata: { name: NAMESPACE } });
    const bases: StoredBase[] = [];
    for (const [index, base] of baseObjects(KINDS).entries()) bases.push(await storeBase(pair, base, index));
    const random = seededRandom(seed);
    const found = new Map<string, ValidationDifference & { count: number }>();
    for (let done = 0; done < requests && found.size < MOST; done += AT_ONCE) {
      const batch = Array.from({ length: Math.min(AT_ONCE, requests - done) }, () =>
        randomRequest(bases, random, VERBS),
      );
      const compared = await Promise.all(batch.map(async (request) => await differenceOf(pair, request)));
      const kept = batch.filter(({ isKept }, index) => isKept && compared[index] === undefined);
      for (const difference of [...compared, ...(await keepRequests(pair, bases, kept))]) {
        if (difference === undefined) continue;
        const { count } = found.get(difference.signature) ?? { count: 0 };
        found.set(difference.signature, { ...difference, count: count + 1 });
      }
    }
    const differences = [...found.values()].toSorted((left, right) => right.count - left.count);
    const output = process.env["VALIDATION_OUTPUT"];
    if (output !== undefined) writeFileSync(output, printServerJson(differences, 1));
    expect(differences).toEqual([]);
  },
);
