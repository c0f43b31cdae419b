import { fork } from "node:child_process";
import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { Environment } from "@kubescaffold/envtest";
import {
  type DeepReadonly,
  isConflict,
  isNotFound,
  namespacedNameToString,
  objectKey,
  type RestConfig,
} from "@kubescaffold/k8s";
import { Lease } from "@kubescaffold/k8s/coordination/v1";
import { ConfigMap, Secret } from "@kubescaffold/k8s/core/v1";
import { handledLater } from "@kubescaffold/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { newControllerManagedBy } from "../../src/builder/controller-builder.ts";
import type { Client, LiveClient } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { createRecordingLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import type { Manager, ManagerOptions } from "../../src/manager/manager.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { ofObject } from "../../src/predicate/predicate.ts";
import type { ReconcileFunction } from "../../src/reconcile/reconcile.ts";
import { interceptedConfig } from "../support/intercepted-config.ts";

const environment = new Environment();
let config: RestConfig;
let live: LiveClient;

beforeAll(async () => {
  config = await environment.start();
  live = createClient(config);
});

afterAll(async () => {
  await environment.stop();
});

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) {
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}

interface Operator {
  readonly manager: Manager;
  readonly stop: () => Promise<void>;
}

async function startOperator(
  reconcile: (client: Client) => ReconcileFunction,
  options: ManagerOptions = {},
  prefix: string = "",
): Promise<Operator> {
  const manager = await createManager(config, {
    logger: createRecordingLogger(0),
    metrics: { bindAddress: "0", registry: createMetricsRegistry() },
    ...options,
  });
  await newControllerManagedBy(manager)
    .for(ConfigMap, {
      predicates: [
        ofObject(({ metadata }) => metadata.namespace === "default" && (metadata.name ?? "").startsWith(prefix)),
      ],
    })
    .owns(Secret)
    .complete(reconcile(manager.getClient()));
  const stopping = new AbortController();
  const running = handledLater(manager.start(stopping.signal));
  return {
    manager,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

function configMap(name: string, data: Record<string, string> = {}): ConfigMap {
  return ConfigMap.create({ metadata: { namespace: "default", name }, data });
}

describe("an operator against an API server", () => {
  it("row 45: creates the child of an object, and recreates it when it is deleted or changed", async () => {
    const operator = await startOperator(
      (client) => async (key, context) => {
        let owner: DeepReadonly<ConfigMap>;
        try {
          owner = await client.get(ConfigMap, key);
        } catch (error) {
          if (isNotFound(error)) return;
          throw error;
        }
        const reference = {
          apiVersion: "v1",
          kind: "ConfigMap",
          name: key.name,
          uid: owner.metadata.uid ?? "",
          controller: true,
        };
        const data = { value: Buffer.from(owner.data?.["value"] ?? "").toString("base64") };
        const wanted = Secret.create({ metadata: { ...key, ownerReferences: [reference] }, data });
        const current = await live.get(Secret, key).catch(() => undefined);
        context.log.debug("comparing", { current });
        if (current === undefined) await client.create(wanted);
        else if (current.data?.["value"] !== data.value) await client.update({ ...current, data });
      },
      {},
      "owner",
    );
    const key = { namespace: "default", name: "owner" };
    const secretValue = async (): Promise<string | undefined> =>
      (await live.get(Secret, key).catch(() => undefined))?.data?.["value"];
    const encoded = Buffer.from("one").toString("base64");
    await live.create(configMap("owner", { value: "one" }));
    await until(async () => (await secretValue()) === encoded);
    await live.delete(await live.get(Secret, key));
    await until(async () => (await secretValue()) === encoded);
    await live.update({ ...(await live.get(Secret, key)), data: { value: Buffer.from("drift").toString("base64") } });
    await until(async () => (await secretValue()) === encoded);
    expect((await live.get(Secret, key)).metadata.ownerReferences).toHaveLength(1);
    await operator.stop();
    // Other operators would reconcile the owner of the secret.
    await live.delete(await live.get(Secret, key));
  });

  it("row 8: a reconciliation reads at least the version of the event it came of", async () => {
    const told = new Map<string, number>();
    const stale: string[] = [];
    let reconciliations = 0;
    const manager = await createManager(config, {
      logger: createRecordingLogger(0),
      metrics: { bindAddress: "0", registry: createMetricsRegistry() },
    });
    await newControllerManagedBy(manager)
      .for(ConfigMap, {
        predicates: [
          ofObject(({ metadata }) => {
            told.set(namespacedNameToString(objectKey({ metadata })), Number(metadata.resourceVersion));
            return true;
          }),
        ],
      })
      .complete(async (key) => {
        reconciliations += 1;
        const atLeast = told.get(namespacedNameToString(key)) ?? 0;
        const read = await manager.getClient().get(ConfigMap, key);
        if (Number(read.metadata.resourceVersion) < atLeast) stale.push(key.name);
      });
    const stopping = new AbortController();
    const running = manager.start(stopping.signal);
    await manager.elected;
    let current = await live.create(configMap("busy"));
    for (let update = 0; update < 500; update += 1) {
      current = await live.update({ ...current, data: { update: String(update) } });
      // Requests in the process need no turn of the event loop, in which reconciliations run.
      await turn();
    }
    await until(() => told.get("default/busy") === Number(current.metadata.resourceVersion));
    stopping.abort();
    await running;
    expect(stale).toEqual([]);
    expect(reconciliations).toBeGreaterThan(50);
  });

  it("row 11: the last events are written after the lease was released", async () => {
    const writes: string[] = [];
    const recorded = interceptedConfig(config, async (request, send) => {
      const resource = /\/(leases|events)\b/u.exec(request.url)?.[1];
      const about = `${request.url} ${await request.clone().text()}`;
      const answer = await send(request);
      if (
        request.method !== "GET" &&
        (resource === "leases" || (resource === "events" && about.includes("eventful")))
      ) {
        writes.push(`${request.method} ${resource}`);
      }
      return answer;
    });
    const manager = await createManager(recorded, {
      logger: createRecordingLogger(0),
      metrics: { bindAddress: "0", registry: createMetricsRegistry() },
      leaderElection: true,
      leaderElectionId: "row-11",
      leaderElectionNamespace: "default",
      leaderElectionReleaseOnCancel: true,
    });
    const regarding = await live.create(configMap("eventful"));
    const stopping = new AbortController();
    const running = manager.start(stopping.signal);
    await manager.elected;
    const recorder = manager.getEventRecorder("test");
    const event = { type: "Normal", reason: "Tested", action: "Test", note: "again" } as const;
    recorder.event(regarding, event);
    await until(() => writes.includes("POST events"));
    recorder.event(regarding, event);
    await until(() => writes.includes("PATCH events"));
    recorder.event(regarding, event);
    writes.length = 0;
    stopping.abort();
    await running;
    expect(writes).toContain("PUT leases");
    expect(writes.indexOf("PATCH events")).toBeGreaterThan(writes.lastIndexOf("PUT leases"));
  });

  it("row 12: after the signal a running reconcile completes, including cache reads, and none starts", async () => {
    const log: string[] = [];
    let finish = (): void => undefined;
    const operator = await startOperator(
      (client) => async (key) => {
        log.push(`begin ${key.name}`);
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        const read = await client.get(ConfigMap, key);
        log.push(`end ${read.metadata.name ?? ""}`);
      },
      {},
      "graceful",
    );
    await live.create(configMap("graceful-a"));
    await until(() => log.length === 1);
    await live.create(configMap("graceful-b"));
    const stopped = operator.stop();
    finish();
    await stopped;
    expect(log).toEqual(["begin graceful-a", "end graceful-a"]);
  });

  it("row 26: a write on top of an outdated read is a conflict, and the reconciliation comes again", async () => {
    const outcomes: boolean[] = [];
    const outdated = await live.create(configMap("conflict", { step: "0" }));
    await live.update({ ...outdated, data: { step: "1" } });
    const operator = await startOperator(
      (client) => async (key) => {
        const read = outcomes.length === 0 ? outdated : await live.get(ConfigMap, key);
        if (read.data?.["step"] === "2") return;
        try {
          await client.update({ ...read, data: { step: "2" } });
        } catch (error) {
          outcomes.push(isConflict(error));
          throw error;
        }
      },
      {},
      "conflict",
    );
    const key = { namespace: "default", name: "conflict" };
    await until(async () => (await live.get(ConfigMap, key)).data?.["step"] === "2");
    expect(outcomes).toEqual([true]);
    await operator.stop();
  });

  it("rows 31 and 35: one of two leads, the other serves its probes; at a clean stop the lease is free and the other leads", async () => {
    const log: string[] = [];
    const election: ManagerOptions = {
      leaderElection: true,
      leaderElectionId: "row-31",
      leaderElectionNamespace: "default",
      leaderElectionReleaseOnCancel: true,
      leaseDurationMs: 15_000,
      renewDeadlineMs: 10_000,
      retryPeriodMs: 50,
      healthProbeBindAddress: "127.0.0.1:0",
    };
    const reconcile = (who: string) => () => async () => {
      log.push(who);
    };
    await live.create(configMap("election"));
    const first = await startOperator(reconcile("first"), election, "election");
    await first.manager.elected;
    await until(() => log.length > 0);
    const second = await startOperator(reconcile("second"), election, "election");
    const answer = await fetch(`http://127.0.0.1:${String(second.manager.ports.health)}/readyz`);
    expect([answer.status, await answer.text()]).toEqual([200, "ok"]);
    expect(new Set(log)).toEqual(new Set(["first"]));
    await first.stop();
    await second.manager.elected;
    await until(() => log.includes("second"));
    await second.stop();
    const lease = await live.get(Lease, { namespace: "default", name: "row-31" });
    expect(lease.spec?.holderIdentity ?? "").toBe("");
  });

  it("row 50: after 100 starts and stops the process ends by itself", { timeout: 120_000 }, async () => {
    const program = fileURLToPath(new URL("start-and-stop.ts", import.meta.url));
    await live.create(configMap("only"));
    const child = fork(program, [JSON.stringify(await environment.listen())], {
      execArgv: ["--import", "tsx", "--conditions", "@kubescaffold/source", "--expose-gc"],
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    let errors = "";
    child.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    let report: { readonly heapGrowthBytes: number } | undefined;
    child.on("message", (message) => {
      report = message as typeof report;
      child.disconnect();
    });
    const status = await new Promise((resolve) => {
      child.on("exit", (code) => resolve(code));
    });
    expect(errors).toBe("");
    expect(status).toBe(0);
    expect(report?.heapGrowthBytes).toBeLessThan(1_000_000);
  });
});
