import type { RestConfig } from "@kubescaffold/k8s";
import { ConfigMap, Namespace } from "@kubescaffold/k8s/core/v1";
import { handledLater } from "@kubescaffold/platform";
import { FakeClock } from "@kubescaffold/platform/clock";
import { expect } from "vitest";

import type { Cache } from "../../src/cache/cache.ts";
import { createCache } from "../../src/cache/informer-cache.ts";
import type { LiveClient } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { merge } from "../../src/client/patches.ts";
import { type ControllerOptions, createUnmanagedController } from "../../src/controller/controller.ts";
import { type EventHandler, enqueueRequestForObject } from "../../src/handler/event-handler.ts";
import { createRecordingLogger, type RecordingLogger, silentLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import type { Predicate } from "../../src/predicate/predicate.ts";
import type { ReconcileFunction, Request } from "../../src/reconcile/reconcile.ts";
import { kind } from "../../src/source/source.ts";
import { createPriorityQueue } from "../../src/workqueue/priority-queue.ts";
import type { PriorityQueue } from "../../src/workqueue/queue.ts";

/** The longest wait for an event of a server, which usually comes within milliseconds. */
export const EVENT: { readonly timeout: number } = { timeout: 30_000 };

/** A namespace of a server with ConfigMaps. */
export interface ServerNamespace {
  readonly live: LiveClient;
  readonly namespace: string;
  /** Creates a ConfigMap, or changes its value. */
  readonly write: (name: string, value?: string) => Promise<ConfigMap>;
  /** Creates many ConfigMaps. */
  readonly writeAll: (names: readonly string[]) => Promise<void>;
}

// Real control planes put a ConfigMap into each namespace, which has no such label.
const LABELS = { tested: "" };

/** Creates a namespace for one test. */
export async function createNamespace(config: RestConfig): Promise<ServerNamespace> {
  const live = createClient(config, { log: silentLogger });
  const { metadata } = await live.create(Namespace.create({ metadata: { generateName: "runtime-" } }));
  const namespace = metadata.name ?? "";
  const existing = new Set<string>();
  const write = async (name: string, value = "0"): Promise<ConfigMap> => {
    const object = ConfigMap.create({ metadata: { namespace, name, labels: LABELS }, data: { value } });
    if (existing.has(name)) return await live.patch(object, merge());
    existing.add(name);
    return await live.create(object);
  };
  const writeAll = async (names: readonly string[]): Promise<void> => {
    await Promise.all(names.map(async (name) => await write(name)));
  };
  return { live, namespace, write, writeAll };
}

/** Settings of {@link startController}. */
export interface ControllerOnServerSettings {
  readonly options?: Partial<ControllerOptions>;
  readonly handler?: EventHandler<ConfigMap>;
  readonly predicates?: readonly Predicate<ConfigMap>[];
  /** The client of the cache. Default: that of the namespace. */
  readonly client?: LiveClient;
  /** Other kinds whose objects must be known before the first reconcile. */
  readonly otherKinds?: readonly Parameters<Cache["getInformer"]>[0][];
}

/** A running controller of the ConfigMaps in a namespace: its events are those of a server, and the clock of its queue is fake. */
export interface ControllerOnServer {
  readonly clock: FakeClock;
  readonly cache: Cache;
  readonly queue: PriorityQueue<Request>;
  readonly logger: RecordingLogger;
  /** The priorities with which requests were added, as `name priority`. */
  readonly added: readonly string[];
  readonly running: Promise<void>;
  /** The counters of outcomes that are not zero. */
  readonly outcomes: () => Promise<Readonly<Record<string, number>>>;
  readonly activeWorkers: () => Promise<number | undefined>;
  /** Waits until the cache has a value, whose event has then been handled. */
  readonly observed: (name: string, value: string) => Promise<void>;
  readonly stop: () => void;
}

/** Starts a controller; `stop` in any case, also if a reconcile never ends. */
export async function startController(
  { live, namespace }: ServerNamespace,
  reconciler: ReconcileFunction,
  settings: ControllerOnServerSettings = {},
): Promise<ControllerOnServer> {
  const clock = new FakeClock();
  const registry = createMetricsRegistry();
  const logger = createRecordingLogger();
  const stopping = new AbortController();
  const cache = createCache(settings.client ?? live, {
    logger,
    registry,
    defaultNamespaces: { [namespace]: { labelSelector: "tested" } },
  });
  const added: string[] = [];
  const recorded = recordingQueue(clock, added);
  const usesPriorities = settings.options?.usePriorityQueue !== false;
  const controller = createUnmanagedController(
    "on-server",
    { clock, registry, logger },
    { reconciler, ...(usesPriorities ? { newQueue: () => recorded } : {}), ...settings.options },
  );
  const { handler = enqueueRequestForObject<ConfigMap>(), predicates = [] } = settings;
  await controller.watch(kind({ cache, kind: ConfigMap, handler, predicates }));
  for (const other of settings.otherKinds ?? []) {
    await controller.watch(kind({ cache, kind: other, handler: enqueueRequestForObject() }));
  }
  void cache.start(stopping.signal);
  const running = handledLater(controller.start(stopping.signal));
  if (settings.otherKinds === undefined) {
    // Objects that are written from now on are not initial ones.
    const hasSynced = (): boolean => logger.records.some(({ message }) => message === "starting workers");
    await expect.poll(hasSynced, EVENT).toBe(true);
  }
  const values = async (name: string): Promise<readonly { readonly labels: object; readonly value: number }[]> =>
    (await registry.getSingleMetric(name)?.get())?.values ?? [];
  return {
    clock,
    cache,
    queue: recorded,
    logger,
    added,
    running,
    outcomes: async () => await outcomesOf(values),
    activeWorkers: async () => (await values("controller_runtime_active_workers"))[0]?.value,
    observed: async (name, value) => {
      await expect
        .poll(async () => (await cache.get(ConfigMap, { namespace, name }).catch(() => undefined))?.data, EVENT)
        .toEqual({ value });
    },
    stop: () => stopping.abort(),
  };
}

function recordingQueue(clock: FakeClock, added: string[]): PriorityQueue<Request> {
  const queue = createPriorityQueue<Request>({ clock });
  const addWithOptions = queue.addWithOptions.bind(queue);
  const add = queue.add.bind(queue);
  queue.addWithOptions = (options, ...items) => {
    added.push(...items.map(({ name }) => `${name} ${String(options.priority ?? 0)}`));
    addWithOptions(options, ...items);
  };
  queue.add = (item) => {
    added.push(`${item.name} 0`);
    add(item);
  };
  return queue;
}

const COUNTERS = {
  errors: "controller_runtime_reconcile_errors_total",
  terminal: "controller_runtime_terminal_reconcile_errors_total",
  panics: "controller_runtime_reconcile_panics_total",
  timeouts: "controller_runtime_reconcile_timeouts_total",
} as const;

async function outcomesOf(
  values: (name: string) => Promise<readonly { readonly labels: object; readonly value: number }[]>,
): Promise<Readonly<Record<string, number>>> {
  const results = (await values("controller_runtime_reconcile_total")).map(
    ({ labels, value }) => [String((labels as Readonly<Record<string, unknown>>)["result"]), value] as const,
  );
  const counters = await Promise.all(
    Object.entries(COUNTERS).map(async ([name, metric]) => [name, (await values(metric))[0]?.value ?? 0] as const),
  );
  return Object.fromEntries([...results, ...counters].filter(([, value]) => value > 0));
}
