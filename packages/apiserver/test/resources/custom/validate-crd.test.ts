import { beforeEach, describe, expect, it } from "vitest";

import { CRDS, fooCrd, TestServer, type Body } from "../../support/test-server.ts";

describe("crdErrors", () => {
  let server: TestServer;

  beforeEach(() => {
    server = new TestServer();
  });

  const messageFor = async (edit: (crd: Body) => void): Promise<string> => {
    const crd = fooCrd();
    edit(crd);
    const { code, body } = await server.post(CRDS, crd);
    expect(code).toBe(422);
    return body.message as string;
  };

  it("wants the name to be plural and group", async () => {
    expect(await messageFor((crd) => (crd.metadata.name = "x.example.com"))).toBe(
      'CustomResourceDefinition.apiextensions.k8s.io "x.example.com" is invalid: metadata.name: Invalid value: "x.example.com": must be spec.names.plural+"."+spec.group',
    );
  });

  it("row 66: wants a type at the root of a schema, at the hoisted path", async () => {
    const message = await messageFor((crd) => {
      delete crd.spec.versions[0].schema.openAPIV3Schema.type;
    });
    expect(message).toContain("spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root");
  });

  it("row 68: wants exactly one storage version", async () => {
    const message = await messageFor((crd) => {
      crd.spec.versions.push({ ...crd.spec.versions[0], name: "v2" });
    });
    expect(message).toContain("must have exactly one version marked as storage version");
  });

  it("row 69: refuses a default with fields that the schema does not have", async () => {
    const message = await messageFor((crd) => {
      crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.default = { bogus: 1 };
    });
    expect(message).toContain("spec.validation.openAPIV3Schema.properties[spec].default");
  });

  it("row 72: keeps group, plural and, once established, scope", async () => {
    await server.define(fooCrd());
    const { code, body } = await server.change(`${CRDS}/foos.example.com`, (crd) => {
      crd.spec.scope = "Cluster";
    });
    expect([code, body.details.causes[0]]).toEqual([
      422,
      { reason: "FieldValueInvalid", message: 'Invalid value: "Cluster": field is immutable', field: "spec.scope" },
    ]);
  });

  it("row 73: keeps versions that objects may be stored in", async () => {
    const crd = fooCrd();
    crd.spec.versions.push({ ...crd.spec.versions[0], name: "v2", storage: false });
    await server.define(crd);
    const { body } = await server.change(`${CRDS}/foos.example.com`, (changed) => {
      changed.spec.versions = [{ ...changed.spec.versions[1], storage: true }];
    });
    expect(body.details.causes[0].field).toBe("status.storedVersions[0]");
  });

  it("wants an annotation for protected groups", async () => {
    const message = await messageFor((crd) => {
      crd.metadata.name = "foos.x.k8s.io";
      crd.spec.group = "x.k8s.io";
    });
    expect(message).toContain("metadata.annotations[api-approved.kubernetes.io]: Required value");
  });

  it("wants a known type, a known format and a path for every printer column", async () => {
    const message = await messageFor((crd) => {
      crd.spec.versions[0].additionalPrinterColumns = [
        { name: "x", type: "int", format: "big", jsonPath: "spec.x" },
        { name: "y", type: "", jsonPath: "" },
      ];
    });
    const types = "must be one of boolean,date,integer,number,string";
    const formats = "must be one of byte,date,date-time,double,float,int32,int64,password";
    const [first, second] = [0, 1].map((index) => `spec.additionalPrinterColumns[${String(index)}]`);
    expect(message).toContain(`${first}.type: Invalid value: "int": ${types}`);
    expect(message).toContain(`${first}.format: Invalid value: "big": ${formats}`);
    expect(message).toContain(`${first}.JSONPath: Invalid value: "spec.x": must be a simple json path starting with .`);
    expect(message).toContain(`${second}.type: Required value: ${types}`);
    expect(message).toContain(`${second}.JSONPath: Required value`);
  });

  it("wants the paths of scale below spec and status, and takes an empty one for no selector", async () => {
    const messageOf = (scale: object) =>
      messageFor((crd) => {
        crd.spec.versions[0].subresources = { scale };
      });
    const good = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
    const at = "spec.subresources.scale";
    expect(await messageOf({ ...good, specReplicasPath: ".status.replicas" })).toContain(
      `${at}.specReplicasPath: Invalid value: ".status.replicas": should be a json path under .spec`,
    );
    expect(await messageOf({ ...good, statusReplicasPath: "status.replicas" })).toContain(
      `${at}.statusReplicasPath: Invalid value: "status.replicas": must be a simple json path starting with .`,
    );
    const selector = await messageOf({ ...good, labelSelectorPath: ".metadata.labels", specReplicasPath: "" });
    expect(selector).toContain(`${at}.specReplicasPath: Required value`);
    expect(selector).toContain("should be a json path under either .spec or .status");
    const emptySelector = await messageOf({ ...good, labelSelectorPath: "", specReplicasPath: "" });
    expect(emptySelector).not.toContain("labelSelectorPath");
  });
});
