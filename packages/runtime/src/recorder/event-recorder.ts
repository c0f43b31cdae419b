import { randomUUID } from "node:crypto";

import { toMicroTime } from "@kubescaffold/k8s";
import type { ObjectReference } from "@kubescaffold/k8s/core/v1";
import { Event } from "@kubescaffold/k8s/events/v1";
import type { ReadonlyObject } from "@kubescaffold/k8s/meta/v1";

import { getReference } from "../client/object-reference.ts";

/** An event about an object. */
export interface RecordedEvent {
  /** `Normal` for information, `Warning` for problems. */
  readonly type: "Normal" | "Warning";
  /** The reason of the event as one machine-readable word: `ScalingReplicaSet`. */
  readonly reason: string;
  /** The action taken or attempted as one machine-readable word: `Scaling`. */
  readonly action: string;
  /** A message for humans; truncated to 1024 bytes. */
  readonly note: string;
  /** A second object that the event is about. */
  readonly related?: ReadonlyObject | undefined;
  /** Annotations of the Event object. Default: none. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/**
 * Records events about objects, for `kubectl describe` and `kubectl events`.
 *
 * client-go: tools/events.EventRecorder
 */
export interface EventRecorder {
  /**
   * Records an event, which is written later.
   *
   * Guarantees: never blocks and never throws; a repeated event increases the count of the existing one.
   *
   * @example
   * recorder.event(guestbook, { type: "Normal", reason: "Created", action: "Create", note: "created the deployment" });
   */
  event(regarding: ReadonlyObject, event: RecordedEvent): void;
}

/** The controller that reports an event. */
export interface Reporter {
  readonly controller: string;
  readonly instance: string;
}

const LONGEST_NOTE_BYTES = 1024;
const LONGEST_NAME = 253;

/** Creates the first event of a series; events about cluster-scoped objects are in the namespace `default`. */
export function makeEventObject(
  regarding: ReadonlyObject,
  { event, reporter, now }: { readonly event: RecordedEvent; readonly reporter: Reporter; readonly now: number },
): Event {
  const { namespace = "" } = regarding.metadata;
  return Event.create({
    metadata: {
      name: eventName(regarding.metadata.name ?? "", now),
      namespace: namespace === "" ? "default" : namespace,
      ...(event.annotations === undefined ? {} : { annotations: { ...event.annotations } }),
    },
    eventTime: toMicroTime(now),
    type: event.type,
    reason: event.reason,
    action: event.action,
    note: cutToBytes(event.note, LONGEST_NOTE_BYTES),
    reportingController: reporter.controller,
    reportingInstance: reporter.instance,
    regarding: getReference(regarding),
    ...(event.related === undefined ? {} : { related: getReference(event.related) }),
  });
}

/** Returns the identity of an event: reporter, reason, action, and objects, regardless of note and resourceVersion. */
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

let sequence = 0;

// The number distinguishes events of one millisecond.
function eventName(name: string, now: number): string {
  sequence = (sequence + 1) % 1_000_000;
  const suffix = (BigInt(Math.trunc(now)) * 1_000_000n + BigInt(sequence)).toString(16);
  const isSubdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/u.test(name);
  return isSubdomain
    ? `${name.slice(0, LONGEST_NAME - suffix.length - 1).replace(/(?<![-.])[-.]+$/u, "")}.${suffix}`
    : randomUUID();
}

function cutToBytes(text: string, bytes: number): string {
  const encoded = Buffer.from(text);
  // A split character decodes to the replacement character, which is removed, too.
  return encoded.length <= bytes
    ? text
    : encoded
        .subarray(0, bytes)
        .toString("utf8")
        .replace(/(?<!\uFFFD)\uFFFD+$/u, "");
}
