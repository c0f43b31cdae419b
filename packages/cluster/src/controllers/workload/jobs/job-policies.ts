import type { Job, PodFailurePolicyRule } from "@kubescaffold/k8s/batch/v1";
import type { ContainerStatus, Pod } from "@kubescaffold/k8s/core/v1";

import type { JobFinding } from "./job-conditions.ts";
import { JobIndexes } from "./job-indexes.ts";

/** Reports whether a failed pod counts towards the back-off limit: the first rule of the pod failure policy that matches it may say otherwise. */
export function countsAsFailure(job: Job, pod: Pod): boolean {
  return matchedRule(job, pod)?.action !== "Ignore";
}

/** Reports whether a failed pod fails its index at once, by the first rule of the pod failure policy that matches it. */
export function failsIndex(job: Job, pod: Pod): boolean {
  return matchedRule(job, pod)?.action === "FailIndex";
}

/** Returns that a Job has failed if a rule of its pod failure policy says so about one of these pods, which have failed. */
export function failedByPolicy(job: Job, failed: readonly Pod[]): JobFinding | undefined {
  for (const pod of failed) {
    const match = matchedRule(job, pod);
    if (match?.action === "FailJob")
      return { type: "FailureTarget", reason: "PodFailurePolicy", message: match.message };
  }
  return undefined;
}

interface RuleMatch {
  readonly action: PodFailurePolicyRule["action"];
  readonly message: string;
}

function matchedRule({ spec }: Job, pod: Pod): RuleMatch | undefined {
  const { namespace = "", name = "" } = pod.metadata;
  for (const [index, rule] of (spec?.podFailurePolicy?.rules ?? []).entries()) {
    const reason = matchReason(rule, pod, `${namespace}/${name}`);
    if (reason !== undefined)
      return { action: rule.action, message: `${reason} matching ${rule.action} rule at index ${String(index)}` };
  }
  return undefined;
}

function matchReason(
  { onExitCodes, onPodConditions }: PodFailurePolicyRule,
  { status }: Pod,
  name: string,
): string | undefined {
  if (onExitCodes !== undefined) {
    const { containerName, operator, values } = onExitCodes;
    const isMatch = (container: ContainerStatus): boolean => {
      const code = container.state?.terminated?.exitCode ?? 0;
      if (code === 0 || (containerName !== undefined && containerName !== container.name)) return false;
      return values.includes(code) === (operator === "In");
    };
    const found = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].find(isMatch);
    const code = String(found?.state?.terminated?.exitCode);
    return found === undefined ? undefined : `Container ${found.name} for pod ${name} failed with exit code ${code}`;
  }
  const condition = (status?.conditions ?? []).find((each) =>
    (onPodConditions ?? []).some((pattern) => pattern.type === each.type && (pattern.status ?? "True") === each.status),
  );
  return condition === undefined ? undefined : `Pod ${name} has condition ${condition.type}`;
}

/** Returns that a Job has succeeded if the completed indexes meet a rule of its success policy. */
export function succeededByPolicy({ spec }: Job, completed: JobIndexes): JobFinding | undefined {
  if (completed.size === 0) return undefined;
  const met = (spec?.successPolicy?.rules ?? []).findIndex(({ succeededIndexes, succeededCount = Infinity }) => {
    if (succeededIndexes === undefined) return completed.size >= succeededCount;
    const required = JobIndexes.parse(succeededIndexes, spec?.completions ?? 0);
    const count = required.countIn(completed);
    return required.size > 0 && (count === required.size || count >= succeededCount);
  });
  return met === -1
    ? undefined
    : { type: "SuccessCriteriaMet", reason: "SuccessPolicy", message: `Matched rules at index ${String(met)}` };
}
