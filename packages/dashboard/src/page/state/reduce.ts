import type { Connection } from "../feed/event-stream.ts";
import type { ControllerSample, DashboardMessage, LogLine, ObjectChange } from "../feed/protocol.ts";
import { permissionKey } from "./filter-permissions.ts";
import { INITIAL_STATE, LIMITS, type ControllerSeries, type NumberedLine, type State } from "./model.ts";
import { objectEntry } from "./object-entry.ts";

/** What changes the state. */
export type Action =
  | { readonly kind: "messages"; readonly messages: readonly DashboardMessage[]; readonly now: number }
  | { readonly kind: "connection"; readonly connection: Connection };

/** Returns the state after an action. Each collection is copied at most once per action. */
export function reduce(state: State, action: Action): State {
  switch (action.kind) {
    case "connection":
      return { ...state, connection: action.connection };
    case "messages":
      return reduceMessages(state, action.messages, action.now);
  }
}

type Draft = { -readonly [Key in keyof State]: State[Key] };

function reduceMessages(state: State, messages: readonly DashboardMessage[], now: number): State {
  // A hello begins a new stream: everything before it is forgotten.
  const start = messages.findLastIndex((message) => message.type === "hello");
  const draft: Draft = start === -1 ? { ...state } : { ...INITIAL_STATE, connection: state.connection };
  const edit = copies(draft);
  for (const message of messages.slice(Math.max(start, 0))) apply(draft, edit, message, now);
  trim(draft, edit);
  return draft;
}

function apply(draft: Draft, edit: ReturnType<typeof copies>, message: DashboardMessage, now: number): void {
  switch (message.type) {
    case "hello":
      draft.hello = message;
      return;
    case "object":
      edit.map("objects").set(message.object.uid, entryOf(message, now));
      return;
    case "reconcile":
      edit.map("reconciles").set(message.id, message);
      return;
    case "controller":
      edit.map("controllers").set(message.controller, withSample(draft.controllers.get(message.controller), message));
      return;
    case "cache":
      edit.map("caches").set(`${message.apiVersion}/${message.kind}`, message);
      return;
    case "webhook":
      edit.map("webhooks").set(message.id, message);
      return;
    case "permission":
      edit.map("permissions").set(permissionKey(message), message);
      return;
    case "permission-removed":
      edit.map("permissions").delete(permissionKey(message));
      return;
    case "event":
      // A repeated event moves to the end.
      edit.map("events").delete(message.uid);
      edit.map("events").set(message.uid, message);
      return;
    case "log":
      edit.lines().push(numbered(edit.lines(), message));
      return;
    case "manager":
      draft.manager = message;
      return;
    case "fault":
      edit.map("faults").set(message.name, message);
      return;
    case "project":
      draft.project = message;
      return;
    case "replicas":
      draft.replicas = message.replicas;
      return;
    case "webhook-totals":
      edit.map("webhookTotals").set(message.path, message);
      return;
    case "problems":
      draft.problems = message.problems;
      return;
  }
}

type MapKey = {
  [Key in keyof State]: State[Key] extends ReadonlyMap<string, unknown> ? Key : never;
}[keyof State];
type ValueOf<Key extends MapKey> = State[Key] extends ReadonlyMap<string, infer Value> ? Value : never;

// Copies a collection when it is first changed.
function copies(draft: Draft): {
  readonly map: <Key extends MapKey>(key: Key) => Map<string, ValueOf<Key>>;
  readonly lines: () => NumberedLine[];
} {
  const maps = new Map<MapKey, Map<string, unknown>>();
  let lines: NumberedLine[] | undefined;
  return {
    map: <Key extends MapKey>(key: Key) => {
      let copy = maps.get(key);
      if (copy === undefined) {
        copy = new Map<string, unknown>(draft[key]);
        maps.set(key, copy);
        (draft as Record<MapKey, unknown>)[key] = copy;
      }
      return copy as Map<string, ValueOf<Key>>;
    },
    lines: () => {
      if (lines === undefined) {
        lines = [...draft.logs];
        draft.logs = lines;
      }
      return lines;
    },
  };
}

function entryOf({ change, object }: ObjectChange, now: number): ReturnType<typeof objectEntry> {
  return objectEntry(object, { isDeleted: change === "deleted", seenAt: change === "existing" ? 0 : now });
}

function withSample(series: ControllerSeries | undefined, sample: ControllerSample): ControllerSeries {
  const samples = [...(series?.samples ?? []).slice(1 - LIMITS.samples), sample];
  return { latest: sample, samples };
}

function numbered(lines: readonly NumberedLine[], line: LogLine): NumberedLine {
  return { id: (lines.at(-1)?.id ?? 0) + 1, line };
}

function trim(draft: Draft, edit: ReturnType<typeof copies>): void {
  for (const key of ["reconciles", "webhooks", "events"] as const) {
    const excess = draft[key].size - LIMITS[key];
    if (excess > 0) for (const id of [...draft[key].keys()].slice(0, excess)) edit.map(key).delete(id);
  }
  if (draft.logs.length > LIMITS.logs) edit.lines().splice(0, draft.logs.length - LIMITS.logs);
  trimDeletedObjects(draft, edit);
}

function trimDeletedObjects(draft: Draft, edit: ReturnType<typeof copies>): void {
  if (draft.objects.size <= LIMITS.deletedObjects) return;
  const deleted = [...draft.objects.values()].filter((entry) => entry.isDeleted);
  const excess = deleted.length - LIMITS.deletedObjects;
  if (excess <= 0) return;
  const oldest = deleted.toSorted((left, right) => left.seenAt - right.seenAt).slice(0, excess);
  for (const { summary } of oldest) edit.map("objects").delete(summary.uid);
}
