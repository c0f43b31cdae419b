import { fieldErrorToString } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { describe, expect, it } from "vitest";

import { defineSchema, type Schema } from "../src/typed-schema.ts";

interface Port {
  readonly number?: number;
  readonly name?: string;
}

interface Service extends KubernetesObject {
  readonly spec: { readonly ports?: readonly Port[] };
}

const PortSchema: Schema<Port> = defineSchema({}, () => ({
  type: "object",
  properties: { number: { type: "integer", minimum: 1, default: 80 }, name: { type: "string", maxLength: 3 } },
}));

const ServiceSchema: Schema<Service> = defineSchema({ scope: "Namespaced" }, () => ({
  type: "object",
  required: ["spec"],
  properties: {
    apiVersion: { type: "string" },
    kind: { type: "string" },
    metadata: { type: "object" },
    spec: { type: "object", properties: { ports: { type: "array", items: PortSchema.schema, maxItems: 2 } } },
  },
}));

function service(ports: readonly Port[], metadata: Service["metadata"] = { name: "web" }): Service {
  return { apiVersion: "demo/v1", kind: "Service", metadata, spec: { ports } };
}

function problems(value: Service, previous?: Service): readonly string[] {
  return ServiceSchema.validate(value, { previous }).map((error) => fieldErrorToString(error));
}

describe("a typed schema", () => {
  it("is made on first use, and once", () => {
    let made = 0;
    const schema = defineSchema<Port>({}, () => {
      made += 1;
      return { type: "object" };
    });
    expect(made).toBe(0);
    schema.validate({});
    expect([schema.schema, schema.applyDefaults({}), made]).toEqual([{ type: "object" }, {}, 1]);
  });

  it("fills in defaults without changing what it was given", () => {
    const given = service([{ name: "a" }, { number: 8080 }]);
    const before = structuredClone(given);
    expect(ServiceSchema.applyDefaults(given).spec.ports).toEqual([{ name: "a", number: 80 }, { number: 8080 }]);
    expect(given).toEqual(before);
  });

  it("returns a value that lacks nothing as it is", () => {
    const given = service([{ number: 1 }]);
    expect(ServiceSchema.applyDefaults(given)).toBe(given);
    expect(ServiceSchema.prune(given).value).toBe(given);
  });

  it("prefixes field paths with the given path", () => {
    const errors = PortSchema.validate({ number: 0 }, { path: "spec.ports[3]" });
    expect(errors.map((error) => fieldErrorToString(error))).toEqual([
      "spec.ports[3].number: Invalid value: 0: number in body should be greater than or equal to 1",
    ]);
  });

  it("drops unknown fields and says which; those of metadata stay", () => {
    const extra = { ...service([]), extra: 1, metadata: { name: "web", uid: "x" } };
    expect(ServiceSchema.prune(extra)).toEqual({
      value: { ...service([]), metadata: { name: "web", uid: "x" } },
      unknownFields: ["extra"],
    });
  });

  it("reports what was wrong before an update only where it has changed", () => {
    const invalid = service([{ number: 0 }]);
    expect(problems(invalid)).toHaveLength(1);
    expect(problems({ ...invalid, metadata: { name: "web", labels: { a: "b" } } }, invalid)).toEqual([]);
    expect(problems(service([{ number: -1 }]), invalid)).toHaveLength(1);
  });
});

describe("the schema of a kind", () => {
  it("takes an object without what a request says or a server makes", () => {
    expect(problems(service([]))).toEqual([]);
    expect(problems(service([], { generateName: "web-" }))).toEqual([]);
  });

  it.each([
    [{}, /^metadata\.name: Required value: name or generateName is required$/u],
    [{ name: "Web" }, /^metadata\.name: Invalid value: "Web": a lowercase RFC 1123 subdomain/u],
    [{ generateName: "Web-" }, /^metadata\.generateName: Invalid value: "Web-"/u],
    [{ name: "web", labels: { "a/b/c": "" } }, /^metadata\.labels: Invalid value: "a\/b\/c"/u],
    [{ name: "web", namespace: "A" }, /^metadata\.namespace: Invalid value: "A"/u],
  ] as const)("refuses the metadata %j", (metadata, message) => {
    expect(problems(service([], metadata))).toContainEqual(expect.stringMatching(message));
  });

  it("forbids a namespace where the kind has none", () => {
    const schema = defineSchema<Service>({ scope: "Cluster" }, () => ({ type: "object" }));
    const [error] = schema.validate(service([], { name: "web", namespace: "default" }));
    expect(error && fieldErrorToString(error)).toBe("metadata.namespace: Forbidden: not allowed on this type");
  });
});

describe("the rules of a schema", () => {
  const asked: unknown[] = [];
  const schema = defineSchema<Port>(
    {
      rules: (_, value, options) => {
        asked.push([value, options]);
        return { errors: [{ type: "FieldValueInvalid", field: "number", badValue: 1, detail: "is odd" }] };
      },
    },
    () => PortSchema.schema,
  );

  function fields(value: Port, options: { readonly path?: string; readonly previous?: Port } = {}): readonly string[] {
    return schema.validate(value, options).map((error) => fieldErrorToString(error));
  }

  it("are asked about the value and the one before, and speak last", () => {
    expect(fields({ number: 0 }, { previous: { number: 3 } })).toEqual([
      "number: Invalid value: 0: number in body should be greater than or equal to 1",
      "number: Invalid value: 1: is odd",
    ]);
    expect(asked).toEqual([[{ number: 0 }, { isResourceRoot: false, previous: { number: 3 } }]]);
  });

  it("receive the path that validation receives", () => {
    expect(fields({}, { path: "spec.ports[0]" })).toHaveLength(1);
    expect(asked.at(-1)).toEqual([{}, { isResourceRoot: false, path: "spec.ports[0]" }]);
  });

  it("are not asked about a value of the wrong type, which is said", () => {
    const wrong = { number: "one" } as unknown as Port;
    expect(fields(wrong)).toHaveLength(2);
    expect(fields(wrong)[1]).toMatch(/^<nil>: Invalid value: null: some validation rules were not checked/u);
    expect(asked).toHaveLength(2);
  });
});
