import { beforeEach, describe, expect, it } from "vitest";

import { type Answer, CONFIG_MAPS, deployment, fooCrd, FOOS, TestServer } from "../support/test-server.ts";

const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
const APPLY = { "Content-Type": "application/apply-patch+yaml" };
const FOO = { apiVersion: "example.com/v1", kind: "Foo", metadata: { name: "a" } };
const MAP = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };

const NO_OBJECT =
  "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}";

describe("server-side apply", () => {
  let server: TestServer;

  beforeEach(async () => {
    server = new TestServer();
    await server.define(fooCrd());
  });

  const apply = (path: string, body: unknown, query = "fieldManager=one"): Promise<Answer> =>
    server.call("PATCH", `${path}?${query}`, body, APPLY);
  const owners = ({ body }: Answer): unknown =>
    body.metadata.managedFields.map(({ manager, operation, subresource, fieldsV1 }: Record<string, unknown>) => ({
      manager,
      operation,
      ...(subresource === undefined ? {} : { subresource }),
      fieldsV1,
    }));

  it("row 25: makes an object that is not there, with 201, and records the owner", async () => {
    const answer = await apply(`${FOOS}/a`, { ...FOO, spec: { size: 1 } });
    expect([answer.code, answer.body.metadata.generation, answer.body.spec.size]).toEqual([201, 1, 1]);
    expect(answer.body.metadata.managedFields).toEqual([
      {
        apiVersion: "example.com/v1",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:spec": { "f:size": {} } },
        manager: "one",
        operation: "Apply",
        time: answer.body.metadata.creationTimestamp,
      },
    ]);
  });

  it("row 26: applying the same again changes nothing, time and version included", async () => {
    const first = await apply(`${FOOS}/a`, { ...FOO, spec: { size: 1 } });
    server.clock.step(60_000);
    const second = await apply(`${FOOS}/a`, { ...FOO, spec: { size: 1 } });
    expect([second.code, second.body]).toEqual([200, first.body]);
  });

  it("rows 27 and 29: conflicts over one field with one cause, and takes it over by force", async () => {
    await apply(`${FOOS}/a`, { ...FOO, spec: { size: 1 } });
    const refused = await apply(`${FOOS}/a`, { ...FOO, spec: { size: 2 } }, "fieldManager=two");
    expect([refused.code, refused.body.reason, refused.body.message]).toEqual([
      409,
      "Conflict",
      'Apply failed with 1 conflict: conflict with "one": .spec.size',
    ]);
    expect(refused.body.details.causes).toEqual([
      { reason: "FieldManagerConflict", message: 'conflict with "one"', field: ".spec.size" },
    ]);
    const forced = await apply(`${FOOS}/a`, { ...FOO, spec: { size: 2 } }, "fieldManager=two&force=true");
    expect(forced.body.spec.size).toBe(2);
    expect(owners(forced)).toMatchObject([{ manager: "two", fieldsV1: { "f:spec": { "f:size": {} } } }]);
  });

  it("row 28: names all managers of several conflicts", async () => {
    await apply(`${CONFIG_MAPS}/a`, { ...MAP, data: { x: "1" } });
    await apply(`${CONFIG_MAPS}/a`, { ...MAP, data: { y: "1", z: "1" } }, "fieldManager=two");
    const { body } = await apply(
      `${CONFIG_MAPS}/a`,
      { ...MAP, data: { x: "2", y: "2", z: "2" } },
      "fieldManager=three",
    );
    expect(body.message).toBe(
      'Apply failed with 3 conflicts: conflicts with "one":\n- .data.x\nconflicts with "two":\n- .data.y\n- .data.z',
    );
  });

  it("rows 30 and 31: what an owner leaves out goes, unless another one has it too", async () => {
    await apply(`${CONFIG_MAPS}/a`, { ...MAP, data: { mine: "1", both: "1" } });
    await apply(`${CONFIG_MAPS}/a`, { ...MAP, data: { both: "1" } }, "fieldManager=two");
    const { body } = await apply(`${CONFIG_MAPS}/a`, MAP);
    expect(body.data).toEqual({ both: "1" });
  });

  it("row 32: merges elements of a list by their keys, and tells conflicts by them", async () => {
    await server.post(DEPLOYMENTS, deployment("d"));
    const containers = (image: string): unknown => ({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "d" },
      spec: { template: { spec: { containers: [{ name: "web", image }] } } },
    });
    const refused = await apply(`${DEPLOYMENTS}/d`, containers("web:2"));
    expect(refused.body.message).toMatch(
      /^Apply failed with 1 conflict: conflict with "unknown" using apps\/v1: \.spec\.template\.spec\.containers\[name="web"\]\.image$/,
    );
    const { body } = await apply(`${DEPLOYMENTS}/d`, containers("web:2"), "fieldManager=one&force=true");
    const images = body.spec.template.spec.containers.map(({ name, image }: Record<string, string>) => [name, image]);
    expect(images).toContainEqual(["web", "web:2"]);
    expect(images).toHaveLength(2);
  });

  it("row 35: owns status through the subresource alone, and leaves the rest of the body out", async () => {
    await apply(`${FOOS}/a`, { ...FOO, spec: { size: 1 }, status: { ready: true } });
    const answer = await apply(`${FOOS}/a/status`, { ...FOO, spec: { size: 9 }, status: { ready: true } });
    expect([answer.code, answer.body.spec.size]).toEqual([200, 1]);
    expect(owners(answer)).toEqual([
      { manager: "one", operation: "Apply", fieldsV1: { "f:spec": { "f:size": {} } } },
      { manager: "one", operation: "Apply", subresource: "status", fieldsV1: { "f:status": { "f:ready": {} } } },
    ]);
  });

  it("tells who owns what after any other change, once something was applied", async () => {
    await apply(`${CONFIG_MAPS}/a`, { ...MAP, data: { x: "1", y: "1" } });
    const answer = await server.call(
      "PATCH",
      `${CONFIG_MAPS}/a?fieldManager=editor`,
      { data: { x: "2", z: "3" } },
      { "Content-Type": "application/merge-patch+json" },
    );
    expect(owners(answer)).toEqual([
      { manager: "one", operation: "Apply", fieldsV1: { "f:data": { "f:y": {} } } },
      { manager: "editor", operation: "Update", fieldsV1: { "f:data": { "f:x": {}, "f:z": {} } } },
    ]);
  });

  it("writes nothing when an update that changes nothing is repeated, however much later", async () => {
    await apply(`${CONFIG_MAPS}/a`, { ...MAP, data: { x: "1" } });
    const edit = (): Promise<Answer> =>
      server.call(
        "PATCH",
        `${CONFIG_MAPS}/a?fieldManager=editor`,
        { data: { z: "3" } },
        { "Content-Type": "application/merge-patch+json" },
      );
    const first = await edit();
    server.clock.step(60_000);
    expect((await edit()).body).toEqual(first.body);
  });

  it("tracks changes of the status under their subresource", async () => {
    await apply(`${FOOS}/a`, { ...FOO, spec: { size: 1 } });
    const answer = await server.call(
      "PATCH",
      `${FOOS}/a/status?fieldManager=editor`,
      { status: { ready: true } },
      { "Content-Type": "application/merge-patch+json" },
    );
    expect(owners(answer)).toEqual([
      { manager: "one", operation: "Apply", fieldsV1: { "f:spec": { "f:size": {} } } },
      {
        manager: "editor",
        operation: "Update",
        subresource: "status",
        fieldsV1: { "f:status": { ".": {}, "f:ready": {} } },
      },
    ]);
  });

  it("gives what an object without owners has to a separate manager at the first apply", async () => {
    await server.post(CONFIG_MAPS, { ...MAP, data: { x: "1" } });
    const { body } = await server.patch(`${CONFIG_MAPS}/a`, { data: { x: "2" }, metadata: { managedFields: [{}] } });
    expect(body.metadata.managedFields).toBeUndefined();
    const applied = await apply(`${CONFIG_MAPS}/a`, { ...MAP, data: { y: "1" } });
    expect(applied.body.metadata.managedFields.map(({ manager }: { manager: string }) => manager)).toEqual([
      "one",
      "before-first-apply",
    ]);
  });

  it.each([
    ["row 36", 422, "is required for apply patch", MAP, "", ""],
    ["row 37", 500, ".dta: field not declared in schema", { ...MAP, dta: {} }, "", "fieldManager=x"],
    [
      "row 38",
      400,
      "metadata.managedFields must be nil",
      { ...MAP, metadata: { name: "a", managedFields: [] } },
      "",
      "fieldManager=x",
    ],
    [
      "another version",
      400,
      "invalid object type: /v2, Kind=ConfigMap",
      { ...MAP, apiVersion: "v2" },
      "",
      "fieldManager=x",
    ],
    [
      "another name",
      400,
      "does not match the name on the URL",
      { ...MAP, metadata: { name: "b" } },
      "",
      "fieldManager=x",
    ],
    ["no YAML", 400, "error encoding patch: yaml: ", "a: b: c", "", "fieldManager=x"],
    ["a list", 400, `error decoding patch: ${NO_OBJECT}`, "[]", "", "fieldManager=x"],
    ["nothing", 400, "invalid object type: /, Kind=", "", "", "fieldManager=x"],
    ["null", 400, "invalid object type: /, Kind=", "null", "", "fieldManager=x"],
  ])("%s: answers %i and says %j", async (_name, code, message, body, _path, query) => {
    const answer = await apply(`${CONFIG_MAPS}/a`, body, query);
    expect([answer.code, answer.body.message]).toEqual([code, expect.stringContaining(message)]);
    expect((await server.get(`${CONFIG_MAPS}/a`)).code).toBe(404);
  });

  it("reads YAML, and stores nothing when it is a dry run", async () => {
    const yaml = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: '1'}\n";
    const answer = await apply(`${CONFIG_MAPS}/a`, yaml, "fieldManager=x&dryRun=All");
    expect([answer.code, answer.body.data]).toEqual([201, { x: "1" }]);
    expect((await server.get(`${CONFIG_MAPS}/a`)).code).toBe(404);
  });

  it("merges an item without a key under the key's default", async () => {
    const path = "/api/v1/namespaces/default/podtemplates/a";
    const body = (imagePullSecrets: unknown): unknown => ({
      apiVersion: "v1",
      kind: "PodTemplate",
      metadata: { name: "a" },
      template: { spec: { containers: [{ name: "a", image: "a:1" }], imagePullSecrets } },
    });
    const answers = [
      await apply(path, body([{}])),
      await apply(path, body([{ name: "b" }]), "fieldManager=two"),
      await apply(path, body([{}, { name: "" }]), "fieldManager=two"),
    ];
    expect(
      answers.map(({ code, body: { template, message } }) => [code, template?.spec.imagePullSecrets ?? message]),
    ).toEqual([
      [201, [{}]],
      [200, [{}, { name: "b" }]],
      [500, expect.stringContaining('duplicate entries for key [name=""]')],
    ]);
  });

  it("refuses an object whose stored list has an element without its key", async () => {
    const path = "/api/v1/namespaces/default/serviceaccounts";
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "a" } };
    await server.post(path, { ...account, secrets: [{}] });
    const answer = await apply(`${path}/a`, { ...account, automountServiceAccountToken: false });
    expect([answer.code, answer.body.message]).toEqual([
      500,
      expect.stringContaining(
        '.secrets: element 0: associative list with keys has an element that omits all key fields ["name"]',
      ),
    ]);
  });

  it("answers 404 for a subresource of an object that is not there", async () => {
    expect((await apply(`${FOOS}/none/status`, { ...FOO, metadata: { name: "none" } })).code).toBe(404);
  });
});
