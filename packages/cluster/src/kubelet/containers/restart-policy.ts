import type { Container, ContainerRestartRule, Pod } from "@kubescaffold/k8s/core/v1";

// The delays of a kubelet: the first restart is immediate.
const FIRST_BACK_OFF_MS = 10_000;
const LONGEST_BACK_OFF_MS = 300_000;
// A run that is longer ends the waits before restarts.
const LONG_RUN_MS = 600_000;

/** When a container is restarted. */
export type RestartPolicy = "Always" | "OnFailure" | "Never";

/** Reports whether a container that has ended is restarted: by its own rules, by its own policy, or by the one of its Pod. */
export function isRestarted(
  { restartPolicyRules = [], restartPolicy }: Pick<Container, "restartPolicy" | "restartPolicyRules">,
  ofPod: string,
  exitCode: number,
): boolean {
  const isRuled = restartPolicyRules.some((rule) => rule.action === "Restart" && matches(rule, exitCode));
  if (restartPolicy !== undefined && isRuled) return true;
  const policy = restartPolicy ?? ofPod;
  return policy === "Always" || (policy === "OnFailure" && exitCode !== 0);
}

function matches({ exitCodes }: ContainerRestartRule, exitCode: number): boolean {
  if (exitCodes === undefined) return false;
  return (exitCodes.values ?? []).includes(exitCode) === (exitCodes.operator === "In");
}

/** Returns the delay before a restart, after a number of restarts. */
export function backOffMs(restarts: number): number {
  return restarts === 0 ? 0 : Math.min(FIRST_BACK_OFF_MS * 2 ** (restarts - 1), LONGEST_BACK_OFF_MS);
}

/** Reports whether a run took so long that the next restart is immediate. */
export function endsBackOff(runMs: number): boolean {
  return runMs > LONG_RUN_MS;
}

/** Returns the policy of a Pod for its init containers, which are not restarted after a success. */
export function initRestartPolicy({ spec }: Pod): RestartPolicy {
  return (spec?.restartPolicy ?? "Always") === "Never" ? "Never" : "OnFailure";
}

/** Returns the containers that run as long as their Pod: its containers, and its sidecars. */
export function lastingContainers({ spec }: Pod): readonly Container[] {
  return [...(spec?.containers ?? []), ...(spec?.initContainers ?? []).filter(isSidecar)];
}

/** Reports whether an init container is a sidecar, which runs as long as its Pod. */
export function isSidecar({ restartPolicy }: Pick<Container, "restartPolicy">): boolean {
  return restartPolicy === "Always";
}
