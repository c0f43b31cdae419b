import path from "node:path";

import { expect, it } from "vitest";

import { readSource, ROOT } from "../architecture/source-files.ts";
import { importScript } from "../support/import-script.ts";

const { packageSbom, sbomProblem } = await importScript<{
  readonly packageSbom: (facts: { readonly folder: string; readonly metafiles: readonly object[] }) => string;
  readonly sbomProblem: (text: string) => Promise<string | undefined>;
}>("release/sbom.mjs");

const METAFILE = {
  outputs: {
    "dist/index.js": {
      inputs: {
        "src/index.ts": { bytesInOutput: 10 },
        "packages/schema/src/index.ts": { bytesInOutput: 10 },
        "packages/apiserver/src/index.ts": { bytesInOutput: 10 },
        "node_modules/js-yaml/index.mjs": { bytesInOutput: 10 },
        "slim:node_modules/@ts-morph/common/dist/typescript.js": { bytesInOutput: 10 },
        "node_modules/@ts-morph/common/dist/typescript.js": { bytesInOutput: 10 },
        "node_modules/yaml/dist/index.js": { bytesInOutput: 0 },
      },
    },
  },
};

interface Sbom {
  readonly components: readonly { readonly purl: string; readonly properties?: readonly object[] }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

function sbomOf(folder: string): Sbom {
  return JSON.parse(packageSbom({ folder: path.join(ROOT, folder), metafiles: [METAFILE] })) as Sbom;
}

it("an SBOM names what is in the output, with the compiler that ts-morph copied, and what npm installs beside it", () => {
  const { components } = sbomOf("packages/apiserver");
  const purls = components.map(({ purl }) => purl.replace(/(?<!^pkg:npm\/)@[\d.]+$/u, ""));
  expect(purls).toEqual([
    "pkg:npm/%40kubescaffold/k8s",
    "pkg:npm/%40kubescaffold/platform",
    "pkg:npm/%40kubescaffold/schema",
    "pkg:npm/%40ts-morph/common",
    "pkg:npm/js-yaml",
    "pkg:npm/typescript",
    "pkg:npm/ws",
  ]);
  const bundled = components.filter(({ properties = [] }) => properties.length > 0);
  expect(bundled.map(({ purl }) => purl)).not.toContainEqual(expect.stringContaining("k8s"));
});

it("an SBOM records the range of a dependency whose version npm decides", () => {
  const { dependencies } = JSON.parse(readSource("packages/k8s/package.json")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const text = packageSbom({ folder: path.join(ROOT, "packages/k8s"), metafiles: [{ outputs: {} }] });
  expect((JSON.parse(text) as Sbom).components).toMatchObject([
    { purl: "pkg:npm/%40kubescaffold/platform@0.1.0" },
    {
      name: "js-yaml",
      purl: "pkg:npm/js-yaml",
      properties: [{ name: "kubescaffold:versionRange", value: dependencies["js-yaml"] }],
    },
  ]);
});

it("an SBOM says which bundled package needs which", () => {
  const { dependencies } = sbomOf("packages/apiserver");
  const schema = dependencies.find(({ ref }) => ref.includes("%40kubescaffold/apiserver"));
  expect(schema?.dependsOn).toHaveLength(7);
});

it("an SBOM has the same bytes each time, and is valid; what is no SBOM is not", async () => {
  const facts = { folder: path.join(ROOT, "packages/apiserver"), metafiles: [METAFILE] };
  const text = packageSbom(facts);
  expect(packageSbom(facts)).toBe(text);
  expect(await sbomProblem(text)).toBeUndefined();
  expect(await sbomProblem(text.replace('"CycloneDX"', '"Other"'))).toContain("bomFormat");
});
