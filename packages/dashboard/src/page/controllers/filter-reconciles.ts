import type { ReconcileRecord, ReconcileTrigger } from "../feed/protocol.ts";
import { plural } from "../parts/format.ts";

/** The groups of outcomes that the filter offers. */
export type OutcomeFilter = "" | "error" | "requeue" | "writes" | "running";

/** The filters of reconciles, as the URL has them. */
export interface ReconcileFilter {
  readonly controller: string;
  /** `namespace/name`, or a part of it. */
  readonly object: string;
  readonly outcome: OutcomeFilter;
}

const OUTCOMES: readonly OutcomeFilter[] = ["error", "requeue", "writes", "running"];

/** Reads the filters from the parameters of a URL. */
export function reconcileFilterOf(params: Readonly<Record<string, string>>): ReconcileFilter {
  return {
    controller: params["controller"] ?? "",
    object: params["object"] ?? "",
    outcome: OUTCOMES.find((each) => each === params["outcome"]) ?? "",
  };
}

/** Returns the reconciles that match, newest first. */
export function filterReconciles(
  records: Iterable<ReconcileRecord>,
  { controller, object, outcome }: ReconcileFilter,
): readonly ReconcileRecord[] {
  const text = object.toLowerCase();
  return [...records]
    .filter(
      (record) =>
        (controller === "" || record.controller === controller) &&
        (text === "" || objectOf(record).toLowerCase().includes(text)) &&
        hasOutcome(record, outcome),
    )
    .toReversed();
}

/** Names the object of a reconcile: `namespace/name`, or the name. */
export function objectOf({ namespace, name }: Pick<ReconcileRecord, "namespace" | "name">): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}

const TRIGGERS: Readonly<Record<ReconcileTrigger["reason"], string>> = {
  created: "Creation",
  updated: "Update",
  deleted: "Deletion",
  generic: "Event",
  "initial-list": "Start of the watch",
  resync: "Resync",
  requeue: "Requeue",
  "requeue-after": "Requeue after its delay",
  retry: "Retry after an error",
};

/**
 * Describes why a reconcile was queued, such as `Update of Deployment default/web`; empty if that is not known. A namespace that is shown beside it is
 * left out.
 */
export function triggerOf({ trigger }: Pick<ReconcileRecord, "trigger">, shownNamespace = ""): string {
  if (trigger === undefined) return "";
  const { reason, object, merged = 0 } = trigger;
  const of =
    object === undefined || object.name === ""
      ? ""
      : ` of ${object.kind} ${objectOf(withoutNamespace(object, shownNamespace))}`;
  const joint = reason === "initial-list" && of !== "" ? of.replace(" of ", ": ") : of;
  return `${TRIGGERS[reason]}${joint}${merged === 0 ? "" : `, and ${plural(merged, "later event")}`}`;
}

function withoutNamespace<T extends Pick<ReconcileRecord, "namespace" | "name">>(object: T, namespace: string): T {
  return object.namespace === namespace ? { ...object, namespace: "" } : object;
}

/** Reports whether a reconcile ended with an update conflict, which is part of normal operation: it is repeated with the newer version. */
export function isConflict({ outcome, errorCode }: Pick<ReconcileRecord, "outcome" | "errorCode">): boolean {
  return outcome === "error" && errorCode === "Conflict";
}

/** Reports whether a reconcile failed; a conflict is no failure. */
export function isFailure(record: Pick<ReconcileRecord, "outcome" | "errorCode">): boolean {
  const { outcome } = record;
  if (isConflict(record)) return false;
  return outcome === "error" || outcome === "terminal-error" || outcome === "panic";
}

function hasOutcome(record: ReconcileRecord, filter: OutcomeFilter): boolean {
  switch (filter) {
    case "":
      return true;
    case "error":
      return isFailure(record);
    case "requeue":
      return record.outcome === "requeue" || record.outcome === "requeue-after" || isConflict(record);
    case "writes":
      return record.writes.length > 0;
    case "running":
      return record.outcome === "running";
  }
}
