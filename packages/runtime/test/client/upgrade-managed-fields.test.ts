import { Environment } from "@kubescaffold/envtest";
import { isConflict } from "@kubescaffold/k8s";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import type { ManagedFieldsEntry } from "@kubescaffold/k8s/meta/v1";
import { afterAll, describe, expect, it } from "vitest";

import { createClient } from "../../src/client/create-client.ts";
import { upgradeManagedFields, upgradeManagedFieldsPatch } from "../../src/client/upgrade-managed-fields.ts";

const environment = new Environment();
afterAll(() => environment.stop());

const UPGRADE = { updaters: ["before"], applier: "applier" };

const entry = (
  manager: string,
  operation: "Apply" | "Update",
  fields: readonly string[],
  more: Partial<ManagedFieldsEntry> = {},
): ManagedFieldsEntry => ({
  manager,
  operation,
  apiVersion: "v1",
  fieldsType: "FieldsV1",
  fieldsV1: { "f:data": Object.fromEntries(fields.map((name) => [`f:${name}`, {}])) },
  ...more,
});

const upgraded = (managedFields: ManagedFieldsEntry[], upgrade = UPGRADE): readonly ManagedFieldsEntry[] =>
  upgradeManagedFields(ConfigMap.create({ metadata: { name: "a", managedFields } }), upgrade);

describe("upgradeManagedFields", () => {
  it("makes the fields of an update applied ones", () => {
    expect(upgraded([entry("before", "Update", ["a"]), entry("other", "Update", ["b"])])).toEqual([
      entry("applier", "Apply", ["a"]),
      entry("other", "Update", ["b"]),
    ]);
  });

  it("adds them to those that were applied already", () => {
    expect(upgraded([entry("before", "Update", ["a"]), entry("applier", "Apply", ["b"])])).toEqual([
      entry("applier", "Apply", ["a", "b"]),
    ]);
  });

  it("unites several updaters", () => {
    const entries = [entry("first", "Update", ["a"]), entry("second", "Update", ["b"])];
    expect(upgraded(entries, { updaters: ["first", "second"], applier: "applier" })).toEqual([
      entry("applier", "Apply", ["a", "b"]),
    ]);
  });

  it("drops updates in another version, whose field paths may differ", () => {
    const old = entry("before", "Update", ["old"], { apiVersion: "v1beta1" });
    expect(upgraded([entry("before", "Update", ["a"]), old])).toEqual([entry("applier", "Apply", ["a"])]);
  });

  it("leaves the entries of subresources, unless one is selected", () => {
    const status = entry("before", "Update", ["a"], { subresource: "status" });
    expect(upgraded([status])).toEqual([status]);
    const upgrade = { ...UPGRADE, subresource: "status" };
    expect(upgraded([status], upgrade)).toEqual([entry("applier", "Apply", ["a"], { subresource: "status" })]);
  });

  it("changes nothing without updates, and nothing the second time", () => {
    const other = entry("other", "Update", ["b"]);
    expect(upgraded([])).toEqual([]);
    expect(upgraded([other])).toEqual([other]);
    const once = upgraded([entry("before", "Update", ["a"]), other]);
    expect(upgraded([...once])).toEqual(once);
    const object = ConfigMap.create({ metadata: { name: "a", managedFields: [...once] } });
    expect(upgradeManagedFieldsPatch(object, UPGRADE)).toBeUndefined();
  });
});

describe("upgradeManagedFieldsPatch on a server", () => {
  it("lets server-side apply remove fields that were written by an update, and fails for an old object", async () => {
    const client = createClient(await environment.start());
    const metadata = { namespace: "default", name: "upgraded" };
    const created = await client.create(ConfigMap.create({ metadata, data: { kept: "1", removed: "1" } }), {
      fieldOwner: "before",
    });
    const upgrade = upgradeManagedFieldsPatch(created, UPGRADE);
    if (upgrade === undefined) throw new TypeError("the object has managed fields");
    await client.patch(created, upgrade);
    await expect(client.patch(created, upgrade)).rejects.toSatisfy(isConflict);
    const applied = await client.apply(ConfigMap.create({ metadata, data: { kept: "1" } }), { fieldOwner: "applier" });
    expect(applied.data).toEqual({ kept: "1" });
    expect(applied.metadata.managedFields?.map(({ manager, operation }) => `${manager} ${operation}`)).toEqual([
      "applier Apply",
    ]);
  });
});
