import { gvkOf } from "@kubescaffold/k8s";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { createClient, patch, silentLogger, type LiveClient } from "@kubescaffold/runtime";
import { expect, it, onTestFinished } from "vitest";

import { seededRandom } from "../../../src/conversion/random-value.ts";
import { Environment } from "../../../src/environment/environment.ts";
import { createFakeClient } from "../../../src/fake-client/fake-client.ts";
import { widgetDefinition } from "../sample-kinds.ts";
import { randomCall, randomObjects } from "./random-calls.ts";
import { LAST, Transcript } from "./transcript.ts";

const RUNS = Number(process.env["KUBESCAFFOLD_PROPERTY_RUNS"] ?? 16);
const FIRST_SEED = Number(process.env["KUBESCAFFOLD_PROPERTY_SEED"] ?? 1);
const CALLS = 60;
const TIMEOUT_MS = 180_000;

// The full server with RBAC and admission; a fake client has no controllers.
async function startFullServer(objects: readonly KubernetesObject[]): Promise<LiveClient> {
  const environment = new Environment({ controllers: false, crds: [widgetDefinition()] });
  onTestFinished(() => environment.stop());
  const client = createClient(await environment.start(), { log: silentLogger });
  for (const object of objects) {
    // Objects that a fake client starts with have no owners of fields.
    const created = await client.patch(withoutOwners(await client.create(object)), patch.merge());
    const { status } = object as { readonly status?: unknown };
    if (status !== undefined) await client.status().update({ ...created, status } as KubernetesObject);
  }
  return client;
}

function withoutOwners({ apiVersion, kind, metadata: { name = "", namespace } }: KubernetesObject): KubernetesObject {
  return {
    apiVersion,
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), managedFields: [{}] },
  };
}

// The watch cache of a kind holds no events from before its first request.
async function versionNow(client: LiveClient): Promise<string> {
  const lists = await Promise.all(LAST.map(async (object) => await client.list(gvkOf(object))));
  const versions = lists.map(({ metadata }) => Number(metadata.resourceVersion));
  return String(Math.max(...versions));
}

it.each(Array.from({ length: RUNS }, (_, index) => FIRST_SEED + index))(
  "row 86: the fake client and the full server do the same with the calls of seed %i",
  async (seed) => {
    const random = seededRandom(seed);
    const objects = randomObjects(random);
    const full = await startFullServer(objects);
    // The calls list ConfigMaps of all namespaces.
    const { items } = await full.list(ConfigMap, { namespace: "kube-system" });
    const fake = createFakeClient({ objects: [...items, ...objects], crds: [widgetDefinition()] });
    const [ofFake, ofFull] = [new Transcript(fake), new Transcript(full)];
    const [fakeStart, fullStart] = [await versionNow(fake), await versionNow(full)];
    for (let index = 0; index < CALLS; index += 1) {
      const call = randomCall(random);
      const outcome = await ofFake.outcomeOf(call);
      expect({ seed, index, call, outcome }).toEqual({ seed, index, call, outcome: await ofFull.outcomeOf(call) });
    }
    expect(await ofFake.eventsSince(fakeStart, LAST)).toEqual(await ofFull.eventsSince(fullStart, LAST));
  },
  TIMEOUT_MS,
);

it("the calls have results and errors of all kinds", async () => {
  const random = seededRandom(FIRST_SEED);
  const transcript = new Transcript(createFakeClient({ objects: randomObjects(random), crds: [widgetDefinition()] }));
  const seen = new Set<string>();
  for (let index = 0; index < 1500; index += 1) {
    const call = randomCall(random);
    const outcome = JSON.stringify(await transcript.outcomeOf(call));
    const reason = /\\"reason\\":\\"(\w+)\\"/u.exec(outcome)?.[1];
    seen.add(`${call.verb} ${!outcome.startsWith('{"error"') ? "succeeds" : (reason ?? "fails")}`);
  }
  const verbs = ["get", "list", "create", "update", "patch", "apply", "delete", "deleteAllOf", "getScale", "setScale"];
  const errors = [
    "get NotFound",
    "list BadRequest",
    "create AlreadyExists",
    "create Invalid",
    "create NotFound",
    "update Conflict",
    "update Invalid",
    "update NotFound",
    "patch Conflict",
    "patch NotFound",
    "patch fails",
    "apply Conflict",
    "apply Invalid",
    "delete Conflict",
    "delete NotFound",
  ];
  const missing = [...verbs.map((verb) => `${verb} succeeds`), ...errors].filter((outcome) => !seen.has(outcome));
  expect(missing).toEqual([]);
});
