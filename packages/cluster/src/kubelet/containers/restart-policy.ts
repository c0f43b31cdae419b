import type { Container, ContainerRestartRule, Pod } from "@kubescaffold/k8s/core/v1";

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
