import { keyOf } from "@kubescaffold/apiserver/cluster-api";
import { objectKey } from "@kubescaffold/k8s";
import type { Pod, Service } from "@kubescaffold/k8s/core/v1";

/** The annotation with the time of the change that endpoints follow. */
export const TRIGGER_TIME = "endpoints.kubernetes.io/last-change-trigger-time";

/** Finds the time of the change that new endpoints of a Service follow. */
export class TriggerTimes {
  readonly #known = new Map<string, ReadonlyMap<string, string>>();

  /** Returns the earliest time that is later than at the last call; at the first call, the time at which the Service was created. */
  next(service: Service, pods: readonly Pod[]): string | undefined {
    const key = keyOf(objectKey(service));
    const created = service.metadata.creationTimestamp;
    const former = this.#known.get(key);
    const times = new Map([
      ...(created === undefined ? [] : [["", created] as const]),
      ...pods.flatMap((pod) => readyTimeOf(pod)),
    ]);
    this.#known.set(key, times);
    if (former === undefined) return created;
    return [...times]
      .filter(([name, time]) => time > (former.get(name) ?? ""))
      .map(([, time]) => time)
      .toSorted()[0];
  }

  /** Forgets a Service. */
  delete(key: string): void {
    this.#known.delete(key);
  }
}

function readyTimeOf({ metadata, status }: Pod): readonly (readonly [string, string])[] {
  const ready = status?.conditions?.find(({ type }) => type === "Ready")?.lastTransitionTime;
  return ready === undefined ? [] : [[metadata.name ?? "", ready]];
}
