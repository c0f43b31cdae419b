import { describe, expect, it } from "vitest";

import { TEMPLATE_HASH_LABEL, templateHash, templatesEqual } from "../../../src/controllers/workload/revisions.ts";

const TEMPLATE = { metadata: { labels: { a: "1", b: "2" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const REORDERED = { spec: { containers: [{ image: "i", name: "c" }] }, metadata: { labels: { b: "2", a: "1" } } };
const OTHER = { ...TEMPLATE, spec: { containers: [{ name: "c", image: "j" }] } };

describe("templateHash", () => {
  it("is the same for the same template in whatever order, of characters that make no words", () => {
    expect(templateHash(TEMPLATE)).toBe(templateHash(REORDERED));
    expect(templateHash(TEMPLATE)).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{1,10}$/u);
    expect(templateHash(TEMPLATE)).not.toBe(templateHash(OTHER));
  });
});

describe("templatesEqual", () => {
  it("does not look at the hash label", () => {
    const labelled = { ...TEMPLATE, metadata: { labels: { ...TEMPLATE.metadata.labels, [TEMPLATE_HASH_LABEL]: "x" } } };
    expect(templatesEqual(labelled, REORDERED)).toBe(true);
    expect(templatesEqual(labelled, OTHER)).toBe(false);
  });
});
