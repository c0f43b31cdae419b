import { beforeEach, describe, expect, it, onTestFinished } from "vitest";

import { loadRelease } from "../../src/release/release.ts";
import { createServerOf } from "../../src/server/create-api-server.ts";
import { type Body, CRDS, foo, fooCrd, FOOS, TestServer } from "../support/test-server.ts";

const MINORS = ["1.34", "1.35", "1.36", "1.37"] as const;
const PROPERTIES = {
  whole: { type: "integer" },
  small: { type: "integer", format: "int32" },
  bounded: { type: "integer", maximum: 9.5 },
  factor: { type: "integer", multipleOf: 1.5 },
  single: { type: "number", format: "float" },
  either: { "x-kubernetes-int-or-string": true, format: "int-or-string" },
  dated: { type: "integer", format: "date" },
  embedded: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
};

// Each answer is that of kube-apiserver 1.35.4 or 1.37.2.
describe.each(MINORS)("the rules of custom resources of Kubernetes %s", (minor) => {
  const isSince = (first: (typeof MINORS)[number]): boolean => MINORS.indexOf(minor) >= MINORS.indexOf(first);
  let server: TestServer;

  beforeEach(() => {
    const release = loadRelease(minor);
    if (release === undefined) throw new Error(`there is no release ${minor}`);
    server = new TestServer({}, (options) => createServerOf(release, options));
    onTestFinished(async () => await server.server.close());
  });

  it.each([
    [{ small: 3_000_000_000 }, [outside("Checked", "integer with format int32", "small")]],
    [{ small: -(2 ** 31) }, []],
    [{ single: 1e39 }, [outside("Checked", "number with format float", "single")]],
    [{ either: "a", dated: 3 }, []],
  ])("check the range of %j since 1.36", async (spec, causes) => {
    await server.define(fooCrd(PROPERTIES));
    const { code, body } = await server.post(FOOS, foo("a", spec));
    expect(code === 201 ? [] : causesOf(body)).toEqual(isSince("1.36") ? causes : []);
  });

  it("report a fraction by its type, and since 1.36 by its range", async () => {
    await server.define(fooCrd(PROPERTIES));
    const { body } = await server.post(FOOS, foo("a", { whole: 1.5 }));
    const wrongType = 'spec.whole: Invalid value: "number": spec.whole in body must be of type integer: "number"';
    const range = outside("Checked", "integer (default format)", "whole");
    expect(causesOf(body)).toEqual(isSince("1.36") ? [wrongType, range] : [wrongType]);
  });

  it("compare an integer with a bound that is none", async () => {
    await server.define(fooCrd(PROPERTIES));
    const { body } = await server.post(FOOS, foo("a", { bounded: 12, factor: 4 }));
    const bound = (limit: string): string =>
      `spec.bounded: Invalid value: 12: spec.bounded in body should be less than or equal to ${limit}`;
    const factor = "spec.factor: Invalid value: 4: spec.factor in body should be a multiple of 1.5";
    expect(causesOf(body)).toEqual(
      isSince("1.36")
        ? [
            outside("Maximum boundary", "integer (default format)", "bounded"),
            bound("9.5"),
            outside("MultipleOf", "integer (default format)", "factor"),
            factor,
          ]
        : [bound("9")],
    );
  });

  it("check the range of defaults", async () => {
    const { code, body } = await server.post(
      CRDS,
      fooCrd({ size: { type: "integer", format: "int32", default: 3e9 } }),
    );
    const place = "spec.validation.openAPIV3Schema.properties[spec].properties[size].default";
    const message = 'Invalid value: "": Checked value must be of type integer with format int32 in ';
    expect(code === 201 ? [] : causesOf(body)).toEqual(isSince("1.36") ? [`${place}: ${message}`] : []);
  });

  it("warn about the formats that they ignore", async () => {
    const properties = {
      ...PROPERTIES,
      list: { type: "array", format: "email", items: { type: "string", format: "bogus" } },
    };
    const { warning } = await server.post(CRDS, fooCrd(properties));
    const formats = isSince("1.36") ? ["int-or-string", "date", "email", "bogus"] : ["bogus"];
    expect(warning).toBe(formats.map((format) => String.raw`299 - "unrecognized format \"${format}\""`).join(", "));
  });

  it("warn once about sets of objects", async () => {
    const items = { type: "object", "x-kubernetes-map-type": "atomic", properties: { a: { type: "string" } } };
    const crd = fooCrd({ set: { type: "array", "x-kubernetes-list-type": "set", items } });
    const { warning } = await server.post(CRDS, crd);
    const text = String.raw`299 - "x-kubernetes-list-type: set for items of type \"object\" is not supported by server-side apply or CEL validation rules"`;
    expect(warning).toBe(isSince("1.37") ? text : null);
    await server.server.idle();
    const updated = await server.change(`${CRDS}/foos.example.com`, (object) => (object.spec.names.categories = ["x"]));
    expect([updated.code, updated.warning]).toEqual([200, null]);
  });

  it("name the item of an invalid owner of an embedded object", async () => {
    await server.define(fooCrd(PROPERTIES));
    const ownerReferences = [{ apiVersion: "v1", kind: "", name: "n", uid: "u" }];
    const embedded = { apiVersion: "v1", kind: "ConfigMap", metadata: { ownerReferences } };
    const { body } = await server.post(FOOS, foo("a", { embedded }));
    expect(causesOf(body)).toEqual([
      isSince("1.37")
        ? "spec.embedded.metadata.ownerReferences[0].kind: Required value: must not be empty"
        : 'spec.embedded.metadata.ownerReferences.kind: Invalid value: "": must not be empty',
    ]);
  });

  it("bound the names that rules read", async () => {
    const crd = fooCrd({ list: { type: "array", maxItems: 1000, items: { type: "string", maxLength: 100 } } });
    const rule = "self.spec.list.all(x, self.metadata.name.contains(x))";
    crd.spec.versions[0].schema.openAPIV3Schema["x-kubernetes-validations"] = [{ rule }];
    const { code } = await server.post(CRDS, crd);
    expect(code).toBe(isSince("1.37") ? 201 : 422);
  });

  it("refuse new objects of a definition that is being deleted, also once its objects are gone", async () => {
    const crd = fooCrd();
    await server.define({ ...crd, metadata: { ...crd.metadata, finalizers: ["example.com/held"] } });
    await server.delete(`${CRDS}/foos.example.com`);
    await server.server.idle();
    const { code } = await server.post(FOOS, foo("a"));
    expect(code).toBe(isSince("1.37") ? 403 : 201);
  });

  it("refuse a delete of a definition or namespace that is another", async () => {
    await server.define(fooCrd());
    const options = { preconditions: { uid: "x" } };
    const definition = await server.delete(`${CRDS}/foos.example.com`, options);
    expect(definition.body.message).toContain(
      `"foos.example.com": ${isSince("1.37") ? "precondition" : "Precondition"} failed: UID in precondition: x, UID in object meta: `,
    );
    await server.post("/api/v1/namespaces", { metadata: { name: "other" } });
    const namespace = await server.delete("/api/v1/namespaces/other", options);
    expect(namespace.body.message).toContain(
      'on namespaces "other": Precondition failed: UID in precondition: x, UID in object meta: ',
    );
  });

  it.each([
    ["custom resources", `${FOOS}/a`, "1.36", false],
    ["definitions", `${CRDS}/foos.example.com`, "1.36", true],
  ] as const)(
    "record who owns labels that a write of the status of %s changes",
    async (_kinds, path, first, ownsSince) => {
      await server.define(fooCrd());
      await server.post(FOOS, foo("a"));
      const headers = { "Content-Type": "application/merge-patch+json" };
      const patch = { metadata: { labels: { a: "b" } }, status: { conditions: null, phase: "x" } };
      const { body } = await server.call("PATCH", `${path}/status?fieldManager=writer`, patch, headers);
      const owned = (body.metadata.managedFields as readonly Body[]).filter(({ manager }) => manager === "writer");
      const ownsLabels = owned.some(({ fieldsV1 }) => fieldsV1["f:metadata"] !== undefined);
      expect(ownsLabels).toBe(isSince(first) === ownsSince);
    },
  );
});

function outside(prefix: string, type: string, field: string): string {
  return `<nil>: Invalid value: "": ${prefix} value must be of type ${type} in spec.${field}`;
}

function causesOf({ details }: Body): readonly string[] {
  return (details.causes as readonly Body[]).map(({ field, message }) => `${String(field)}: ${String(message)}`);
}
