import { describe, expect, it } from "vitest";

import { defaultRelease } from "../../src/release/release.ts";
import { builtInTypes } from "../../src/resources/built-in/built-in-types.ts";
import { customTypes } from "../../src/resources/custom/custom-types.ts";
import { createObjectVersions, type ObjectVersions } from "../../src/resources/object-versions.ts";
import { Registry } from "../../src/resources/registry.ts";
import type { ApiObject } from "../../src/storage/api-object.ts";
import { fooCrd } from "../support/test-server.ts";

const AUTOSCALERS = { group: "autoscaling", resource: "horizontalpodautoscalers" };
const FOOS = { group: "example.com", resource: "foos" };
const inV1 = { from: { ...FOOS, version: "v2" }, to: { ...FOOS, version: "v1" } };

function versionsOfFoo(conversion?: object): ObjectVersions {
  const crd = fooCrd();
  const [first] = crd.spec.versions;
  const schema = structuredClone(first.schema);
  schema.openAPIV3Schema.properties.spec.properties.grade = { type: "string", default: "b" };
  crd.spec.versions.push({ ...first, name: "v2", storage: false, schema });
  crd.spec.conversion = conversion;
  const registry = new Registry(defaultRelease, builtInTypes(defaultRelease));
  const callWebhook = ({ body }: { readonly body: string }): Promise<string> => {
    const { apiVersion, kind, request } = JSON.parse(body) as {
      readonly request: {
        readonly uid: string;
        readonly desiredAPIVersion: string;
        readonly objects: readonly ApiObject[];
      };
    } & ApiObject;
    const convertedObjects = request.objects.map((object) => ({
      ...object,
      apiVersion: request.desiredAPIVersion,
      metadata: { ...object.metadata, labels: { converted: "yes" } },
    }));
    const response = { uid: request.uid, result: { status: "Success" }, convertedObjects };
    return Promise.resolve(JSON.stringify({ apiVersion, kind, response }));
  };
  registry.setCustom(customTypes(defaultRelease, crd, { callWebhook, newUid: () => "uid" }));
  return createObjectVersions(registry);
}

const WEBHOOK = {
  strategy: "Webhook",
  webhook: { conversionReviewVersions: ["v1"], clientConfig: { url: "https://example.com/convert" } },
};
const foo: ApiObject = Object.freeze({
  apiVersion: "example.com/v2",
  kind: "Foo",
  metadata: { name: "a" },
  spec: { size: 1 },
});

describe("versions of objects", () => {
  it("are asked of the webhook where a definition has one", async () => {
    const converted = await versionsOfFoo(WEBHOOK).convert(foo, inV1);
    expect(converted).toEqual({
      ...foo,
      apiVersion: "example.com/v1",
      metadata: { name: "a", labels: { converted: "yes" } },
    });
    expect(Object.isFrozen(converted)).toBe(false);
  });

  it("differ by name alone where it has none", async () => {
    expect(await versionsOfFoo().convert(foo, inV1)).toEqual({ ...foo, apiVersion: "example.com/v1" });
  });

  it("are those of Kubernetes for its own kinds", async () => {
    const autoscaler = {
      apiVersion: "autoscaling/v1",
      kind: "HorizontalPodAutoscaler",
      metadata: { name: "h" },
      spec: { maxReplicas: 3, scaleTargetRef: { kind: "Deployment", name: "d" }, targetCPUUtilizationPercentage: 70 },
    };
    const way = { from: { ...AUTOSCALERS, version: "v1" }, to: { ...AUTOSCALERS, version: "v2" } };
    const metric = {
      type: "Resource",
      resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 70 } },
    };
    expect(await versionsOfFoo().convert(autoscaler, way)).toMatchObject({
      apiVersion: "autoscaling/v2",
      spec: { maxReplicas: 3, metrics: [metric] },
    });
  });

  it("are completed with their own defaults", () => {
    const versions = versionsOfFoo();
    expect(versions.complete(structuredClone(foo), { ...FOOS, version: "v2" })["spec"]).toEqual({
      size: 1,
      grade: "b",
    });
    expect(versions.complete(structuredClone(foo), { ...FOOS, version: "v1" })["spec"]).toEqual({ size: 1 });
  });

  it("leave an object alone whose version nobody serves", async () => {
    const way = { from: inV1.from, to: { ...FOOS, version: "v3" } };
    expect(await versionsOfFoo().convert(foo, way)).toBe(foo);
  });
});
