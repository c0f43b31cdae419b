import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { SUPPORTED_MINORS } from "@kubescaffold/k8s";
import type { JsonObject } from "@kubescaffold/schema/values";
import { describe, expect, it, onTestFinished } from "vitest";

import { Environment } from "../../src/environment/environment.ts";
import { selectedRelease } from "../conformance/selected-release.ts";
import { differencesOf, digestsOf, structureOf, type DocumentDigests } from "./document-structure.ts";
import { servedDocuments } from "./served-documents.ts";

// `CONFORMANCE_BACKEND=real` compares with a real server of the minor version that is selected, and `CONFORMANCE_RECORD=1` records its documents.
const IS_REAL = process.env["CONFORMANCE_BACKEND"] === "real";
const IS_RECORDING = process.env["CONFORMANCE_RECORD"] === "1";
const TIMEOUT_MS = 120_000;

type Recording = Readonly<Record<string, DocumentDigests>>;

function recordingOf(minor: string): URL {
  return new URL(`recorded/${minor}.json`, import.meta.url);
}

async function documentsOf(backend: "embedded" | "binaries", minor: string): Promise<ReadonlyMap<string, JsonObject>> {
  const environment = new Environment({
    backend,
    controllers: false,
    kubernetesVersion: minor,
    startTimeoutMs: TIMEOUT_MS,
  });
  onTestFinished(() => environment.stop());
  return await servedDocuments(await environment.start());
}

function digestsOfAll(documents: ReadonlyMap<string, JsonObject>): Recording {
  return Object.fromEntries([...documents].map(([name, structure]) => [name, digestsOf(structure)]));
}

describe("documents of OpenAPI", () => {
  it.each(SUPPORTED_MINORS)(
    "are those of a real server of %s but for texts",
    { timeout: TIMEOUT_MS },
    async (minor) => {
      const recorded = JSON.parse(readFileSync(recordingOf(minor), "utf8")) as Recording;
      const digests = Object.entries(digestsOfAll(await documentsOf("embedded", minor)));
      // Those of custom resources are recorded where a real server was at hand.
      const known = digests.filter(([name]) => name in recorded || !name.startsWith("apis/openapi.example.com/"));
      expect(Object.fromEntries(known)).toEqual(recorded);
    },
  );

  it.runIf(IS_REAL)("are equal on both servers", { timeout: TIMEOUT_MS }, async () => {
    const { minor } = selectedRelease();
    const [embedded, real] = await Promise.all([documentsOf("embedded", minor), documentsOf("binaries", minor)]);
    const digests = digestsOfAll(real);
    const file = recordingOf(minor);
    if (IS_RECORDING) writeFileSync(fileURLToPath(file), `${JSON.stringify(digests, undefined, 1)}\n`);
    const names = new Set([...real.keys(), ...embedded.keys()]);
    const differences = [...names].flatMap((name) => differencesOf(real.get(name), embedded.get(name), name));
    expect(differences).toEqual([]);
    expect(digests).toEqual(JSON.parse(readFileSync(file, "utf8")));
  });

  it.each([
    ["a schema", { components: { schemas: { A: { type: "object" } } } }, "schemas"],
    ["a path", { paths: { "/b": {} } }, "paths"],
    ["a scheme of tokens", { components: { schemas: {}, securitySchemes: {} } }, "paths"],
  ] as const)("have another digest after a change of %s", (_, changed, part) => {
    const document = { info: { version: "1" }, paths: {}, components: { schemas: {} } };
    const before = digestsOf(structureOf(document));
    const after = digestsOf(structureOf({ ...document, ...changed }));
    const parts = ["paths", "schemas"] as const;
    expect(parts.filter((each) => before[each] !== after[each])).toEqual([part]);
  });

  it("have the same digest with other texts and another order of keys, but not with another field called description", () => {
    const schema = (description: string, fields: JsonObject): JsonObject => ({
      components: { schemas: { A: { description, type: "object", properties: fields } } },
    });
    const first = digestsOf(structureOf(schema("One.", { description: { type: "string" }, a: {} })));
    expect(digestsOf(structureOf(schema("Two.", { a: {}, description: { type: "string" } })))).toEqual(first);
    expect(digestsOf(structureOf(schema("One.", { a: {} })))).not.toEqual(first);
  });
});
