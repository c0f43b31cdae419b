// Measures a migration of stored versions on the embedded API server: node bench/storage-migration.mjs [objects]
import process from "node:process";

import { Environment } from "@kubescaffold/envtest";
import { createClient, migrateDefinition, progressInMemory, silentLogger } from "@kubescaffold/runtime";

import { inFlight } from "./workload-parts.mjs";

const GROUP = "bench.demo";
const CRD = `things.${GROUP}`;
const DEFINITIONS = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" };
const count = Number(process.argv[2] ?? 100_000);

const environment = new Environment();
const client = createClient(await environment.start(), { log: silentLogger });
try {
  await client.create({ ...DEFINITIONS, metadata: { name: CRD }, spec: specWith("v1alpha1") });
  await untilServed();
  report("created", await measured(() => inFlight(count, 32, (index) => client.create(thing(index)))));
  const change = { type: "application/merge-patch+json", data: () => ({ spec: specWith("v1") }) };
  await client.patch({ ...DEFINITIONS, metadata: { name: CRD } }, change);
  const signal = new AbortController().signal;
  const pace = { pageSize: 500, workers: 8, writesPerSecond: Number.POSITIVE_INFINITY, propagationMs: 1000 };
  const { realClock } = await import("@kubescaffold/platform/clock");
  const base = { client, crd: CRD, fieldOwner: "bench", progress: progressInMemory(), isDryRun: false };
  let result;
  const ms = await measured(async () => {
    result = await migrateDefinition({ ...base, ...pace, clock: realClock, signal });
  });
  const { outcome, counts } = result;
  if (outcome !== "migrated" || counts.listed !== count) throw new Error(JSON.stringify({ outcome, ...counts }));
  report("migrated", ms - pace.propagationMs);
  const mib = Math.round(process.resourceUsage().maxRSS / 1024);
  process.stdout.write(`${String(mib)} MiB at most, with the server in this process\n`);
} finally {
  await environment.stop();
}

function specWith(stored) {
  return {
    group: GROUP,
    scope: "Namespaced",
    names: { kind: "Thing", plural: "things", singular: "thing", listKind: "ThingList" },
    versions: ["v1alpha1", "v1"].map((name) => ({
      name,
      served: true,
      storage: name === stored,
      schema: {
        openAPIV3Schema: {
          type: "object",
          properties: { spec: { type: "object", properties: { size: { type: "integer" } } } },
        },
      },
    })),
  };
}

function thing(index) {
  const metadata = { namespace: "default", name: `thing-${String(index)}` };
  return { apiVersion: `${GROUP}/v1alpha1`, kind: "Thing", metadata, spec: { size: index } };
}

async function untilServed() {
  for (;;) {
    try {
      return await client.list({ group: GROUP, version: "v1", kind: "Thing" });
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function measured(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function report(what, ms) {
  const perSecond = Math.round(count / (ms / 1000));
  process.stdout.write(
    `${what} ${String(count)} objects in ${(ms / 1000).toFixed(1)} s, ${String(perSecond)} per second\n`,
  );
}
