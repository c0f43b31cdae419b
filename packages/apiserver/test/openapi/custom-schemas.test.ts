import { describe, expect, it } from "vitest";

import { type Body, fooCrd, TestServer } from "../support/test-server.ts";

const CRD = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/foos.example.com";

async function documentOf(fields: Readonly<Record<string, object>>, version: object = {}): Promise<Body> {
  const server = new TestServer();
  await server.define(fooCrd(fields));
  await server.change(CRD, ({ spec }) => Object.assign(spec.versions[0], version));
  return (await server.get("/openapi/v3/apis/example.com/v1")).body;
}

async function fieldOf(field: object): Promise<unknown> {
  const { components } = await documentOf({ field });
  return components.schemas["com.example.v1.Foo"].properties.spec.properties.field;
}

const EITHER = [{ type: "integer" }, { type: "string" }];

describe("the document of a custom resource", () => {
  it.each([
    ["nothing else", {}, { anyOf: EITHER }],
    ["the alternatives", { anyOf: EITHER }, { anyOf: EITHER }],
    ["them in another condition", { allOf: [{ anyOf: EITHER }] }, { allOf: [{ anyOf: EITHER }] }],
    [
      "other alternatives",
      { anyOf: [{ minimum: 1 }, { maximum: 9 }] },
      { anyOf: [{ minimum: 1 }, { maximum: 9 }], allOf: [{ anyOf: EITHER }] },
    ],
  ])("states that a value is a number or a text, for a schema with %s", async (_, stated, expected) => {
    const mark = { "x-kubernetes-int-or-string": true };
    expect(await fieldOf({ ...mark, ...stated })).toEqual({ ...mark, ...expected });
  });

  it("states the fields of embedded objects, of which two are required", async () => {
    const embedded = { type: "object", "x-kubernetes-embedded-resource": true, required: ["kind"] };
    const own = { spec: { type: "object" } };
    expect(await fieldOf({ ...embedded, properties: own })).toMatchObject({
      required: ["kind", "apiVersion"],
      properties: {
        ...own,
        apiVersion: { type: "string" },
        kind: { type: "string" },
        metadata: { allOf: [{ $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" }] },
      },
    });
  });

  it("requires no fields of embedded objects in version 2, where unknown fields are kept", async () => {
    const server = new TestServer();
    const open = { "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true };
    await server.define(fooCrd({ field: { type: "object", ...open } }));
    const { definitions } = (await server.get("/openapi/v2")).body;
    expect(definitions["com.example.v1.Foo"].properties.spec.properties.field).toEqual(open);
  });

  it("names the fields by which objects are selected, in both kinds", async () => {
    const selectableFields = [{ jsonPath: ".spec.color" }];
    const { components } = await documentOf({ color: { type: "string" } }, { selectableFields });
    for (const name of ["Foo", "FooList"])
      expect(components.schemas[`com.example.v1.${name}`]["x-kubernetes-selectable-fields"]).toEqual([
        { fieldPath: "spec.color" },
      ]);
  });

  it("has the kind of the resource in operations of its scale, and parameters of lists in deletes of collections", async () => {
    const scale = { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n" };
    const { paths, components, info } = await documentOf({}, { subresources: { scale } });
    const { get } = paths["/apis/example.com/v1/namespaces/{namespace}/foos/{name}/scale"];
    expect(get["x-kubernetes-group-version-kind"]).toEqual({ group: "example.com", version: "v1", kind: "Foo" });
    expect(get.responses["200"].content["application/json"].schema.$ref).toMatch(/autoscaling\.v1\.Scale$/u);
    const { delete: remove } = paths["/apis/example.com/v1/namespaces/{namespace}/foos"];
    const names = remove.parameters.map(({ name }: { readonly name: string }) => name);
    expect([names.includes("watch"), names.includes("dryRun")]).toEqual([true, false]);
    expect([info.title, components.securitySchemes]).toEqual(["Kubernetes CRD Swagger", undefined]);
  });
});
