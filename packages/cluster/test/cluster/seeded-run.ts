import { isRecord } from "@kubescaffold/platform";
import { FakeClock } from "@kubescaffold/platform/clock";

import { requestsOf } from "../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster } from "../../src/index.ts";

const META = { metadata: { name: "web" } };
const CONTAINERS = [{ name: "main", image: "web:1" }];
const DEPLOYMENT = {
  ...META,
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: "web" } },
    template: { metadata: { labels: { app: "web" } }, spec: { containers: CONTAINERS } },
  },
};
const SERVICE = { ...META, spec: { selector: { app: "web" }, type: "NodePort", ports: [{ port: 80 }] } };
const READ = [
  "/api/v1/pods",
  "/api/v1/services",
  "/api/v1/endpoints",
  "/api/v1/events",
  "/api/v1/configmaps",
  "/api/v1/serviceaccounts",
  "/api/v1/nodes",
  "/apis/apps/v1/deployments",
  "/apis/apps/v1/replicasets",
  "/apis/discovery.k8s.io/v1/endpointslices",
];

/**
 * Returns the state of a seeded cluster with simulated workloads after some requests and a simulated minute, without resourceVersions and generations, and with sorted
 * members and endpoints: controllers write concurrently, in any order, and may join what they write.
 */
export async function seededState(seed: string): Promise<string> {
  const clock = new FakeClock();
  const cluster = createEmbeddedCluster({ seed, clock, workloadSimulation: true });
  try {
    cluster.server.start();
    // Controllers load their code at first, for which the clock waits only so long.
    await cluster.server.idle();
    const requests = requestsOf(cluster.config);
    await clock.advance(5000);
    await requests.post("/apis/apps/v1/namespaces/default/deployments", DEPLOYMENT);
    await requests.post("/api/v1/namespaces/default/services", SERVICE);
    for (let index = 0; index < 3; index += 1)
      await requests.post("/api/v1/namespaces/default/configmaps", { metadata: { generateName: "made-" } });
    await clock.advance(60_000);
    await cluster.server.idle();
    const lists: unknown[] = [];
    for (const path of READ) lists.push((await requests.get(path)).body["items"]);
    return JSON.stringify(lists, (key, value: unknown) => (UNSTABLE.has(key) ? undefined : sorted(key, value)), 1);
  } finally {
    await cluster.close();
  }
}

const UNSTABLE: ReadonlySet<string> = new Set(["resourceVersion", "generation"]);

function sorted(key: string, value: unknown): unknown {
  if (key === "endpoints" && Array.isArray(value)) return value.map((each) => JSON.stringify(each)).toSorted();
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)))
    : value;
}
