import type { ClusterEvent, LogLine } from "../feed/protocol.ts";
import type { NumberedLine } from "../state/model.ts";

/** A line of the view of events and logs. */
export type Entry =
  | { readonly kind: "log"; readonly id: string; readonly at: number; readonly line: LogLine }
  | { readonly kind: "event"; readonly id: string; readonly at: number; readonly event: ClusterEvent };

/** The least severe level that is shown. */
export type Level = "error" | "info" | "debug";

/** The filters of events and logs, as the URL has them. */
export interface LineFilter {
  readonly text: string;
  readonly source: "" | "log" | "event";
  readonly level: Level;
  readonly controller: string;
  /** `namespace/name`, or the name. */
  readonly object: string;
  readonly reconcile: string;
  /** The Pod of the manager; Events match any. */
  readonly pod: string;
}

/** Reads the filters from the parameters of a URL. */
export function lineFilterOf(params: Readonly<Record<string, string>>): LineFilter {
  const { source, level } = params;
  return {
    text: params["q"] ?? "",
    source: source === "log" || source === "event" ? source : "",
    level: level === "error" || level === "debug" ? level : "info",
    controller: params["controller"] ?? "",
    object: params["object"] ?? "",
    reconcile: params["reconcile"] ?? "",
    pod: params["pod"] ?? "",
  };
}

/** Merges lines and events by time, oldest first, and keeps those that match. */
export function filterLines(
  logs: readonly NumberedLine[],
  events: Iterable<ClusterEvent>,
  filter: LineFilter,
): readonly Entry[] {
  const words = filter.text.toLowerCase().split(/\s+/u).filter(Boolean);
  const hasWords = (text: string): boolean => {
    const lower = text.toLowerCase();
    return words.every((word) => lower.includes(word));
  };
  const lines: Entry[] =
    filter.source === "event"
      ? []
      : logs
          .filter(({ line }) => matchesLine(line, filter) && (words.length === 0 || hasWords(textOf(line))))
          .map(({ id, line }) => ({ kind: "log", id: `log-${String(id)}`, at: line.at, line }));
  const shown: Entry[] =
    filter.source === "log" || filter.reconcile !== "" || filter.controller !== ""
      ? []
      : [...events]
          .filter((event) => matchesEvent(event, filter) && (words.length === 0 || hasWords(textOfEvent(event))))
          .map((event) => ({ kind: "event", id: `event-${event.uid}`, at: event.at, event }));
  // Lines come in order; of several at the same time, the order of arrival stays.
  return shown.length === 0 ? lines : [...lines, ...shown].sort((left, right) => left.at - right.at);
}

function matchesLine(line: LogLine, { level, controller, object, reconcile, pod }: LineFilter): boolean {
  if (pod !== "" && line.pod !== pod) return false;
  if (level === "error" && line.level !== "error") return false;
  if (level === "info" && line.level === "debug") return false;
  if (controller !== "" && line.controller !== controller) return false;
  if (reconcile !== "" && line.reconcileId !== reconcile) return false;
  return object === "" || line.object === object;
}

function matchesEvent(event: ClusterEvent, { level, object }: LineFilter): boolean {
  if (level === "error" && event.severity !== "Warning") return false;
  return object === "" || objectOfEvent(event) === object;
}

/** Names the object of an event. */
export function objectOfEvent({ namespace, name }: ClusterEvent): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}

function textOf(line: LogLine): string {
  const { message, logger, controller = "", object = "", error = "", fields } = line;
  return [message, logger, controller, object, error, fields === undefined ? "" : JSON.stringify(fields)].join(" ");
}

function textOfEvent(event: ClusterEvent): string {
  return [event.reason, event.message, event.source, event.kind, objectOfEvent(event)].join(" ");
}
