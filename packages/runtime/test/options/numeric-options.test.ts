import type { NumberRule } from "@kubescaffold/k8s";
import { FakeClock } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import { createCache } from "../../src/cache/informer-cache.ts";
import { createClient } from "../../src/client/create-client.ts";
import { createUnmanagedController } from "../../src/controller/controller.ts";
import { createRecordingLogger } from "../../src/log/logger.ts";
import { createPinoLogger } from "../../src/log/pino-logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { createListPager } from "../../src/pager/pager.ts";
import { createEventSpamFilter } from "../../src/recorder/spam-filter.ts";
import { createRestClient } from "../../src/rest/rest-client.ts";
import { channel } from "../../src/source/source.ts";
import { delayFunction } from "../../src/wait/backoff.ts";
import { jitterUntil } from "../../src/wait/loop.ts";
import { pollUntilContextCancel } from "../../src/wait/poll.ts";
import { WebhookServer } from "../../src/webhook/webhook-server.ts";
import {
  bucketRateLimiter,
  itemExponentialFailureRateLimiter,
  itemFastSlowRateLimiter,
  withMaxWaitRateLimiter,
} from "../../src/workqueue/rate-limiter.ts";

const CONFIG = { server: "http://localhost", transport: async () => new Response("{}") };

type Start = (options: Readonly<Record<string, unknown>>) => unknown;

const controller: Start = (options) =>
  createUnmanagedController(
    "widgets",
    { logger: createRecordingLogger(), clock: new FakeClock(), registry: createMetricsRegistry() },
    { reconciler: async () => undefined, skipNameValidation: true, ...options },
  );
const cache: Start = (options) => createCache(createClient(CONFIG), options);
const manager: Start = (options) => createManager(CONFIG, { metrics: { bindAddress: "0" }, ...options });
const election: Start = (options) =>
  manager({
    leaderElection: true,
    leaderElectionId: "demo",
    leaderElectionNamespace: "default",
    ...options,
  });
const fastSlow: Start = (options) =>
  itemFastSlowRateLimiter({ fastDelayMs: 1, slowDelayMs: 2, maxFastAttempts: 3, ...options });
const maxWait: Start = ({ maxDelayMs }) => withMaxWaitRateLimiter(bucketRateLimiter(), maxDelayMs as number);

/** The numeric options, and what accepts them. */
const OPTIONS: readonly (readonly [name: string, start: Start, rule: NumberRule])[] = [
  ["maxConcurrentReconciles", controller, "integer"],
  ["cacheSyncTimeoutMs", controller, "duration"],
  ["reconciliationTimeoutMs", controller, "duration"],
  ["maxConcurrentReconciles", (options) => manager({ controller: options }), "integer"],
  ["Widget.example.com", (workers) => manager({ controller: { groupKindConcurrency: workers } }), "integer"],
  ["cacheSyncTimeoutMs", (options) => manager({ controller: options }), "duration"],
  ["reconciliationTimeoutMs", (options) => manager({ controller: options }), "duration"],
  ["gracefulShutdownTimeoutMs", manager, "number"],
  ["syncPeriodMs", cache, "duration"],
  ["syncPeriodMs", (options) => manager({ cache: options }), "duration"],
  ["leaseDurationMs", election, "finite"],
  ["leaseDurationMs", manager, "finite"],
  ["renewDeadlineMs", election, "finite"],
  ["renewDeadlineMs", manager, "finite"],
  ["retryPeriodMs", election, "finite"],
  ["retryPeriodMs", manager, "finite"],
  ["baseDelayMs", itemExponentialFailureRateLimiter, "duration"],
  ["maxDelayMs", itemExponentialFailureRateLimiter, "duration"],
  ["fastDelayMs", fastSlow, "duration"],
  ["slowDelayMs", fastSlow, "duration"],
  ["maxFastAttempts", fastSlow, "count"],
  ["qps", bucketRateLimiter, "duration"],
  ["burst", bucketRateLimiter, "duration"],
  ["maxDelayMs", maxWait, "duration"],
  ["port", (options) => new WebhookServer(options), "port"],
  ["verbosity", (options) => createPinoLogger(options), "number"],
  ["timeoutMs", (options) => createRestClient({ ...CONFIG, ...options }), "duration"],
  ["idleTimeoutMs", (options) => createRestClient({ ...CONFIG, ...options }), "duration"],
  ["bufferSize", (options) => channel({ events: [], handler: {}, ...options } as never), "integer"],
  ["pageSize", (options) => createListPager(async () => ({ items: [] }) as never, options), "count"],
  ["pageBufferSize", (options) => createListPager(async () => ({ items: [] }) as never, options), "count"],
  ["burst", createEventSpamFilter, "duration"],
  ["qps", createEventSpamFilter, "duration"],
  ["maxEntries", createEventSpamFilter, "count"],
  ["durationMs", (options) => delayFunction({ durationMs: 1, ...options }), "duration"],
  ["factor", (options) => delayFunction({ durationMs: 1, ...options }), "number"],
  ["intervalMs", (options) => pollUntilContextCancel({ intervalMs: 1, ...options }, () => true), "number"],
  ["periodMs", (options) => jitterUntil(() => undefined, { periodMs: 1, ...options }), "duration"],
];

const ALL: readonly NumberRule[] = ["count", "duration", "finite", "integer", "number", "port"];

/** Values, and the rules that they violate. */
const VALUES: readonly (readonly [value: unknown, rules: readonly NumberRule[]])[] = [
  [Number.NaN, ALL],
  [10n, ALL],
  ["1000", ALL],
  [null, ALL],
  [{}, ALL],
  [-1, ["count", "duration", "port"]],
  [1.5, ["count", "integer", "port"]],
  [Number.POSITIVE_INFINITY, ["count", "finite", "integer", "port"]],
  [2 ** 53, ["count", "integer", "port"]],
];

describe("a numeric option", () => {
  const cases = OPTIONS.flatMap(([name, start, rule]) =>
    VALUES.filter(([, rules]) => rules.includes(rule)).map(([value]) => [name, value, start] as const),
  );

  it.each(cases)("%s that is %o is an error before anything starts", async (name, value, start) => {
    const started = async (): Promise<unknown> => await start({ [name]: value });
    await expect(started()).rejects.toThrow(
      expect.objectContaining({
        code: "OPTION_NUMBER",
        message: expect.stringMatching(new RegExp(`^${name} of .* must be .*, not `, "u")),
      }),
    );
  });
});
