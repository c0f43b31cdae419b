import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";

import { Environment } from "@kubescaffold/envtest";
import { Binding, Event, Node, Pod, type PodSpec } from "@kubescaffold/k8s/core/v1";
import { PriorityClass } from "@kubescaffold/k8s/scheduling/v1";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import type { Client } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { silentLogger as log } from "../../src/log/logger.ts";
import type {
  FilterHandler,
  PreemptionRequest,
  PrioritizeHandler,
} from "../../src/webhook/scheduler-extender/extender-handlers.ts";
import {
  bindWebhook,
  filterWebhook,
  preemptWebhook,
  prioritizeWebhook,
} from "../../src/webhook/scheduler-extender/extender-webhooks.ts";
import type { WebhookHandler } from "../../src/webhook/webhook-handler.ts";
import { serveWebhooks } from "./support/webhook-on-loopback.ts";

// The embedded server's scheduler has no extenders.
const isReal = process.env["KUBESCAFFOLD_ENVTEST_BACKEND"] === "binaries";
const ASSETS = process.env["KUBEBUILDER_ASSETS"] ?? "";
const LIVENESS = { timeout: 120_000 };
const WAIT = { timeout: 60_000, interval: 100 };
const NODES = ["node-1", "node-2", "node-3"];

const filter: FilterHandler = ({ pod, nodeNames }) => {
  if (pod.metadata.name === "broken") throw new Error("no license server");
  const nodes = nodeNames.filter((name) => name !== "node-1");
  if (pod.metadata.name !== "nowhere") return { nodeNames: nodes, failed: { "node-1": "no license" } };
  return { nodeNames: [], failed: Object.fromEntries(nodeNames.map((name) => [name, "no license"])) };
};

const prioritize: PrioritizeHandler = () => ({ "node-2": 0, "node-3": 10 });

describe.skipIf(!isReal).each([false, true])(
  "an extender of kube-scheduler, nodeCacheCapable: %s",
  LIVENESS,
  (nodeCacheCapable) => {
    it("decides which node a Pod gets", async () => {
      const client = await startCluster();
      const bound: string[] = [];
      await startScheduler(nodeCacheCapable, {
        filter: filterWebhook({ handler: filter, log }),
        prioritize: prioritizeWebhook({ handler: prioritize, log }),
        bind: bindWebhook({
          log,
          handler: async ({ namespace, name, nodeName }) => {
            bound.push(`${name} on ${nodeName}`);
            const target = { kind: "Node", name: nodeName, apiVersion: "v1" };
            const pod = Pod.create({ metadata: { namespace, name } });
            await client.subResource("binding").create(pod, Binding.create({ metadata: { namespace, name }, target }));
          },
        }),
      });
      await client.create(podOf("web"));
      await vi.waitFor(async () => {
        expect((await client.get(Pod, { namespace: "default", name: "web" })).spec?.nodeName).toBe("node-3");
      }, WAIT);
      expect(bound).toEqual(["web on node-3"]);
      await client.create(podOf("nowhere"));
      await client.create(podOf("broken"));
      await vi.waitFor(async () => {
        const { items } = await client.list(Event, { namespace: "default" });
        const messages = items.map(({ message }) => message).join("\n");
        expect(messages).toContain("0/3 nodes are available: 3 no license.");
        expect(messages).toContain("no license server");
      }, WAIT);
    });

    it("decides on which node Pods are preempted", async () => {
      const client = await startCluster();
      await client.create(PriorityClass.create({ metadata: { name: "urgent" }, value: 1000 }));
      const asked: PreemptionRequest[] = [];
      await startScheduler(nodeCacheCapable, {
        preempt: preemptWebhook({
          log,
          handler: (request) => {
            asked.push(request);
            return new Map([...request.victims].filter(([name]) => name === "node-2"));
          },
        }),
      });
      const requests = { cpu: "4" };
      for (const name of NODES) await client.create(podOf(`low-on-${name}`, { requests, nodeName: name }));
      await client.create(podOf("important", { requests, priorityClassName: "urgent" }));
      await vi.waitFor(async () => {
        const { items } = await client.list(Pod, { namespace: "default" });
        const deleted = items.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
        expect(deleted.map(({ metadata }) => metadata.name)).toEqual(["low-on-node-2"]);
      }, WAIT);
      const [{ pod, victims, pods }] = asked as [PreemptionRequest];
      expect(pod.metadata.name).toBe("important");
      expect([...victims.keys()].sort()).toEqual(NODES);
      const names = [...pods.values()].map(({ metadata }) => metadata.name ?? "").sort();
      expect(names).toEqual(nodeCacheCapable ? [] : NODES.map((name) => `low-on-${name}`));
    });
  },
);

let environment: Environment;

async function startCluster(): Promise<Client> {
  environment = new Environment({ backend: "binaries", controllers: false });
  onTestFinished(async () => await environment.stop());
  const client = createClient(await environment.start());
  await createNodes(client);
  return client;
}

function podOf(
  name: string,
  { requests, ...spec }: { readonly requests?: { readonly cpu: string } } & Partial<PodSpec> = {},
): Pod {
  const container = { name: "c", image: "busybox:1", ...(requests === undefined ? {} : { resources: { requests } }) };
  return Pod.create({ metadata: { namespace: "default", name }, spec: { ...spec, containers: [container] } });
}

async function createNodes(client: Client): Promise<void> {
  for (const name of NODES) {
    const node = await client.create(Node.create({ metadata: { name } }));
    const allocatable = { cpu: "4", memory: "8Gi", pods: "10" };
    const ready = await client.status().update({ ...node, status: { allocatable, capacity: allocatable } });
    // Admission taints new nodes, and no controller of nodes removes it here.
    await client.update({ ...ready, spec: { ...ready.spec, taints: [] } });
  }
}

/** Starts kube-scheduler until the end of the test, with an extender that has these verbs. */
async function startScheduler(
  nodeCacheCapable: boolean,
  webhooks: Readonly<Record<string, WebhookHandler>>,
): Promise<void> {
  const verbs = Object.keys(webhooks);
  const { url, ca, folder } = await serveWebhooks(
    Object.fromEntries(Object.entries(webhooks).map(([verb, webhook]) => [`/extender/${verb}`, webhook])),
  );
  const kubeconfig = path.join(folder, "scheduler.kubeconfig");
  await environment.writeKubeconfig(kubeconfig);
  const extender = {
    urlPrefix: `${url}/extender`,
    ...Object.fromEntries(verbs.map((verb) => [`${verb}Verb`, verb])),
    weight: 100,
    enableHTTPS: true,
    tlsConfig: { caData: Buffer.from(ca).toString("base64") },
    nodeCacheCapable,
  };
  const file = path.join(folder, "scheduler.json");
  const config = {
    apiVersion: "kubescheduler.config.k8s.io/v1",
    kind: "KubeSchedulerConfiguration",
    clientConnection: { kubeconfig },
    leaderElection: { leaderElect: false },
    extenders: [extender],
  };
  await writeFile(file, JSON.stringify(config));
  const scheduler = spawn(path.join(ASSETS, "kube-scheduler"), [`--config=${file}`, "--secure-port=0"], {
    stdio: "ignore",
  });
  onTestFinished(async () => {
    scheduler.kill();
    if (scheduler.exitCode === null) await once(scheduler, "exit");
  });
}
