import { describe, expect, it } from "vitest";

import { parseDescriptions, printDescriptions } from "../../src/tables/description-file.ts";
import {
  describeDefinition,
  describedStructSchema,
  descriptionsIn,
  type TypeDescriptions,
} from "../../src/tables/descriptions.ts";
import { builtInSchema } from "../../src/tables/schemas.ts";
import { structNames, structSchema } from "../../src/tables/struct-schemas.ts";

const TYPES: TypeDescriptions = {
  "core/v1.Affinity": { text: "Affinity of a Pod." },
  "core/v1.Container": { text: "A container.", fields: { image: "The image.", args: "The arguments." } },
  "core/v1.PodSpec": { text: "A Pod.", fields: { containers: "The containers.", affinity: "Where it runs." } },
  "meta/v1.LabelSelector": { text: "A selector.", fields: { matchExpressions: "The expressions." } },
  "meta/v1.LabelSelectorRequirement": { text: "An expression.", fields: { key: "The key of a label." } },
  "core/v1.NodeSelectorRequirement": { text: "A requirement of nodes.", fields: { key: "The key of a node's label." } },
  "meta/v1.ObjectMeta": { text: "Metadata.", fields: { name: "The name." } },
  "meta/v1.Time": { text: "A time." },
};

describe("descriptions of definitions", () => {
  it("are read by group, version, and name, and added to the same definitions", () => {
    const name = "io.k8s.api.core.v1.SecretReference";
    const schema = builtInSchema(name) ?? {};
    const types = descriptionsIn({
      [name]: { description: "A reference.", properties: { name: { description: "Its name." }, namespace: {} } },
      "io.k8s.api.core.v1.Empty": { description: "", properties: {} },
    });
    expect(types).toEqual({ "core/v1.SecretReference": { text: "A reference.", fields: { name: "Its name." } } });
    expect(describeDefinition(name, schema, types)).toEqual({
      ...schema,
      description: "A reference.",
      properties: { ...schema.properties, name: { type: "string", description: "Its name." } },
    });
  });

  it("leave definitions without any as they are, also for names of members of JavaScript objects", () => {
    const schema = { type: "object", properties: { constructor: { type: "string" } } } as const;
    expect(describeDefinition("io.k8s.api.core.v1.Other", schema, TYPES)).toBe(schema);
    expect(describeDefinition("io.k8s.api.core.v1.Container", schema, TYPES).properties).toEqual(schema.properties);
  });
});

describe("descriptions of structs", () => {
  it("are those of fields, or else of the types that OpenAPI names for them", () => {
    const pod = describedStructSchema("core/v1.PodTemplateSpec", TYPES) as Described;
    const spec = pod.properties?.["spec"];
    expect(pod.description).toBeUndefined();
    expect(spec?.description).toBe("A Pod.");
    expect(spec?.properties?.["affinity"]?.description).toBe("Where it runs.");
    const containers = spec?.properties?.["containers"];
    expect([containers?.description, containers?.items?.description]).toEqual(["The containers.", "A container."]);
    expect(containers?.items?.properties?.["image"]?.description).toBe("The image.");
  });

  it("are not those of another type whose schema is equal", () => {
    expect(structSchema("meta/v1.LabelSelectorRequirement")).toEqual(structSchema("core/v1.NodeSelectorRequirement"));
    const selector = describedStructSchema("meta/v1.LabelSelector", TYPES) as Described;
    const expression = selector.properties?.["matchExpressions"]?.items;
    expect([expression?.description, expression?.properties?.["key"]?.description]).toEqual([
      "An expression.",
      "The key of a label.",
    ]);
  });

  it("that others embed are those of the same fields of a definition", () => {
    const types = { "admissionregistration/v1.NamedRuleWithOperations": { fields: { apiGroups: "The groups." } } };
    const rule = describedStructSchema("admissionregistration/v1.Rule", types) as Described;
    expect(rule.properties?.["apiGroups"]?.description).toBe("The groups.");
  });

  it("are none for metadata and times, whose schemas controller-gen knows", () => {
    const pod = describedStructSchema("core/v1.PodTemplateSpec", TYPES) as Described;
    expect(pod.properties?.["metadata"]).toEqual({ type: "object" });
    expect(describedStructSchema("meta/v1.Time", TYPES)).toEqual(structSchema("meta/v1.Time"));
  });

  it("change nothing but descriptions, and freeze every part", () => {
    for (const name of structNames()) {
      const described = describedStructSchema(name, TYPES);
      expect(withoutDescriptions(described)).toEqual(structSchema(name));
      expect(describedStructSchema(name, TYPES)).toBe(described);
      expect(isFrozen(described)).toBe(true);
    }
    expect(describedStructSchema("core/v1.Nothing", TYPES)).toBeUndefined();
  });
});

describe("files of descriptions", () => {
  const descriptions = { release: "v1.35.4", source: "a test", types: TYPES };

  it("contain a type on each line, in the same order whatever the order of the types", () => {
    const text = printDescriptions(descriptions);
    const reversed = Object.fromEntries(Object.entries(TYPES).toReversed());
    expect(printDescriptions({ ...descriptions, types: reversed })).toBe(text);
    expect(text.split("\n")).toContain('"core/v1.Affinity":{"text":"Affinity of a Pod."},');
    expect(parseDescriptions(text)).toEqual(descriptions);
  });

  it("may have further members, which parsing ignores", () => {
    const text = printDescriptions(descriptions, { checksum: "sha256:00" });
    expect(JSON.parse(text)).toMatchObject({ checksum: "sha256:00" });
    expect(parseDescriptions(text)).toEqual(descriptions);
  });

  it.each(["", "{", "[]", "{}", '{"format":2,"release":"v1","source":"s","types":{}}'])("are not %j", (text) => {
    expect(parseDescriptions(text)).toBeUndefined();
  });

  it("are not texts whose types have other members than texts", () => {
    for (const type of [1, "text", { text: 1 }, { fields: ["a"] }, { fields: { a: 1 } }]) {
      const text = JSON.stringify({ format: 1, release: "v1.35.4", source: "s", types: { "core/v1.Pod": type } });
      expect(parseDescriptions(text)).toBeUndefined();
    }
  });
});

interface Described {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
}

// A field that is called description is no description.
function withoutDescriptions(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((each) => withoutDescriptions(each));
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key, value]) => key !== "description" || typeof value !== "string");
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutDescriptions(value)]));
}

function isFrozen(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every((each) => isFrozen(each));
}
