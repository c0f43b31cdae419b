import type { MicroTime } from "@kubescaffold/k8s/meta/v1";

/** What a lock says about who leads. */
export interface LeaderElectionRecord {
  /** Empty when nobody leads. */
  readonly holderIdentity: string;
  readonly leaseDurationSeconds: number;
  readonly acquireTime: MicroTime;
  readonly renewTime: MicroTime;
  /** How often the leadership went to another holder. */
  readonly leaderTransitions: number;
}

/** Says whether two records are the same statement. */
export function recordsEqual(left: LeaderElectionRecord, right: LeaderElectionRecord): boolean {
  return (
    left.holderIdentity === right.holderIdentity &&
    left.leaseDurationSeconds === right.leaseDurationSeconds &&
    left.acquireTime === right.acquireTime &&
    left.renewTime === right.renewTime &&
    left.leaderTransitions === right.leaderTransitions
  );
}
