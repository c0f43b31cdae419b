import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

import type { RestConfig } from "@kubescaffold/k8s";
import { type Clock, onAbort } from "@kubescaffold/platform/clock";

import { createClient } from "../client/create-client.ts";
import { inClusterNamespace } from "../config/get-config.ts";
import { LeaderElectionIdMissingError, LeaderElectionNamespaceError } from "../leader-election/errors.ts";
import {
  createLeaseLock,
  type LeaderElectionLock,
  type LeaseLockOptions,
} from "../leader-election/leader-election-lock.ts";
import {
  checkTiming,
  DEFAULT_TIMING,
  LeaderElector,
  type LeaderElectionTiming,
} from "../leader-election/leader-elector.ts";
import { LeaseGuard } from "../leader-election/lease-guard.ts";
import type { Logger } from "../log/logger.ts";
import { leaderElectionMetrics } from "../metrics/controller-metrics.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import { defaultUserAgent } from "../rest/headers.ts";
import { createRestClient } from "../rest/rest-client.ts";
import type { ManagerOptions } from "./manager.ts";

/** Takes part in a leader election until the signal aborts or the lease is lost. */
export type LeaderCampaign = (
  signal: AbortSignal,
  callbacks: {
    readonly onStartedLeading: () => void;
    /** Called when the election ends, whether this process ever led or not. */
    readonly onStoppedLeading: () => void;
  },
) => Promise<void>;

/** Options of {@link createCampaign}. */
export interface CampaignParts {
  readonly config: RestConfig;
  readonly options: ManagerOptions;
  readonly clock: Clock;
  readonly log: Logger;
  readonly registry: MetricsRegistry;
  /** Notified of renewals; refuses writes without a valid lease. */
  readonly guard: LeaseGuard;
  readonly onEvent?: LeaseLockOptions["onEvent"];
}

/**
 * Prepares the leader election of a manager; undefined if it is disabled.
 *
 * Fails: `LeaderElectionIdMissingError`, `LeaderElectionNamespaceError`.
 */
export async function createCampaign(parts: CampaignParts): Promise<LeaderCampaign | undefined> {
  const { options, clock, log, registry } = parts;
  if (options.leaderElection !== true) {
    return undefined;
  }
  const { lock, close } =
    options.leaderElectionLock === undefined
      ? await createLock(parts)
      : { lock: options.leaderElectionLock, close: async () => await Promise.resolve() };
  const name = options.leaderElectionId ?? lock.describe();
  const { masterStatus } = leaderElectionMetrics(registry);
  return async (signal, callbacks) => {
    // Before the lease is released, for what does not stop in time.
    onAbort(signal, () => parts.guard.release());
    masterStatus.set({ name }, 0);
    const elector = new LeaderElector({
      ...timingOf(options),
      lock,
      clock,
      log,
      releaseOnCancel: options.leaderElectionReleaseOnCancel === true,
      onRenewed: (sentAtMs) => parts.guard.renewed(sentAtMs),
      onStartedLeading: () => {
        masterStatus.set({ name }, 1);
        callbacks.onStartedLeading();
      },
      onStoppedLeading: () => {
        masterStatus.set({ name }, 0);
        if (!signal.aborted) {
          parts.guard.lose();
        }
        callbacks.onStoppedLeading();
      },
    });
    try {
      await elector.run(signal);
    } finally {
      await close();
    }
  };
}

/** Checks the durations of the leader election. Fails: `LeaderElectionTimingError`. */
export function checkCampaign(options: ManagerOptions): void {
  if (options.leaderElection === true) {
    checkTiming(timingOf(options));
  }
}

/** Creates the guard of a manager's writes. */
export function createLeaseGuard(options: ManagerOptions, clock: Clock): LeaseGuard {
  return new LeaseGuard(clock, timingOf(options).renewDeadlineMs);
}

function timingOf(options: ManagerOptions): LeaderElectionTiming {
  return {
    leaseDurationMs: options.leaseDurationMs ?? DEFAULT_TIMING.leaseDurationMs,
    renewDeadlineMs: options.renewDeadlineMs ?? DEFAULT_TIMING.renewDeadlineMs,
    retryPeriodMs: options.retryPeriodMs ?? DEFAULT_TIMING.retryPeriodMs,
  };
}

interface ConnectedLock {
  readonly lock: LeaderElectionLock;
  readonly close: () => Promise<void>;
}

// The lock has separate connections and limits, so that the load of controllers cannot delay a renewal.
async function createLock({ config, options, clock, log, registry, onEvent }: CampaignParts): Promise<ConnectedLock> {
  const name = options.leaderElectionId ?? "";
  if (name === "") {
    throw new LeaderElectionIdMissingError();
  }
  const namespace = options.leaderElectionNamespace ?? (await inClusterNamespace());
  if (namespace === undefined) {
    throw new LeaderElectionNamespaceError(undefined);
  }
  const lockConfig = options.leaderElectionConfig ?? config;
  const restClient = createRestClient(
    {
      ...lockConfig,
      userAgent: `${lockConfig.userAgent ?? defaultUserAgent()}/leader-election`,
      timeoutMs: Math.max(1000, timingOf(options).renewDeadlineMs / 2),
      qps: -1,
    },
    { clock: options.requestClock ?? clock, log, registry },
  );
  const client = createClient(lockConfig, { clock, log, restClient });
  const identity = `${hostname()}_${randomUUID()}`;
  const { leaderElectionLabels: labels } = options;
  const lock = createLeaseLock({
    client,
    namespace,
    name,
    identity,
    ...(onEvent === undefined ? {} : { onEvent }),
    ...(labels === undefined ? {} : { labels }),
  });
  return { lock, close: async () => await restClient.close() };
}
