import { beforeEach, describe, expect, it, vi } from "vitest";

import { CRDS, foo, fooCrd, FOOS, TestServer, type Body } from "../../support/test-server.ts";

const loads = vi.hoisted(() => {
  // What other files of this worker have loaded is reloaded.
  vi.resetModules();
  return { count: 0 };
});
vi.mock("@kubescaffold/schema/cel", async (original) => {
  loads.count += 1;
  return original();
});

const ruled = (schema: Body, ...rules: readonly Body[]): Body => ({ ...schema, "x-kubernetes-validations": rules });
const int = { type: "integer" };

describe("CEL", () => {
  it("is not loaded before a definition with rules appears", async () => {
    const server = new TestServer();
    await server.define(fooCrd());
    await server.post(FOOS, foo("a", { size: 1 }));
    expect(loads.count).toBe(0);
    const other = fooCrd({ size: ruled(int, { rule: "self > 0" }) });
    await server.change(`${CRDS}/foos.example.com`, (crd) => {
      crd.spec.versions = other.spec.versions;
    });
    expect(loads.count).toBe(1);
    expect((await server.post(FOOS, foo("b", { size: 0 }))).code).toBe(422);
  });
});

describe("rules of custom objects", () => {
  let server: TestServer;

  beforeEach(() => {
    server = new TestServer();
  });

  const causes = (body: Body): readonly string[] =>
    (body.details?.causes ?? []).map((cause: Body) => `${cause.field as string}: ${cause.message as string}`);

  it("row 59: are enforced on create, update and patch, dry runs included", async () => {
    await server.define(fooCrd({ size: ruled(int, { rule: "self > 0", message: "must be positive" }) }));
    const refused = await server.post(FOOS, foo("a", { size: 0 }));
    expect([refused.code, causes(refused.body)]).toEqual([422, ["spec.size: Invalid value: 0: must be positive"]]);
    expect((await server.post(`${FOOS}?dryRun=All`, foo("a", { size: 0 }))).code).toBe(422);
    expect((await server.post(FOOS, foo("a", { size: 1 }))).code).toBe(201);
    expect((await server.patch(`${FOOS}/a`, { spec: { size: -1 } })).code).toBe(422);
    const put = await server.change(`${FOOS}/a`, (object) => {
      object.spec.size = -2;
    });
    expect(causes(put.body)).toEqual(["spec.size: Invalid value: -2: must be positive"]);
  });

  it("see the object with its defaults", async () => {
    await server.define(fooCrd({ size: { ...int, default: 5 }, most: ruled(int, { rule: "self < 9" }) }));
    const other = fooCrd({ size: { ...int, default: 5 } });
    other.spec.versions[0].schema.openAPIV3Schema.properties.spec["x-kubernetes-validations"] = [
      { rule: "self.size == 5" },
    ];
    await server.change(`${CRDS}/foos.example.com`, (crd) => {
      crd.spec.versions = other.spec.versions;
    });
    await server.server.idle();
    expect((await server.post(FOOS, foo("a", {}))).code).toBe(201);
    expect((await server.post(FOOS, foo("b", { size: 6 }))).code).toBe(422);
  });

  it("are enforced on the status, against the whole object", async () => {
    const crd = fooCrd({ size: int });
    const root = crd.spec.versions[0].schema.openAPIV3Schema;
    crd.spec.versions[0].subresources = { status: {} };
    root.properties.status = { type: "object", properties: { ready: int } };
    root["x-kubernetes-validations"] = [
      {
        rule: "!has(self.status) || !has(self.status.ready) || self.status.ready <= self.spec.size",
        fieldPath: ".status.ready",
        message: "too many",
      },
    ];
    await server.define(crd);
    await server.post(FOOS, foo("a", { size: 2 }));
    const edit = (ready: number): Promise<Body> =>
      server.change(
        `${FOOS}/a`,
        (object) => {
          object.status = { ready };
        },
        "/status",
      );
    expect((await edit(2)).code).toBe(200);
    const refused = await edit(3);
    expect(causes(refused.body)).toEqual(["status.ready: Invalid value: too many"]);
  });

  it("row 63: only warn of what has not changed", async () => {
    await server.define(fooCrd({ size: int, mode: { type: "string" } }));
    await server.post(FOOS, foo("a", { size: 0 }));
    const strict = fooCrd({ size: ruled(int, { rule: "self > 0" }), mode: { type: "string" } });
    await server.change(`${CRDS}/foos.example.com`, (crd) => {
      crd.spec.versions = strict.spec.versions;
    });
    await server.server.idle();
    const tolerated = await server.patch(`${FOOS}/a`, { spec: { mode: "x" } });
    expect([tolerated.code, tolerated.warning]).toEqual([
      200,
      '299 - "spec.size: Invalid value: 0: failed rule: self > 0"',
    ]);
    expect((await server.patch(`${FOOS}/a`, { spec: { size: -1 } })).code).toBe(422);
  });

  it("row 62: are left out where the object does not fit its schema", async () => {
    await server.define(fooCrd({ size: ruled(int, { rule: "self > 0" }) }));
    const { body } = await server.post(FOOS, foo("a", { size: "big" }));
    expect(causes(body).at(-1)).toMatch(/^<nil>: Invalid value: null: some validation rules were not checked/);
  });
});

describe("rules of definitions", () => {
  it("row 71: are refused where they do not compile or cost too much", async () => {
    const server = new TestServer();
    const refused = async (schema: Body): Promise<string> =>
      (await server.post(CRDS, fooCrd({ size: schema }))).body.message as string;
    expect(await refused(ruled(int, { rule: "self.a" }))).toContain("does not support field selection");
    expect(await refused(ruled(int, { rule: "self" }))).toContain("cel expression must evaluate to a bool");
    const words = { type: "array", items: { type: "string" } };
    expect(await refused(ruled(words, { rule: "self.all(x, self.exists(y, x == y))" }))).toContain(
      "estimated rule cost exceeds budget by factor of more than 100x",
    );
    expect(await refused({ ...ruled(int, { rule: "self > 3" }), default: 1 })).toContain("failed rule: self > 3");
  });

  it("may cost on an update what they cost before, but may not cost more", async () => {
    const server = new TestServer();
    const words = { type: "array", maxItems: 50, items: { type: "string", maxLength: 50 } };
    const crd = fooCrd({ size: ruled(words, { rule: "self.all(x, self.exists(y, x == y))" }) });
    await server.define(crd);
    const updated = await server.change(`${CRDS}/foos.example.com`, (object) => {
      object.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.size.maxItems = 5000;
    });
    expect([updated.code, updated.body.message]).toEqual([422, expect.stringContaining("exceeds budget")]);
  });
});
