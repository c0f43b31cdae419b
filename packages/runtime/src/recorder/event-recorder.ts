import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/** What happened to an object. */
export interface RecordedEvent {
  readonly type: "Normal" | "Warning";
  /** Why it happened, in one word for machines: `ScalingReplicaSet`. */
  readonly reason: string;
  /** What was done or tried, in one word for machines: `Scaling`. */
  readonly action: string;
  /** What happened, for people; what is beyond 1024 bytes is cut off. */
  readonly note: string;
  /** Another object that it is about. */
  readonly related?: KubernetesObject;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Records what happens to objects, for `kubectl describe` and `kubectl events` to show. */
export interface EventRecorder {
  /**
   * Records an event; it is written later.
   *
   * Guarantees: never waits and never throws; an event that was recorded before raises the count of the one that is there.
   *
   * @example
   * recorder.event(guestbook, { type: "Normal", reason: "Created", action: "Create", note: "created the deployment" });
   */
  event(regarding: KubernetesObject, event: RecordedEvent): void;
}
