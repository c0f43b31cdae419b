import { printServerJson } from "@kubescaffold/k8s";
import { beforeAll, describe, expect, it } from "vitest";

import { accessReviews } from "../../src/authorization/access-reviews.ts";
import { CONFIG_MAPS, configMap, CRDS, fooCrd, FOOS, TestServer, type Answer } from "../support/test-server.ts";

const DEEPEST = 10_000;
const TOO_DEEP = [10_001, 20_001, 100_000];
const APPLY = { "Content-Type": "application/apply-patch+yaml" };
const YAML = { "Content-Type": "application/yaml" };
const OBJECT_PROBLEM = "couldn't get version/kind; json parse error: invalid character '{' exceeded max depth";

describe("deeply nested bodies", () => {
  let test: TestServer;

  beforeAll(async () => {
    test = new TestServer({ kubernetesVersion: "1.35", virtualResources: [accessReviews] });
    await test.define(fooCrd({}, { schema: { openAPIV3Schema: FREE } }));
    await test.post(CONFIG_MAPS, configMap("base"));
    await test.post(FOOS, fooText("base", "{}"));
  });

  it.each(TOO_DEEP)("are refused in creates and updates, at %i levels", async (levels) => {
    const configMapText = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"base"},"x":${nested(levels - 1)}}`;
    expect(refusalIn(await test.post(CONFIG_MAPS, configMapText))).toEqual(refused(OBJECT_PROBLEM));
    expect(refusalIn(await test.post(`${CONFIG_MAPS}?dryRun=All`, configMapText))).toEqual(refused(OBJECT_PROBLEM));
    expect(refusalIn(await test.call("PUT", `${CONFIG_MAPS}/base`, configMapText))).toEqual(refused(OBJECT_PROBLEM));
    expect(refusalIn(await test.post(FOOS, fooText("deep", nested(levels - 1))))).toEqual(refused(OBJECT_PROBLEM));
    expect(refusalIn(await test.put(`${FOOS}/base/status`, fooText("base", "{}", nested(levels - 1))))).toEqual(
      refused(OBJECT_PROBLEM),
    );
    expect(refusalIn(await test.post(CONFIG_MAPS, "[".repeat(levels)))).toEqual(
      refused("invalid character '[' exceeded max depth"),
    );
  });

  it.each(TOO_DEEP)("are refused in patches, at %i levels", async (levels) => {
    const value = nested(levels - 1);
    for (const target of [`${CONFIG_MAPS}/base`, `${FOOS}/base`, `${FOOS}/base/status`]) {
      expect(refusalIn(await test.patch(target, `{"spec":${value}}`))).toEqual(
        refused("error decoding patch: invalid character '{' exceeded max depth"),
      );
      expect(refusalIn(await test.patch(target, `[{"op":"add","path":"/spec","value":${value}}]`, "json"))).toEqual(
        refused("error decoding patch: invalid character '{' exceeded max depth"),
      );
    }
    const strategic = await test.patch(`${CONFIG_MAPS}/base`, `{"data":${value}}`, "strategic-merge");
    expect(refusalIn(strategic)).toEqual(refused("invalid character '{' exceeded max depth"));
  });

  it.each(TOO_DEEP)("are refused in YAML, at %i levels", async (levels) => {
    const text = fooText("applied", nested(levels - 1));
    const applied = await test.call("PATCH", `${FOOS}/applied?fieldManager=x`, text, APPLY);
    expect(refusalIn(applied)).toEqual(
      refused("error decoding YAML: error converting YAML to JSON: yaml: exceeded max depth of 10000"),
    );
    expect(refusalIn(await test.post(FOOS, text, YAML))).toEqual(
      refused("(must be of type Foo): yaml: exceeded max depth of 10000"),
    );
  });

  it.each(TOO_DEEP)("are refused in definitions, options, and reviews, at %i levels", async (levels) => {
    const schema = `{"properties":{"a":`.repeat(levels / 2) + "{}" + "}}".repeat(levels / 2);
    const crd = JSON.stringify(fooCrd({}, { schema: "@" })).replace('"@"', `{"openAPIV3Schema":${schema}}`);
    expect(refusalIn(await test.post(CRDS, crd))).toEqual(refused(OBJECT_PROBLEM));
    const options = `{"kind":"DeleteOptions","apiVersion":"v1","x":${nested(levels - 1)}}`;
    expect(refusalIn(await test.delete(`${FOOS}/base`, options))).toEqual(refused("exceeded max depth"));
    const review = `{"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","x":${nested(levels - 1)}}`;
    expect(refusalIn(await test.post("/apis/authorization.k8s.io/v1/subjectaccessreviews", review))).toEqual(
      refused(OBJECT_PROBLEM),
    );
  });

  it("are refused when a JSON patch builds them", async () => {
    const around = "/a".repeat(DEEPEST - 100);
    const adding = [
      { op: "add", path: "/spec", value: JSON.parse(nested(DEEPEST - 100, "{}")) as object },
      ...Array.from({ length: 100 }, (_, index) => ({
        op: "add",
        path: `/spec${around}${"/x".repeat(index + 1)}`,
        value: {},
      })),
    ];
    expect(refusalIn(await test.patch(`${FOOS}/base`, printServerJson(adding), "json"))).toEqual(
      refused("invalid character '{' exceeded max depth"),
    );
    const doubling = Array.from({ length: 16 }, (_, index) => ({
      op: "copy",
      from: "/spec",
      path: `/spec${"/x".repeat(2 ** index)}`,
    }));
    expect(refusalIn(await test.patch(`${FOOS}/base`, doubling, "json"))).toEqual(
      refused("invalid character '{' exceeded max depth"),
    );
  });

  it("work up to 10,000 levels, in all requests", async () => {
    const path = `${FOOS}/deep`;
    const watch = await test.watch(`${FOOS}?watch=true`);
    const deep = nested(DEEPEST - 1);
    expect((await test.post(`${FOOS}?dryRun=All`, fooText("deep", deep))).code).toBe(201);
    expect((await test.post(FOOS, fooText("deep", deep))).code).toBe(201);
    expect((await test.get(path)).code).toBe(200);
    expect((await test.get(FOOS)).code).toBe(200);
    expect((await test.get(FOOS, { Accept: "application/yaml" })).code).toBe(200);
    expect((await test.get(`${path}?pretty=true`)).code).toBe(200);
    expect((await test.change(path, (object) => (object.metadata.labels = { a: "b" }))).code).toBe(200);
    expect((await test.patch(path, `{"spec":${nested(DEEPEST - 1, "2")}}`)).code).toBe(200);
    expect((await test.patch(path, `[{"op":"add","path":"/spec","value":${nested(DEEPEST - 2)}}]`, "json")).code).toBe(
      200,
    );
    expect((await test.patch(`${path}/status`, `{"status":${deep}}`)).code).toBe(200);
    for (const leaf of ["3", "4"]) {
      const text = fooText("deep", nested(DEEPEST - 1, leaf));
      expect((await test.call("PATCH", `${path}?fieldManager=x&force=true`, text, APPLY)).code).toBe(200);
    }
    expect((await watch.take(2)).map(({ type }) => type)).toEqual(["ADDED", "ADDED"]);
    watch.stop();
    expect((await test.delete(path)).code).toBe(200);
    expect((await test.get(path)).code).toBe(404);
  });

  // What walks schemas calls itself.
  it.each([1001, 5000, 10_000])("are refused in definitions, at %i levels", async (levels) => {
    const schema = `{"properties":{"a":`.repeat((levels - 5) / 2) + "{}" + "}}".repeat((levels - 5) / 2);
    const crd = JSON.stringify(fooCrd({}, { schema: "@" })).replace('"@"', `{"openAPIV3Schema":${schema}}`);
    const problem =
      'CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: json: exceeded max depth of 1000';
    expect(refusalIn(await test.post(CRDS, crd))).toEqual(refused(problem));
    const patch = `{"spec":{"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":${schema}}}]}}`;
    expect((await test.patch(`${CRDS}/foos.example.com`, patch)).code).toBe(422);
    expect((await test.get("/openapi/v3/apis/example.com/v1")).code).toBe(200);
  });

  it("work up to 1000 levels as definitions and as defaults in them", async () => {
    const levels = 480;
    const schema = '{"type":"object","properties":{"a":'.repeat(levels) + '{"type":"string"}' + "}}".repeat(levels);
    expect(await codesOf(test, { plural: "nested", schema }, `"a":${nested(levels - 1, '"x"')}`)).toEqual([
      201, 201, 200, 200, 200, 200,
    ]);
    const value = nested(988);
    const free = '{"type":"object","x-kubernetes-preserve-unknown-fields":true';
    const defaulting = `{"type":"object","properties":{"spec":${free},"default":${value}}}}`;
    expect(await codesOf(test, { plural: "defaulted", schema: defaulting }, '"spec":{}')).toEqual([
      201, 201, 200, 200, 200, 200,
    ]);
  });

  it("work up to 10,000 levels in fields of built-in kinds that take any value", async () => {
    const path = "/apis/apps/v1/namespaces/default/controllerrevisions";
    const text = `{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"a"},"revision":1,"data":${nested(DEEPEST - 1)}}`;
    expect((await test.post(path, text)).code).toBe(201);
    const table = "application/json;as=Table;g=meta.k8s.io;v=v1";
    for (const Accept of ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf", table]) {
      expect((await test.get(path, { Accept })).code).toBe(200);
    }
    const labels = `{"metadata":{"labels":{"a":"b"}}}`;
    expect((await test.patch(`${path}/a`, labels, "strategic-merge")).code).toBe(200);
    expect((await test.call("PATCH", `${path}/a?fieldManager=x&force=true`, text, APPLY)).code).toBe(200);
    expect((await test.delete(`${path}/a`)).code).toBe(200);
  });

  it("leave the server as it was", async () => {
    expect((await test.get(CONFIG_MAPS)).body.items).toHaveLength(1);
    expect((await test.get(FOOS)).body.items).toHaveLength(1);
  });

  it.each([1000, 10_001])("do not come by selectors with %i parentheses", async (count) => {
    const opened = encodeURIComponent(`a in ${"(".repeat(count)}`);
    expect(refusalIn(await test.get(`${CONFIG_MAPS}?labelSelector=${opened}`))).toEqual(
      refused("unable to parse requirement: found '('"),
    );
    const closed = "(".repeat(count) + ")".repeat(count);
    expect(refusalIn(await test.get(`${CONFIG_MAPS}?labelSelector=${closed}`))).toEqual(
      refused("found '(', expected: !, identifier"),
    );
    expect(refusalIn(await test.get(`${CONFIG_MAPS}?fieldSelector=${closed}`))).toEqual(refused("invalid"));
  });
});

const FREE = {
  type: "object",
  properties: {
    spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  },
};

// Defines a kind, and creates, patches, applies, and deletes an object of it.
async function codesOf(
  test: TestServer,
  { plural, schema }: { readonly plural: string; readonly schema: string },
  spec: string,
): Promise<readonly number[]> {
  const crd = fooCrd({}, { schema: "@" });
  const kind = `${plural[0]?.toUpperCase() ?? ""}${plural.slice(1)}`;
  crd.metadata.name = `${plural}.example.com`;
  crd.spec.names = { plural, kind };
  const defined = await test.post(CRDS, JSON.stringify(crd).replace('"@"', `{"openAPIV3Schema":${schema}}`));
  await test.server.idle();
  const path = FOOS.replace("foos", plural);
  const text = `{"apiVersion":"example.com/v1","kind":"${kind}","metadata":{"name":"a"},${spec}}`;
  const answers = [
    defined,
    await test.post(path, text),
    await test.patch(`${path}/a`, { metadata: { labels: { a: "b" } } }),
    await test.call("PATCH", `${path}/a?fieldManager=x&force=true`, text, APPLY),
    await test.get("/openapi/v3/apis/example.com/v1"),
    await test.delete(`${path}/a`),
  ];
  return answers.map(({ code }) => code);
}

function refusalIn({ code, body }: Answer): object {
  return { code, reason: body.reason, message: body.message };
}

function refused(message: string): object {
  return { code: 400, reason: "BadRequest", message: expect.stringContaining(message) as string };
}

function fooText(name: string, spec: string, status: string = "{}"): string {
  return `{"apiVersion":"example.com/v1","kind":"Foo","metadata":{"name":"${name}"},"spec":${spec},"status":${status}}`;
}

function nested(levels: number, leaf: string = "1"): string {
  return '{"a":'.repeat(levels) + leaf + "}".repeat(levels);
}
