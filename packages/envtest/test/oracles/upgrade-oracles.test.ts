import { describe, expect, it } from "vitest";

import { operatorViolations, servedViolations } from "../../src/oracles/upgrade-oracles.ts";
import type {
  ObservedMetadata,
  ObservedObject,
  ServedObject,
  UpgradeRecord,
} from "../../src/oracles/upgrade-record.ts";

const NOTHING: UpgradeRecord = { step: "before", objects: new Map(), pods: [], served: [], definitions: [] };

function objectWith(metadata: ObservedMetadata, spec: unknown = {}, isOfUser = false): UpgradeRecord {
  const object: ObservedObject = { name: "services default/web", metadata: { uid: "1", ...metadata }, spec, isOfUser };
  return { ...NOTHING, objects: new Map([["1", object]]) };
}

function servedAs(object: Partial<ServedObject>): UpgradeRecord {
  return { ...NOTHING, served: [{ object: "shops default/demo", version: "v1", content: {}, ...object }] };
}

function found(violations: ReturnType<typeof operatorViolations>): readonly string[] {
  return violations.map(({ oracle, message }) => `${oracle}: ${message}`);
}

const OWNER = { kind: "Shop", name: "demo", uid: "2" };

describe("operatorViolations", () => {
  it.each([
    [
      "an owner reference",
      { ownerReferences: [OWNER] },
      { ownerReferences: [] },
      ["owner: services default/web has lost the owner Shop demo"],
    ],
    [
      "a label",
      { labels: { app: "web" } },
      { labels: { app: "shop" } },
      ["label: services default/web has lost or changed the label app"],
    ],
    ["nothing, but adds a label", { labels: { app: "web" } }, { labels: { app: "web", tier: "front" } }, []],
    ["nothing, but adds an owner", {}, { ownerReferences: [OWNER] }, []],
  ])("finds that an object has lost %s", (_, before, after, expected) => {
    expect(found(operatorViolations(objectWith(before), objectWith(after)))).toEqual(expected);
  });

  it("finds another selector of an object of the operator, and none of the user's own change", () => {
    const [before, after] = [{ selector: { app: "web" } }, { selector: { app: "shop" } }];
    expect(found(operatorViolations(objectWith({}, before), objectWith({}, after)))).toEqual([
      "selector: services default/web has another selector: spec.selector",
    ]);
    expect(operatorViolations(objectWith({}, before), objectWith({}, before))).toEqual([]);
  });

  it("finds a rewritten object by its generation, and not where only the version of the storage differs", () => {
    const before = objectWith({ generation: 1 }, { size: 1 }, true);
    expect(found(operatorViolations(before, objectWith({ generation: 2 }, { size: 2 }, true)))).toEqual([
      "rewritten-object: services default/web was rewritten without a change by the user: spec.size",
    ]);
    expect(operatorViolations(before, objectWith({ generation: 1 }, { count: 1 }, true))).toEqual([]);
    expect(operatorViolations(before, objectWith({ generation: 2 }, { size: 1 }, true))).toEqual([]);
  });

  it("finds a deleted object, also when another one has its name", () => {
    const again = {
      ...NOTHING,
      objects: new Map([["3", { name: "services default/web", metadata: { uid: "3" }, isOfUser: false }]]),
    };
    expect(operatorViolations(objectWith({}), again)).toMatchObject([
      { oracle: "replaced-object", object: "services default/web" },
    ]);
  });

  it("finds a field manager that appears on fields of another one, and none on fields of its own", () => {
    const entry = (manager: string, field: string): ObservedMetadata => ({
      managedFields: [{ manager, fieldsV1: { "f:data": { ".": {}, [`f:${field}`]: {} } } }],
    });
    const both = (manager: string, field: string): ObservedMetadata => ({
      managedFields: [
        ...(entry("former", "title").managedFields ?? []),
        ...(entry(manager, field).managedFields ?? []),
      ],
    });
    const before = objectWith(entry("former", "title"));
    expect(operatorViolations(before, objectWith(both("other", "title")))).toMatchObject([
      { oracle: "field-manager", differences: [{ path: "data.title", expected: "former", actual: "other" }] },
    ]);
    expect(operatorViolations(before, objectWith(both("other", "color")))).toEqual([]);
    expect(operatorViolations(before, objectWith(both("former", "title")))).toEqual([]);
  });

  it("explains the replacement of Pods by the template, and counts restarts", () => {
    const pod = (uid: string, restarts: number, template: unknown): UpgradeRecord => ({
      ...NOTHING,
      pods: [{ uid, workload: "deployments.apps default/web", restarts, template }],
    });
    const [a, b] = [{ image: "a" }, { image: "b" }];
    expect(found(operatorViolations(pod("1", 0, a), pod("2", 0, b)))).toEqual([
      "restarted-pod: 1 of 1 Pods of deployments.apps default/web were replaced or restarted, since template.image has changed",
    ]);
    expect(found(operatorViolations(pod("1", 0, a), pod("1", 1, a)))).toEqual([
      "restarted-pod: 1 of 1 Pods of deployments.apps default/web were replaced or restarted, with the same template",
    ]);
    expect(operatorViolations(pod("1", 1, a), pod("1", 1, a))).toEqual([]);
  });
});

