import { readdir, readFile } from "node:fs/promises";

import type { FeatureGate, Release } from "../release/release.ts";
import type { ServerVersion } from "../release/server-version.ts";
import { type Family, gauge, type Labels, startTime, type Value } from "./families.ts";
import type { RequestMetrics } from "./request-metrics.ts";
import { printFamilies, TEXT_FORMAT } from "./text-format.ts";

/** What is read when metrics are scraped. */
export interface MetricSources {
  readonly requests: RequestMetrics;
  readonly inFlight: { readonly read: number; readonly write: number };
  /** The stored resources, with the number of their objects. */
  readonly objects: readonly { readonly group: string; readonly resource: string; readonly count: number }[];
  readonly release: Release;
}

/** Metrics as a response has them. */
export interface ServedMetrics {
  readonly contentType: string;
  readonly body: string;
}

/** Returns the metrics of a server in the text format of Prometheus. */
export async function metricsText(sources: MetricSources): Promise<ServedMetrics> {
  const { requests, inFlight, objects, release } = sources;
  const body = printFamilies([
    ...requests.families(),
    gauge("apiserver_current_inflight_requests", [
      [{ request_kind: "mutating" }, inFlight.write],
      [{ request_kind: "readOnly" }, inFlight.read],
    ]),
    gauge(
      "apiserver_resource_objects",
      objects.map(({ group, resource, count }) => [{ group, resource }, count]),
    ),
    gauge(
      "apiserver_storage_objects",
      objects.map(({ group, resource, count }) => [
        { resource: group === "" ? resource : `${resource}.${group}` },
        count,
      ]),
    ),
    gauge("kubernetes_build_info", [[buildLabels(release.version), 1]]),
    gauge("kubernetes_feature_enabled", release.gates().map(featureSample)),
    ...(await processFamilies()),
  ]);
  return { contentType: TEXT_FORMAT, body };
}

const BUILD_LABELS = {
  build_date: "buildDate",
  compiler: "compiler",
  git_commit: "gitCommit",
  git_tree_state: "gitTreeState",
  git_version: "gitVersion",
  go_version: "goVersion",
  major: "major",
  minor: "minor",
  platform: "platform",
} as const;

function buildLabels(build: ServerVersion): Labels {
  return Object.fromEntries(Object.entries(BUILD_LABELS).map(([label, field]) => [label, build[field] ?? ""]));
}

function featureSample({ name, stage, isOn }: FeatureGate): Value {
  return [{ name, stage }, Number(isOn)];
}

// The names of Prometheus' clients; those that only Linux tells are absent elsewhere.
async function processFamilies(): Promise<readonly Family[]> {
  const { user, system } = process.cpuUsage();
  const cpu = { name: "process_cpu_seconds_total", labels: {}, value: (user + system) / 1e6 };
  const [virtual, descriptors, limit] = await Promise.all([virtualBytes(), openDescriptors(), descriptorLimit()]);
  const optional = [
    ["process_virtual_memory_bytes", virtual],
    ["process_open_fds", descriptors],
    ["process_max_fds", limit],
  ] as const;
  return [
    { name: cpu.name, type: "counter", samples: [cpu] },
    gauge("process_resident_memory_bytes", [[{}, process.memoryUsage.rss()]]),
    startTime(),
    ...optional.flatMap(([name, value]) => (value === undefined ? [] : [gauge(name, [[{}, value]])])),
  ];
}

async function virtualBytes(): Promise<number | undefined> {
  const kilobytes = /^VmSize:\s+(\d+) kB$/mu.exec(await textOf("status"))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

async function descriptorLimit(): Promise<number | undefined> {
  const soft = /^Max open files\s+(\d+)/mu.exec(await textOf("limits"))?.[1];
  return soft === undefined ? undefined : Number(soft);
}

async function textOf(name: string): Promise<string> {
  return await readFile(`/proc/self/${name}`, "utf8").catch(() => "");
}

async function openDescriptors(): Promise<number | undefined> {
  return await readdir("/proc/self/fd").then(
    (names) => names.length,
    () => undefined,
  );
}
