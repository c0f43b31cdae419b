import type { StoreEvent } from "../../src/storage/object-reader.ts";
import type { Body } from "../support/test-server.ts";

/** What a watcher sees of a kind. */
export interface WatchSelection {
  /** Empty for all namespaces. */
  readonly namespace: string;
  readonly selector: string;
  readonly isSelected: (labels: Readonly<Record<string, string>>, name: string) => boolean;
}

/** One event, in a form that is equal for the store and for watchers. */
export type ShownEvent = string;

/** Returns the shown form of an event. */
export function shownEvent(type: string, { metadata }: Body, content: unknown): ShownEvent {
  return `${type} ${metadata.namespace}/${metadata.name}@${metadata.resourceVersion} ${String(content)}`;
}

interface ExpectedWatch {
  readonly history: readonly StoreEvent[];
  readonly selection: WatchSelection;
  /** The revision at which the watch starts. */
  readonly revision: number;
  /** Whether the objects of that revision come first. */
  readonly hasInitialEvents: boolean;
  readonly contentOf: (stored: Body) => unknown;
}

/** Returns the events of a watch, replayed from the history of the store alone. */
export function expectedEvents({
  history,
  selection,
  revision,
  hasInitialEvents,
  contentOf,
}: ExpectedWatch): readonly ShownEvent[] {
  const objects = new Map<string, Body>();
  const events: ShownEvent[] = [];
  let isStarted = false;
  const start = (): void => {
    isStarted = true;
    if (!hasInitialEvents) return;
    for (const key of [...objects.keys()].toSorted()) {
      const object: Body = objects.get(key);
      if (isSeen(selection, object)) events.push(shownEvent("ADDED", object, contentOf(object)));
    }
  };
  for (const event of history) {
    if (!isStarted && event.revision > revision) start();
    const before: Body = objects.get(event.key);
    if (event.kind === "deleted") objects.delete(event.key);
    else objects.set(event.key, event.object);
    if (!isStarted) continue;
    const was = before !== undefined && isSeen(selection, before);
    const is = event.kind !== "deleted" && isSeen(selection, event.object);
    if (is) events.push(shownEvent(was ? "MODIFIED" : "ADDED", event.object, contentOf(event.object)));
    else if (was) {
      const metadata = { ...before.metadata, resourceVersion: String(event.revision) };
      events.push(shownEvent("DELETED", { metadata }, contentOf(before)));
    }
  }
  if (!isStarted) start();
  return events;
}

function isSeen({ namespace, isSelected }: WatchSelection, { metadata }: Body): boolean {
  const { labels = {}, name } = metadata;
  return (namespace === "" || metadata.namespace === namespace) && isSelected(labels, name);
}
