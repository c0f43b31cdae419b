import { Environment } from "@kubescaffold/envtest";
import { defineKind, isAlreadyExists, isNotFound, type Kind, type RestConfig } from "@kubescaffold/k8s";
import { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { newControllerManagedBy } from "../../src/builder/controller-builder.ts";
import type { Client } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { isNoMatch } from "../../src/discovery/errors.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";

const ROUNDS = ["round-0", "round-1", "round-2", "round-3"];
const MOST_ATTEMPTS = 500;

const environment = new Environment();
let config: RestConfig;
beforeAll(async () => {
  config = await environment.start();
});
afterAll(() => environment.stop());

const lateOf = (group: string): Kind<KubernetesObject> =>
  defineKind<KubernetesObject>({ group, version: "v1" }, "Late");

const definitionOf = (group: string): CustomResourceDefinition =>
  CustomResourceDefinition.create({
    metadata: { name: `lates.${group}` },
    spec: {
      group,
      names: { kind: "Late", plural: "lates" },
      scope: "Cluster",
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
  });

async function removeDefinition(client: Client, group: string): Promise<void> {
  for (;;) {
    try {
      await client.delete(definitionOf(group));
    } catch (error) {
      if (isNotFound(error)) return;
      throw error;
    }
  }
}

// A server answers the create of a definition before it serves the kind: kube-apiserver refuses the first object in each round, too.
describe("a kind that is deleted and recreated", () => {
  it("is served after some requests, also to a client that waits for nothing else", async () => {
    const group = "late.demo";
    const client = createClient(config);
    const failures: unknown[][] = [];
    for (const name of ROUNDS) {
      await removeDefinition(client, group);
      await client.create(definitionOf(group));
      const failed: unknown[] = [];
      while (failed.length < MOST_ATTEMPTS) {
        try {
          await client.create(lateOf(group).create({ metadata: { name } }));
          break;
        } catch (error) {
          failed.push(error);
        }
      }
      failures.push(failed);
    }
    expect(failures.map(({ length }) => length < MOST_ATTEMPTS)).toEqual(ROUNDS.map(() => true));
    expect(failures.flat().filter((error) => !isNoMatch(error) && !isNotFound(error))).toEqual([]);
  });

  it("is created by the retries of a controller that installs it", async () => {
    const group = "controlled.demo";
    const manager = await createManager(config, {
      logger: silentLogger,
      metrics: { bindAddress: "0" },
      leaderElection: false,
    });
    const client = createClient(config);
    const created: string[] = [];
    const failures: unknown[] = [];
    await newControllerManagedBy(manager)
      .for(ConfigMap)
      .named("recreated-kinds")
      .complete(async ({ name }) => {
        if (!ROUNDS.includes(name) || created.includes(name)) return;
        await client.create(definitionOf(group)).catch((error: unknown) => {
          if (!isAlreadyExists(error)) throw error;
        });
        try {
          await client.create(lateOf(group).create({ metadata: { name } }));
        } catch (error) {
          failures.push(error);
          throw error;
        }
        created.push(name);
      });
    const stop = new AbortController();
    const running = manager.start(stop.signal);
    const user = createClient(config);
    for (const name of ROUNDS) {
      await removeDefinition(user, group);
      await user.create(ConfigMap.create({ metadata: { name, namespace: "default" } }));
      await expect.poll(() => created, { timeout: 20_000 }).toContain(name);
    }
    stop.abort();
    await running;
    expect(failures.filter((error) => !isNoMatch(error) && !isNotFound(error))).toEqual([]);
  });
});
