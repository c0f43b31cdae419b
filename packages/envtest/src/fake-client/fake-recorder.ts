import { deepClone, type DeepReadonly } from "@kubescaffold/k8s";
import type { ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import type { EventRecorder, RecordedEvent } from "@kubescaffold/runtime";

/** An event that a {@link FakeRecorder} recorded, with the object that it is about. */
export interface FakeRecordedEvent extends RecordedEvent {
  /** The object that the event is about. */
  readonly regarding: ReadonlyObject;
}

/**
 * A recorder that only remembers events, for unit tests.
 *
 * client-go: tools/events.FakeRecorder
 */
export interface FakeRecorder extends EventRecorder {
  /** The recorded events, the oldest first. */
  readonly events: readonly DeepReadonly<FakeRecordedEvent>[];
  /** Returns the recorded events as lines such as `Normal Created created the deployment`, and forgets them. */
  takeLines(): readonly string[];
}

/**
 * Creates a recorder for a reconciler in a unit test.
 *
 * Guarantees: repeated events are recorded each time; later changes of an object do not change what was recorded.
 *
 * client-go: tools/events.NewFakeRecorder
 *
 * @example
 * const recorder = createFakeRecorder();
 * recorder.event(guestbook, { type: "Normal", reason: "Created", action: "Create", note: "created the deployment" });
 * expect(recorder.takeLines()).toEqual(["Normal Created created the deployment"]);
 */
export function createFakeRecorder(): FakeRecorder {
  const events: DeepReadonly<FakeRecordedEvent>[] = [];
  return {
    events,
    event: (regarding, event) => {
      events.push(deepClone({ ...event, regarding }));
    },
    takeLines: () => events.splice(0).map(({ type, reason, note }) => `${type} ${reason} ${note}`),
  };
}
