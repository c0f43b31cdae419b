import { randomUUID } from "node:crypto";

import type { ObjectReference } from "@kubescaffold/k8s/core/v1";
import { Event } from "@kubescaffold/k8s/events/v1";
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

/** Who reports events. */
interface Reporter {
  readonly controller: string;
  readonly instance: string;
}

const LONGEST_NOTE_BYTES = 1024;
const LONGEST_NAME = 253;

/** Makes the first event of a series; events on cluster-scoped objects live in the namespace `default`. */
export function makeEventObject(
  regarding: KubernetesObject,
  { event, reporter, now }: { readonly event: RecordedEvent; readonly reporter: Reporter; readonly now: number },
): Event {
  const { namespace = "" } = regarding.metadata;
  return Event.create({
    metadata: {
      name: eventName(regarding.metadata.name ?? "", now),
      namespace: namespace === "" ? "default" : namespace,
      ...(event.annotations === undefined ? {} : { annotations: { ...event.annotations } }),
    },
    eventTime: microTime(now),
    type: event.type,
    reason: event.reason,
    action: event.action,
    note: cutToBytes(event.note, LONGEST_NOTE_BYTES),
    reportingController: reporter.controller,
    reportingInstance: reporter.instance,
    regarding: objectReferenceTo(regarding),
    ...(event.related === undefined ? {} : { related: objectReferenceTo(event.related) }),
  });
}

/** Returns what makes two events the same: who reports what about which objects, whatever the words and versions. */
export function seriesKey(event: Event): string {
  const identify = (reference: ObjectReference | undefined): unknown =>
    reference === undefined
      ? undefined
      : [reference.apiVersion, reference.kind, reference.namespace, reference.name, reference.uid];
  return JSON.stringify([
    event.type,
    event.action,
    event.reason,
    event.reportingController,
    event.reportingInstance,
    identify(event.regarding),
    identify(event.related),
  ]);
}

/** Formats a moment with microseconds, as servers demand it of events and leases. */
export function microTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/Z$/u, "000Z");
}

let sequence = 0;

// The number tells events of one millisecond apart.
function eventName(name: string, now: number): string {
  sequence = (sequence + 1) % 1_000_000;
  const suffix = (BigInt(Math.trunc(now)) * 1_000_000n + BigInt(sequence)).toString(16);
  const isSubdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/u.test(name);
  return isSubdomain
    ? `${name.slice(0, LONGEST_NAME - suffix.length - 1).replace(/[-.]+$/u, "")}.${suffix}`
    : randomUUID();
}

function objectReferenceTo({ apiVersion, kind, metadata }: KubernetesObject): ObjectReference {
  const { name = "", namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}

function cutToBytes(text: string, bytes: number): string {
  const encoded = Buffer.from(text);
  // A character that is cut in two decodes to the replacement character, which goes as well.
  return encoded.length <= bytes
    ? text
    : encoded
        .subarray(0, bytes)
        .toString("utf8")
        .replace(/\uFFFD+$/u, "");
}
