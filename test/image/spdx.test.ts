import { describe, expect, it } from "vitest";

import { renderSpdx } from "../../src/image/spdx.ts";

describe("renderSpdx", () => {
  const facts = {
    name: "operator",
    version: "1.0.0",
    license: undefined,
    bundle: Buffer.from("bundle"),
    createdAt: new Date(0),
    tool: "kubescaffold-0.1.0",
    packages: [
      { name: "@a/b", version: "1.0.0", license: "MIT OR Apache-2.0", homepage: "https://a.example" },
      { name: "a-b", version: "1.0.0", license: "SEE LICENSE IN X", homepage: undefined },
    ],
  };

  it("describes the manager and says that it contains the packages", () => {
    const document = JSON.parse(Buffer.from(renderSpdx(facts)).toString()) as {
      readonly packages: readonly Readonly<Record<string, unknown>>[];
      readonly relationships: readonly Readonly<Record<string, string>>[];
    };
    const ids = document.packages.map(({ SPDXID }) => SPDXID);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^SPDXRef-[A-Za-z0-9.-]+$/u);
    expect(document.packages.map(({ licenseDeclared }) => licenseDeclared)).toEqual([
      "NOASSERTION",
      "MIT OR Apache-2.0",
      "NOASSERTION",
    ]);
    expect(
      document.relationships.map(({ spdxElementId, relationshipType, relatedSpdxElement }) => [
        spdxElementId,
        relationshipType,
        relatedSpdxElement,
      ]),
    ).toEqual([
      ["SPDXRef-DOCUMENT", "DESCRIBES", ids[0]],
      [ids[0], "CONTAINS", ids[1]],
      [ids[0], "CONTAINS", ids[2]],
    ]);
    expect(document).toMatchObject({ spdxVersion: "SPDX-2.3", creationInfo: { created: "1970-01-01T00:00:00Z" } });
  });

  it("has another name in the world when the bundle is another", () => {
    const namespaceOf = (bytes: Uint8Array): unknown =>
      (JSON.parse(Buffer.from(bytes).toString()) as Record<string, unknown>)["documentNamespace"];
    expect(namespaceOf(renderSpdx(facts))).toBe(namespaceOf(renderSpdx(facts)));
    expect(namespaceOf(renderSpdx({ ...facts, bundle: Buffer.from("x") }))).not.toBe(namespaceOf(renderSpdx(facts)));
  });
});
