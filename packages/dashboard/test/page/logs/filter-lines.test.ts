import { describe, expect, it } from "vitest";

import type { ClusterEvent, LogLine } from "../../../src/page/feed/protocol.ts";
import { filterLines, lineFilterOf } from "../../../src/page/logs/filter-lines.ts";

const line = (at: number, more: Partial<LogLine>): LogLine => ({
  type: "log",
  at,
  level: "info",
  logger: "setup",
  message: "started",
  ...more,
});

const LOGS = [
  line(1, {}),
  line(3, { level: "error", controller: "guestbook", object: "ns/a", reconcileId: "r1", error: "quota exceeded" }),
  line(4, { level: "debug", controller: "other", fields: { replicas: 7 } }),
].map((each, index) => ({ id: index + 1, line: each }));

const EVENT: ClusterEvent = {
  type: "event",
  uid: "e",
  at: 2,
  severity: "Warning",
  reason: "FailedCreate",
  message: "quota",
  count: 1,
  source: "s",
  kind: "Guestbook",
  namespace: "ns",
  name: "a",
  objectUid: "u",
};

describe("the filters of events and logs", () => {
  it.each([
    [{}, ["log-1", "event-e", "log-2"]],
    [{ level: "debug" }, ["log-1", "event-e", "log-2", "log-3"]],
    [{ level: "error" }, ["event-e", "log-2"]],
    [{ source: "log" }, ["log-1", "log-2"]],
    [{ source: "event" }, ["event-e"]],
    [{ q: "QUOTA" }, ["event-e", "log-2"]],
    [{ q: "replicas 7", level: "debug" }, ["log-3"]],
    [{ controller: "guestbook" }, ["log-2"]],
    [{ object: "ns/a" }, ["event-e", "log-2"]],
    [{ reconcile: "r1" }, ["log-2"]],
  ])("%o", (params, expected) => {
    expect(filterLines(LOGS, [EVENT], lineFilterOf(params)).map(({ id }) => id)).toEqual(expected);
  });
});
