import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { Environment } from "@kubescaffold/envtest";
import type { RestConfig } from "@kubescaffold/k8s";
import { Lease } from "@kubescaffold/k8s/coordination/v1";
import { ConfigMap, Namespace } from "@kubescaffold/k8s/core/v1";
import { afterAll, beforeAll, expect, it, vi } from "vitest";

import type { Client } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";

const OBJECTS = 18;
const environment = new Environment({ backend: "embedded" });
const programs = new Map<string, ChildProcess>();
let config: RestConfig;
let client: Client;

beforeAll(async () => {
  await environment.start();
  config = await environment.listen();
  client = createClient(environment.config);
  await client.create(Namespace.create({ metadata: { name: "records" } }));
  for (let index = 0; index < OBJECTS; index += 1) {
    const metadata = { namespace: "default", name: `object-${String(index)}`, labels: { work: "true" } };
    await client.create(ConfigMap.create({ metadata }));
  }
});

afterAll(async () => {
  for (const program of programs.values()) program.kill("SIGKILL");
  await environment.stop();
});

function start(replica: string): void {
  const file = fileURLToPath(new URL("sharded-replica.ts", import.meta.url));
  programs.set(
    replica,
    fork(file, [JSON.stringify(config), replica], {
      execArgv: ["--import", "tsx", "--conditions", "@kubescaffold/source"],
    }),
  );
}

interface Entry {
  readonly object: string;
  readonly replica: string;
  readonly phase: string;
}

// In the order of the server.
async function history(): Promise<readonly Entry[]> {
  const { items } = await client.list(ConfigMap, { namespace: "records", labelSelector: "record" });
  return items
    .toSorted((left, right) => Number(left.metadata.resourceVersion) - Number(right.metadata.resourceVersion))
    .map(({ metadata }) => ({
      object: metadata.labels?.["record"] ?? "",
      replica: metadata.labels?.["replica"] ?? "",
      phase: metadata.labels?.["phase"] ?? "",
    }));
}

async function holders(): Promise<readonly (string | undefined)[]> {
  const { items } = await client.list(Lease, {
    namespace: "default",
    labelSelector: "kubescaffold.dev/sharding-role=shard",
  });
  return items.map(({ spec }) => spec?.holderIdentity);
}

/** Resolves when each object was reconciled since, and shards are spread over a number of replicas. */
async function settled(replicas: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const held = await holders();
      expect(held).toHaveLength(6);
      expect(held).not.toContain("");
      expect(new Set(held).size).toBe(replicas);
    },
    { timeout: 60_000, interval: 250 },
  );
  const from = (await history()).length;
  await vi.waitFor(
    async () => {
      const done = (await history()).slice(from).filter(({ phase }) => phase === "end");
      expect(new Set(done.map(({ object }) => object)).size).toBe(OBJECTS);
    },
    { timeout: 60_000, interval: 250 },
  );
}

it(
  "guarantee 18: each object is reconciled by one replica at a time while replicas come, stop, are killed, and are suspended",
  { timeout: 300_000 },
  async () => {
    for (const replica of ["a", "b", "c"]) start(replica);
    await settled(3);

    // A replica that stops hands its shards over at once.
    const c = programs.get("c");
    const exited = c === undefined ? Promise.resolve([]) : once(c, "exit");
    c?.kill("SIGTERM");
    expect((await exited)[0]).toBe(0);
    await settled(2);

    // A replica that comes gets its part.
    start("d");
    await settled(3);

    // A replica that is killed loses its shards when their leases have expired.
    programs.get("a")?.kill("SIGKILL");
    await settled(2);

    // A suspended replica continues its reconciles after others have taken over; its writes are refused.
    const d = programs.get("d");
    d?.kill("SIGSTOP");
    await settled(1);
    d?.kill("SIGCONT");
    await settled(2);

    const entries = await history();
    const open = new Map<string, string>();
    const overlaps: string[] = [];
    const unfinished: string[] = [];
    for (const [index, { object, replica, phase }] of entries.entries()) {
      const holder = open.get(object);
      if (phase === "start") {
        // A replica that lost its lease cannot record the end.
        if (holder !== undefined) unfinished.push(holder);
        open.set(object, replica);
      } else {
        if (holder !== replica)
          overlaps.push(`${String(index)}: ${object} was ended by ${replica}, not ${String(holder)}`);
        open.delete(object);
      }
    }
    expect(overlaps).toEqual([]);
    // It was stopped, and ended its reconciles before it released its shards.
    expect(unfinished).not.toContain("c");
    expect(new Set(entries.map(({ replica }) => replica))).toEqual(new Set(["a", "b", "c", "d"]));
  },
);
