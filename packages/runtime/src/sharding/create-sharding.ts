import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

import { createClient } from "../client/create-client.ts";
import { inClusterNamespace } from "../config/get-config.ts";
import { LeaderElectionNamespaceError } from "../leader-election/errors.ts";
import { checkTiming, DEFAULT_TIMING } from "../leader-election/leader-elector.ts";
import type { Manager } from "../manager/manager.ts";
import { defaultUserAgent } from "../rest/headers.ts";
import { createRestClient } from "../rest/rest-client.ts";
import { ShardingOptionsError } from "./errors.ts";
import { ReplicaOfShards } from "./replica-of-shards.ts";
import { ShardingLeases } from "./sharding-leases.ts";
import type { Sharding, ShardingOptions } from "./sharding.ts";

/**
 * Adds a sharding to a manager, which then processes its part of the shards, without leader election.
 *
 * Requires the permissions `get`, `list`, `create`, `update`, and `delete` for leases in the namespace.
 * Fails: `ShardingOptionsError`, `LeaderElectionTimingError`, `LeaderElectionNamespaceError`.
 *
 * @example
 * const mgr = await createManager(await getConfig());
 * const sharding = await createSharding(mgr, { id: "guestbook.example.com", shards: 12 });
 * sharding.forEachShard(async ({ manager }) => {
 *   await newControllerManagedBy(manager).for(Guestbook).complete(new GuestbookReconciler(manager.getClient()));
 * });
 * await mgr.start(setupSignalHandler());
 */
export async function createSharding(manager: Manager, options: ShardingOptions): Promise<Sharding> {
  checkOptions(options);
  const timing = {
    leaseDurationMs: options.leaseDurationMs ?? DEFAULT_TIMING.leaseDurationMs,
    renewDeadlineMs: options.renewDeadlineMs ?? DEFAULT_TIMING.renewDeadlineMs,
    retryPeriodMs: options.retryPeriodMs ?? DEFAULT_TIMING.retryPeriodMs,
  };
  checkTiming(timing);
  const namespace = options.namespace ?? (await inClusterNamespace());
  if (namespace === undefined) {
    throw new LeaderElectionNamespaceError(undefined);
  }
  const [clock, log] = [manager.getClock(), manager.getLogger().withName("sharding")];
  const config = manager.getConfig();
  // Separate connections and limits, so that the load of controllers cannot delay a renewal.
  const restClient = createRestClient(
    {
      ...config,
      userAgent: `${config.userAgent ?? defaultUserAgent()}/sharding`,
      timeoutMs: Math.max(1000, timing.renewDeadlineMs / 2),
      qps: -1,
    },
    { clock, log, registry: manager.getMetricsRegistry() },
  );
  const suffix = randomUUID();
  const leases = new ShardingLeases({
    client: createClient(config, { clock, log, restClient }),
    clock,
    namespace,
    id: options.id,
    shards: options.shards,
    identity: `${hostname()}_${suffix}`,
    suffix,
    leaseDurationMs: timing.leaseDurationMs,
  });
  const close = async (): Promise<void> => await restClient.close();
  const replica = new ReplicaOfShards({ manager, options, timing, leases, log, close });
  manager.add(replica);
  return replica;
}

function checkOptions({ id, shards }: ShardingOptions): void {
  if (id.length > 40 || !/^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/u.test(id)) {
    throw new ShardingOptionsError(
      `id ${JSON.stringify(id)} cannot be the prefix of a name`,
      "use at most 40 lower-case letters, digits, - and .",
    );
  }
  if (!Number.isInteger(shards) || shards < 1) {
    throw new ShardingOptionsError(`the number of shards is ${String(shards)}`, "set shards to 1 or more");
  }
}
