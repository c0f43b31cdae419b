// The workloads of compare.mjs, each for a server that is reached with a kubeconfig, or without one for a server in this process.
// usage: node bench/server/workloads.mjs WORKLOAD COUNT NAMESPACE [KUBECONFIG]; prints one line of JSON.
import { performance } from "node:perf_hooks";

import { createEmbeddedCluster } from "@kubescaffold/cluster";
import { defineKind } from "@kubescaffold/k8s";
import { ConfigMap, Namespace } from "@kubescaffold/k8s/core/v1";
import { createClient, getConfig } from "@kubescaffold/runtime";

import { inFlight, objectName, percentile, TEXT_OF_3_KB } from "../workload-parts.mjs";
import { installDefinition } from "./definition.mjs";

const IN_FLIGHT = 32;
const SPEC = { replicas: 3, minimum: 1, maximum: 5, image: "registry.example.com/team/app:v1", names: ["a", "b", "c"] };
const Rule = defineKind({ group: "bench.kubescaffold.dev", version: "v1" }, "Ruled");

const WORKLOADS = { create, rules };

const [, , workload, count, namespace, kubeconfig] = process.argv;
const config = kubeconfig === undefined ? await startInProcess() : await getConfig({ kubeconfig });
console.log(JSON.stringify(await WORKLOADS[workload]({ config, namespace, count: Number(count) })));
process.exit(0);

async function startInProcess() {
  const cluster = createEmbeddedCluster();
  await createClient(cluster.config).create(Namespace.create({ metadata: { name: namespace } }));
  if (workload === "rules") await installDefinition(cluster.config);
  return cluster.config;
}

// Creates ConfigMaps of about 3 KB, some at a time.
async function create({ config, namespace, count }) {
  const client = await connected(config, namespace);
  const startedAt = performance.now();
  await inFlight(count, IN_FLIGHT, (index) => client.create(configMap(namespace, index)));
  return { seconds: secondsSince(startedAt) };
}

// Creates and updates custom resources whose definition has five CEL rules, one at a time; the time is of one write.
async function rules({ config, namespace, count }) {
  const client = await connected(config, namespace);
  const durations = [];
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now();
    const created = await client.create(Rule.create({ metadata: { namespace, name: objectName(index) }, spec: SPEC }));
    const createdAt = performance.now();
    await client.update({ ...created, spec: { ...SPEC, replicas: SPEC.replicas + 1 } });
    durations.push(createdAt - startedAt, performance.now() - createdAt);
  }
  return { p50Ms: percentile(durations, 50) };
}

// Opens a connection and discovers the resources.
async function connected(config, namespace) {
  const client = createClient(config);
  await client.list(ConfigMap, { namespace, limit: 1 });
  return client;
}

function configMap(namespace, index) {
  return ConfigMap.create({ metadata: { namespace, name: objectName(index) }, data: { text: TEXT_OF_3_KB } });
}

function secondsSince(startedAt) {
  return (performance.now() - startedAt) / 1000;
}
