import { asRecord } from "@kubescaffold/platform";

import type { ClusterEvent } from "../contract/protocol.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Returns the message of an Event, of `v1` or `events.k8s.io/v1`; both store the same fields under different names. */
export function clusterEventOf(event: object): ClusterEvent {
  const fields = event as Fields;
  const metadata = asRecord(fields["metadata"]);
  const about = asRecord(fields["involvedObject"] ?? fields["regarding"]);
  const series = asRecord(fields["series"]);
  const source = asRecord(fields["source"] ?? fields["deprecatedSource"]);
  const times = [
    series["lastObservedTime"],
    fields["lastTimestamp"],
    fields["deprecatedLastTimestamp"],
    fields["eventTime"],
    metadata["creationTimestamp"],
  ];
  return {
    type: "event",
    uid: textOf(metadata["uid"]),
    at: Date.parse(times.map(textOf).find((time) => time !== "") ?? "") || 0,
    severity: fields["type"] === "Warning" ? "Warning" : "Normal",
    reason: textOf(fields["reason"]),
    message: textOf(fields["message"] ?? fields["note"]),
    count: numberOf(series["count"]) ?? numberOf(fields["count"]) ?? numberOf(fields["deprecatedCount"]) ?? 1,
    source: textOf(fields["reportingComponent"] ?? fields["reportingController"]) || textOf(source["component"]),
    kind: textOf(about["kind"]),
    namespace: textOf(about["namespace"]),
    name: textOf(about["name"]),
    objectUid: textOf(about["uid"]),
  };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
