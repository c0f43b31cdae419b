import { Environment } from "@kubescaffold/envtest";
import type { RestConfig } from "@kubescaffold/k8s";
import { ConfigMap, Secret } from "@kubescaffold/k8s/core/v1";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it, onTestFinished, vi } from "vitest";

import type { Client } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import * as controllerutil from "../../src/controllerutil/controllerutil.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import { type Operator, operator } from "../../src/operator/operator.ts";

const LIVENESS_MS = 30_000;
const environment = new Environment();
let config: RestConfig;
let client: Client;

beforeAll(async () => {
  config = await environment.start();
  client = createClient(config);
});

afterAll(async () => environment.stop());

// Runs an operator with the manager of the test, until the test ends.
async function start(started: Operator): Promise<void> {
  const manager = await createManager(config, { metrics: { bindAddress: "0" }, logger: silentLogger });
  await started.setupWithManager(manager);
  const stop = new AbortController();
  const ended = manager.start(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
}

async function eventually(check: () => Promise<void> | void): Promise<void> {
  await vi.waitFor(check, { timeout: LIVENESS_MS, interval: 10 });
}

describe("an operator", () => {
  it("runs for existing objects and after changes, and not for deleted ones", async () => {
    await client.create(ConfigMap.create({ metadata: { name: "before", namespace: "default" } }));
    const seen: string[] = [];
    await start(
      operator(
        ConfigMap,
        async ({ metadata, data }, { log, signal, client: own, recorder }) => {
          expectTypeOf(metadata.name).toEqualTypeOf<string>();
          if (metadata.namespace !== "default" || metadata.name === "kube-root-ca.crt") return;
          const read = await own.get(ConfigMap, metadata);
          log.info("seen");
          const note = data?.["value"] ?? "";
          recorder.event(read, { type: "Normal", reason: "Seen", action: "See", note });
          seen.push(`${metadata.name} ${note} ${String(signal.aborted)}`);
        },
        { name: "configmaps-seen" },
      ),
    );
    await eventually(() => expect(seen).toContain("before  false"));
    const after = await client.create(ConfigMap.create({ metadata: { name: "after", namespace: "default" } }));
    await eventually(() => expect(seen).toContain("after  false"));
    await client.update({ ...after, data: { value: "1" } });
    await eventually(() => expect(seen).toContain("after 1 false"));
    const count = seen.length;
    await client.delete(after);
    await client.create(ConfigMap.create({ metadata: { name: "last", namespace: "default" } }));
    await eventually(() => expect(seen).toContain("last  false"));
    expect(seen.slice(count).filter((each) => each.startsWith("after"))).toEqual([]);
  });

  it("has further controllers, and runs again for owned objects and after errors", async () => {
    let failures = 1;
    const types: string[] = [];
    await start(
      operator(
        ConfigMap,
        async (configMap, context) => {
          if (configMap.metadata.labels?.["app"] !== "owner") return;
          if (failures-- > 0) throw new Error("once");
          const { name, namespace } = configMap.metadata;
          await controllerutil.createOrUpdate(
            context.client,
            Secret.create({ metadata: { name, namespace } }),
            (secret) => controllerutil.setControllerReference(configMap, { ...secret, stringData: { from: name } }),
          );
        },
        { name: "owners", owns: [Secret], predicates: [] },
      ).and(Secret, ({ metadata, type = "" }) => void types.push(`${metadata.name} ${type}`), { name: "owned" }),
    );
    const metadata = { name: "mine", namespace: "default", labels: { app: "owner" } };
    await client.create(ConfigMap.create({ metadata }));
    await eventually(() => expect(types).toContain("mine Opaque"));
    const { metadata: first } = await client.get(Secret, metadata);
    await client.delete(await client.get(Secret, metadata));
    await eventually(async () => expect((await client.get(Secret, metadata)).metadata.uid).not.toBe(first.uid));
  });
});
