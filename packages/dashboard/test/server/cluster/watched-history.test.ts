import type { KubernetesObject, ManagedFieldsEntry } from "@kubescaffold/k8s/meta/v1";
import { FakeClock } from "@kubescaffold/platform/clock";
import { expect, it } from "vitest";

import { WatchedHistory } from "../../../src/server/cluster/watched-history.ts";
import { readHistory } from "../../../src/server/objects/object-reads.ts";

const START = Date.UTC(2026, 0, 1);
const time = (seconds: number): string => new Date(START + seconds * 1000).toISOString().replace(".000", "");

function entry(manager: string, seconds: number, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry {
  return { manager, operation: "Update", apiVersion: "v1", time: time(seconds), fieldsV1: {}, ...more };
}

function object(
  resourceVersion: number,
  managedFields: ManagedFieldsEntry[],
  fields: Readonly<Record<string, unknown>> = {},
): KubernetesObject {
  const metadata = { name: "web", namespace: "default", uid: "1", creationTimestamp: time(-60) };
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    ...fields,
    metadata: { ...metadata, resourceVersion: String(resourceVersion), managedFields },
  };
}

const versionsOf = (history: WatchedHistory, uid = "1"): ReturnType<typeof readHistory>["versions"] =>
  readHistory(history, uid, () => undefined).versions;

it("tells who wrote each version by the field managers, and what it changed", async () => {
  const clock = new FakeClock(START);
  const history = new WatchedHistory(clock);
  const [kubectl, manager] = [entry("kubectl-create", -60), entry("manager", 10)];
  history.record(object(1, [kubectl], { data: { a: "1" } }), { isExisting: true });
  await clock.advance(10_000);
  history.record(object(2, [kubectl, manager], { data: { a: "2" } }), { isExisting: false });
  await clock.advance(10_000);
  const applied = entry("dashboard", 20, { operation: "Apply" });
  history.record(object(3, [kubectl, manager, applied], { data: { a: "3" } }), { isExisting: false });
  const status = entry("kubelet", 20, { subresource: "status" });
  history.record(object(4, [kubectl, manager, applied, status]), { isExisting: false });
  history.delete("1");
  expect(versionsOf(history)).toMatchObject([
    { resourceVersion: "1", at: START - 60_000, verb: "", manager: "kubectl-create", diff: [] },
    { resourceVersion: "2", at: START + 10_000, verb: "update", manager: "manager", user: "" },
    { resourceVersion: "3", at: START + 20_000, verb: "apply", manager: "dashboard" },
    { resourceVersion: "4", verb: "update", subresource: "status", manager: "kubelet" },
    { resourceVersion: "4", verb: "delete" },
  ]);
  // Each write changes the version, which is beside the changes.
  expect(versionsOf(history)[1]?.diff.filter(({ kind }) => kind === "added" || kind === "removed")).toEqual([
    { kind: "removed", text: '  a: "1"' },
    { kind: "added", text: '  a: "2"' },
  ]);
});

it("records an object that is created later, and not what a list repeats", () => {
  const history = new WatchedHistory(new FakeClock(START));
  const created = object(5, [entry("manager", 0)]);
  history.record(created, { isExisting: false });
  history.record(created, { isExisting: false });
  history.record(created, { isExisting: true });
  expect(versionsOf(history)).toMatchObject([{ resourceVersion: "5", verb: "create", manager: "manager" }]);
});

it("has no data of Secrets", () => {
  const history = new WatchedHistory(new FakeClock(START));
  const token = Buffer.from("secret").toString("base64");
  history.record({ ...object(1, []), kind: "Secret", data: { token } } as never, { isExisting: true });
  const [version] = versionsOf(history);
  expect(version?.yaml).toContain("token: REDACTED");
  expect(version?.yaml).not.toContain(token);
});

it("forgets the oldest versions beyond its limits, first of objects that did not change for the longest time", () => {
  const history = new WatchedHistory(new FakeClock(START), { versions: 4, versionsPerObject: 3 });
  const named = (uid: string, version: number): KubernetesObject => {
    const { metadata, ...fields } = object(version, []);
    return { ...fields, metadata: { ...metadata, uid } };
  };
  history.record(named("idle", 1), { isExisting: true });
  for (const version of [2, 3, 4, 5]) history.record(named("busy", version), { isExisting: version === 2 });
  const busy = history.history({ metadata: { uid: "busy" } });
  expect(busy.versions.map(({ resourceVersion }) => resourceVersion)).toEqual(["3", "4", "5"]);
  expect(busy.isTruncated).toBe(true);
  expect(versionsOf(history, "idle")).toHaveLength(1);
  history.record(named("third", 6), { isExisting: false });
  expect(versionsOf(history, "idle")).toHaveLength(0);
  expect(versionsOf(history, "third")).toHaveLength(1);
});
