/** A difference between the simulated kubelet and a real one. */
export interface KnownDifference {
  readonly reason: string;
  /** Whether the Pod of the embedded cluster never comes to the state in which it is observed. */
  readonly isStuck: boolean;
}

/** The Pods of the table that the embedded cluster reports differently; docs/verification/embedded-server-differences.md lists them, too. */
export const KNOWN_DIFFERENCES: Readonly<Record<string, KnownDifference>> = {};
