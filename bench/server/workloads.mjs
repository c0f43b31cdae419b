// The workloads of compare.mjs, each for a server that is reached with a kubeconfig, or without one for a server in this process.
// usage: node bench/server/workloads.mjs WORKLOAD COUNT NAMESPACE [KUBECONFIG]; prints one line of JSON.
import { once } from "node:events";
import https from "node:https";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

import { createEmbeddedCluster } from "@kubescaffold/apiserver";
import { defineKind } from "@kubescaffold/k8s";
import { ConfigMap, Namespace } from "@kubescaffold/k8s/core/v1";
import { createClient, getConfig } from "@kubescaffold/runtime";

import { inFlight, objectName, percentile, TEXT_OF_3_KB } from "../workload-parts.mjs";
import { installDefinition } from "./definition.mjs";

const IN_FLIGHT = 32;
const APPLIES_IN_FLIGHT = 8;
const WATCHERS = 100;
const RATE_PER_SECOND = 1000;
const LISTS = 5;
const WARM_UP = 3000;
const NEWLINE = 10;
const SPEC = { replicas: 3, minimum: 1, maximum: 5, image: "registry.example.com/team/app:v1", names: ["a", "b", "c"] };
const Rule = defineKind({ group: "bench.kubescaffold.dev", version: "v1" }, "Ruled");

const WORKLOADS = { create, list, watch, apply, rules, latency };

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

// Reads a list of ConfigMaps at once, without parsing it.
async function list({ config, namespace }) {
  const agent = agentOf(config);
  const durations = [];
  for (let round = 0; round < LISTS; round += 1) {
    const startedAt = performance.now();
    const response = await get(config, `/api/v1/namespaces/${namespace}/configmaps`, agent);
    let bytes = 0;
    for await (const chunk of response) bytes += chunk.length;
    if (response.statusCode !== 200) throw new Error(`the list was answered with ${String(response.statusCode)}`);
    durations.push({ seconds: secondsSince(startedAt), bytes });
  }
  return durations.toSorted((one, other) => one.seconds - other.seconds)[Math.floor(LISTS / 2)];
}

// Creates ConfigMaps until each of the watchers has received all of them; the watchers count lines without parsing.
async function watch({ config, namespace, count }) {
  const client = await connected(config, namespace);
  const watchers = await Promise.all(Array.from({ length: WATCHERS }, () => watchConfigMaps(config, namespace, count)));
  const startedAt = performance.now();
  await inFlight(count, IN_FLIGHT, (index) => client.create(configMap(namespace, index)));
  await Promise.all(watchers.map(({ complete }) => complete));
  const measured = { seconds: secondsSince(startedAt) };
  for (const { close } of watchers) close();
  return measured;
}

// A watch that starts at the present, and completes with the given number of events.
async function watchConfigMaps(config, namespace, count) {
  const response = await get(
    config,
    `/api/v1/namespaces/${namespace}/configmaps?watch=true&resourceVersion=0&timeoutSeconds=600`,
    new https.Agent(tlsOf(config)),
  );
  let remaining = count;
  const complete = new Promise((resolve, reject) => {
    response.on("data", (chunk) => {
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) remaining -= 1;
      if (remaining <= 0) resolve();
    });
    response.on("end", () => reject(new Error(`a watch ended ${String(remaining)} events too early`)));
  });
  return { complete, close: () => response.destroy() };
}

// Applies each object twice, with another value.
async function apply({ config, namespace, count }) {
  const client = await connected(config, namespace);
  const startedAt = performance.now();
  for (const text of ["first", "second"]) {
    await inFlight(count, APPLIES_IN_FLIGHT, (index) =>
      client.apply({ ...configMap(namespace, index), data: { text, other: TEXT_OF_3_KB } }, { fieldOwner: "bench" }),
    );
  }
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

// Sends creates at a steady rate, and measures the time of each from the moment at which it was due.
async function latency({ config, namespace, count }) {
  const client = await connected(config, namespace);
  // The client compiles its code, and opens its connections.
  await inFlight(WARM_UP, APPLIES_IN_FLIGHT, (index) => client.create(configMap(namespace, count + index)));
  const durations = [];
  const pending = [];
  const startedAt = performance.now();
  for (let sent = 0; sent < count;) {
    const due = Math.min(count, Math.floor(((performance.now() - startedAt) * RATE_PER_SECOND) / 1000));
    for (; sent < due; sent += 1) {
      const dueAt = startedAt + (sent * 1000) / RATE_PER_SECOND;
      const one = client.create(configMap(namespace, sent)).then(() => durations.push(performance.now() - dueAt));
      pending.push(one);
    }
    await sleep(1);
  }
  await Promise.all(pending);
  return { p50Ms: percentile(durations, 50), p99Ms: percentile(durations, 99) };
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

function agentOf(config) {
  return new https.Agent({ keepAlive: true, ...tlsOf(config) });
}

function tlsOf({ tls }) {
  return { ca: tls.ca, cert: tls.cert, key: tls.key };
}

async function get(config, path, agent) {
  const { credentials } = config;
  const headers = credentials?.kind === "token" ? { authorization: `Bearer ${credentials.token}` } : {};
  const request = https.get(new URL(path, config.server), { agent, headers });
  const [response] = await once(request, "response");
  return response;
}

function secondsSince(startedAt) {
  return (performance.now() - startedAt) / 1000;
}