describe("servedViolations", () => {
  const judge = (before: UpgradeRecord, after: UpgradeRecord): readonly string[] =>
    servedViolations(before, after, ["spec", "status"]).map(({ oracle, message }) => `${oracle}: ${message}`);

  it("finds lost and changed values in spec, and lost ones in status", () => {
    const before = servedAs({ content: { spec: { a: 1, list: [{ b: 1 }] }, status: { c: 1, d: 1 } } });
    const after = servedAs({ content: { spec: { a: 2, list: [{}], added: 1 }, status: { c: 2 } } });
    expect(judge(before, after)).toEqual([
      "lost-field: shops default/demo in v1: spec.a has another value, spec.list[0].b is lost, status.d is lost",
    ]);
    expect(judge(before, before)).toEqual([]);
  });

  it("finds a version that is not served any more, and objects that cannot be read", () => {
    expect(judge(servedAs({}), NOTHING)).toEqual([
      expect.stringContaining("readable: shops default/demo cannot be read in v1: the version is not served"),
    ]);
    expect(judge(servedAs({}), servedAs({ content: undefined, unreadable: "broken" }))).toEqual([
      "readable: shops default/demo cannot be read in v1: broken",
    ]);
    expect(judge(servedAs({}), servedAs({ unreadable: 'failed calling webhook "x"' }))).toEqual([
      expect.stringMatching(/^webhook: /u),
    ]);
  });

  it("finds objects that are valid no more, but not those that never were", () => {
    const refused = servedAs({ invalid: "too long", immutable: "too long" });
    expect(judge(servedAs({}), refused)).toEqual([
      "valid: shops default/demo is refused in v1 when it is created again: too long",
      "valid: shops default/demo is refused in v1 when it is updated without a change: too long",
    ]);
    expect(judge(refused, refused)).toEqual([]);
  });

  it("compares a new version with the former ones", () => {
    const added = servedAs({ version: "v2", invalid: "no" });
    const both = { ...NOTHING, served: [...servedAs({}).served, ...added.served] };
    expect(judge(servedAs({}), both)).toEqual([
      "valid: shops default/demo is refused in v2 when it is created again: no",
    ]);
  });

  it("finds stored versions that are not served", () => {
    const definitions = [{ name: "shops", served: ["v2"], stored: ["v1", "v2"] }];
    expect(judge(NOTHING, { ...NOTHING, definitions })).toEqual([
      "stored-version: shops may have objects in v1 (status.storedVersions), which is not served",
    ]);
  });
});
