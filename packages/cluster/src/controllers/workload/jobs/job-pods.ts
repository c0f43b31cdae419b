import type { Job } from "@kubescaffold/k8s/batch/v1";
import type { Container, Pod, PodSpec } from "@kubescaffold/k8s/core/v1";

import { deletionOrder } from "../deletion-order.ts";
import { controllerReference } from "../workload-objects.ts";

/** Keeps a pod until its Job has counted it. */
export const JOB_FINALIZER = "batch.kubernetes.io/job-tracking";

/** Label and annotation of a pod with the index that it works on. */
const COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index";
const LONGEST_GENERATED_PREFIX = 58;

// Jobs of other names in `spec.managedBy` are left alone.
const MANAGED_BY = "kubernetes.io/job-controller";

/** Reports whether a Job is managed by the controller of the cluster. */
export function isManaged({ spec }: Job): boolean {
  return (spec?.managedBy ?? MANAGED_BY) === MANAGED_BY;
}

/** Reports whether each pod of a Job works on its own index. */
export function isIndexed(job: Job): boolean {
  return job.spec?.completionMode === "Indexed";
}

/** Reports whether a Job must not have pods for now. */
export function isSuspended(job: Job): boolean {
  return job.spec?.suspend === true;
}

/** Reports whether a pod that is being deleted is replaced only when it has ended. */
export function replacesOnlyFailed({ spec }: Job): boolean {
  return spec?.podReplacementPolicy === "Failed" || spec?.podFailurePolicy !== undefined;
}

/** Reports whether a pod has not been counted yet. */
export function isTracked({ metadata }: Pod): boolean {
  return metadata.finalizers?.includes(JOB_FINALIZER) === true;
}

/** Reports whether a pod counts as failed; one that is being deleted does, too, unless only failed pods are replaced. */
export function hasFailed({ metadata, status }: Pod, job: Job): boolean {
  if (status?.phase === "Failed") return true;
  return !replacesOnlyFailed(job) && metadata.deletionTimestamp !== undefined && status?.phase !== "Succeeded";
}

/** Returns the index that a pod works on. */
export function indexOf({ metadata }: Pod): number | undefined {
  const text = metadata.annotations?.[COMPLETION_INDEX];
  return text !== undefined && /^\d+$/u.test(text) ? Number(text) : undefined;
}

/** Reports whether a pod works on an index that its Job has; every pod of a Job without indexes counts. */
export function countsFor(job: Job, pod: Pod): boolean {
  return !isIndexed(job) || (indexOf(pod) ?? Infinity) < (job.spec?.completions ?? 0);
}

/** Returns the pods to delete so that at least `atLeast` are gone: first those whose index is not needed or has another pod. */
export function surplusPods(job: Job, active: readonly Pod[], atLeast: number): readonly Pod[] {
  const taken = new Set<number | undefined>();
  const [unneeded, needed]: [Pod[], Pod[]] = [[], []];
  for (const pod of deletionOrder(active).toReversed()) {
    const isNeeded = !isIndexed(job) || (countsFor(job, pod) && !taken.has(indexOf(pod)));
    taken.add(indexOf(pod));
    (isNeeded ? needed : unneeded).push(pod);
  }
  return [...unneeded, ...deletionOrder(needed).slice(0, Math.max(0, atLeast - unneeded.length))];
}

/** A pod of a Job to create. */
interface PlannedPod {
  /** The index that it works on. */
  readonly index?: number;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Makes the pod of a Job, or of one index of it. */
export function jobPod(job: Job, { index, annotations: added = {} }: PlannedPod = {}): object {
  const template = job.spec?.template;
  const { namespace = "", name = "" } = job.metadata;
  const mark = index === undefined ? {} : { [COMPLETION_INDEX]: String(index) };
  const annotations = { ...template?.metadata?.annotations, ...mark, ...added };
  const suffix = index === undefined ? "-" : `-${String(index)}-`;
  const prefix = `${name}${suffix}`;
  const isTooLong = index !== undefined && prefix.length > LONGEST_GENERATED_PREFIX;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      generateName: isTooLong ? `${name.slice(0, LONGEST_GENERATED_PREFIX - suffix.length)}${suffix}` : prefix,
      namespace,
      labels: { ...template?.metadata?.labels, ...mark },
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      finalizers: [...new Set([...(template?.metadata?.finalizers ?? []), JOB_FINALIZER])],
      ownerReferences: [controllerReference(job)],
    },
    spec: index === undefined ? template?.spec : indexedSpec(job, index),
  };
}

function indexedSpec({ metadata, spec }: Job, index: number): PodSpec {
  const template = spec?.template.spec ?? { containers: [] };
  return {
    ...template,
    hostname: `${metadata.name ?? ""}-${String(index)}`,
    containers: template.containers.map(withIndex),
    ...(template.initContainers === undefined ? {} : { initContainers: template.initContainers.map(withIndex) }),
  };
}

function withIndex(container: Container): Container {
  const env = container.env ?? [];
  const name = "JOB_COMPLETION_INDEX";
  if (env.some((variable) => variable.name === name)) return container;
  const fieldRef = { fieldPath: `metadata.labels['${COMPLETION_INDEX}']` };
  return { ...container, env: [...env, { name, valueFrom: { fieldRef } }] };
}
