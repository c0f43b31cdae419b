import { isAlreadyExists } from "@kubescaffold/k8s";

import { LeaderElectionIdentityError } from "./errors.ts";
import type { LeaderElectionLock, LeaderElectionRecord } from "./leader-election-lock.ts";

/** The holder of a {@link createMultiLock} whose locks have different holders. */
const UNKNOWN_LEADER = "leaderelection.k8s.io/unknown";

/** The locks of {@link createMultiLock}. */
export interface MultiLockOptions {
  /** The lock that candidates of the earlier version use. */
  readonly primary: LeaderElectionLock;
  /** The lock that candidates of the later version use. */
  readonly secondary: LeaderElectionLock;
}

/**
 * Creates a lock that a candidate holds only if it holds both locks, for the migration from one lease to another without two leaders.
 *
 * Roll out three versions, each after the previous one runs everywhere: with the old lock, with both locks (the old one as `primary`), and with the
 * new lock. While the two locks have different holders, the candidate waits as for any other leader: a lease duration after the last change of either.
 * Fails: {@link LeaderElectionIdentityError} if the locks have different identities.
 *
 * client-go: tools/leaderelection/resourcelock.MultiLock
 *
 * @example
 * const identity = `${hostname()}_${randomUUID()}`;
 * const lockOf = (name: string) => createLeaseLock({ client: createClient(config), namespace: "system", name, identity });
 * const leaderElectionLock = createMultiLock({ primary: lockOf("old"), secondary: lockOf("new") });
 */
export function createMultiLock({ primary, secondary }: MultiLockOptions): LeaderElectionLock {
  if (primary.identity !== secondary.identity) {
    throw new LeaderElectionIdentityError(primary.identity, secondary.identity);
  }
  return {
    identity: primary.identity,
    describe: () => primary.describe(),
    get: async (signal) => {
      const first = await primary.get(signal);
      const second = first === undefined ? undefined : await secondary.get(signal);
      if (first === undefined || second === undefined) {
        // A candidate of the earlier version holds the primary lock alone; this candidate must create the secondary one.
        return first?.holderIdentity === primary.identity ? undefined : first;
      }
      return combine(first, second);
    },
    create: async (record, signal) => {
      await primary.create(record, signal).catch((error: unknown) => {
        if (!isAlreadyExists(error)) throw error;
      });
      await secondary.create(record, signal);
    },
    update: async (record, signal) => {
      await primary.update(record, signal);
      await secondary.update(record, signal);
    },
    recordEvent: (message) => {
      primary.recordEvent(message);
      secondary.recordEvent(message);
    },
  };
}

// Records are compared to detect changes, so the times contain those of both locks.
function combine(first: LeaderElectionRecord, second: LeaderElectionRecord): LeaderElectionRecord {
  return {
    ...first,
    holderIdentity: first.holderIdentity === second.holderIdentity ? first.holderIdentity : UNKNOWN_LEADER,
    leaseDurationSeconds: Math.max(first.leaseDurationSeconds, second.leaseDurationSeconds),
    renewTime: `${first.renewTime},${second.renewTime}`,
    leaderTransitions: Math.max(first.leaderTransitions, second.leaderTransitions),
  };
}
