import { expect, it } from "vitest";

import { parseReference } from "../../../src/image/reference.ts";
import { type BuildFacts, renderProvenance } from "../../../src/image/signature/provenance.ts";

const FACTS: BuildFacts = {
  base: { name: "registry.example.com/node:22", digest: "sha256:ba5e", isInRegistry: true },
  platforms: ["linux/amd64"],
  parameters: { labels: { a: "b" } },
  source: { commit: "c0ffee", repository: "https://example.com/guestbook.git", isModified: false },
  lockFile: { name: "package-lock.json", sha256: "10cc" },
  bundle: { name: "dist/manager.mjs", sha256: "b0b0" },
  version: "1.2.3",
};
const NAME = parseReference("registry.example.com/guestbook:v1");

function render(facts: BuildFacts): unknown {
  return JSON.parse(Buffer.from(renderProvenance(facts, NAME, [{ digest: "sha256:1111" }])).toString());
}

it("the provenance is an in-toto statement about the image with what it was built from, by SLSA's fields", () => {
  expect(render(FACTS)).toEqual({
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name: "registry.example.com/guestbook", digest: { sha256: "1111" } }],
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "https://kubescaffold.dev/scaffold-image/v1",
        externalParameters: {
          base: "registry.example.com/node:22",
          platforms: ["linux/amd64"],
          labels: { a: "b" },
        },
        internalParameters: {},
        resolvedDependencies: [
          { name: "source", uri: "git+https://example.com/guestbook.git@c0ffee", digest: { gitCommit: "c0ffee" } },
          { name: "base", uri: "docker://registry.example.com/node:22", digest: { sha256: "ba5e" } },
          { name: "package-lock.json", digest: { sha256: "10cc" } },
        ],
      },
      runDetails: {
        builder: { id: "https://kubescaffold.dev/scaffold-image", version: { kubescaffold: "1.2.3" } },
        byproducts: [{ name: "dist/manager.mjs", digest: { sha256: "b0b0" } }],
      },
    },
  });
});

it("the provenance says that files of the commit were changed, and leaves out what is not known", () => {
  const source = { commit: "c0ffee", repository: undefined, isModified: true };
  const base = { ...FACTS.base, name: "base", isInRegistry: false };
  expect(render({ ...FACTS, base, source, lockFile: undefined })).toMatchObject({
    predicate: {
      buildDefinition: {
        resolvedDependencies: [
          { name: "source", digest: { gitCommit: "c0ffee" }, annotations: { modified: true } },
          { name: "base", digest: { sha256: "ba5e" } },
        ],
      },
    },
  });
});
