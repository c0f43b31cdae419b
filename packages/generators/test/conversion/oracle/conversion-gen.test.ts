import { readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { renderDiagnostics } from "../../../src/diagnostics/diagnostic.ts";
import { runGenerators } from "../../../src/run/run-generators.ts";
import { memoryHost } from "../../support/memory-host.ts";
import { TYPE_PAIRS, type TypePair } from "./type-pairs.ts";

type Verdict = "automatic" | "refused" | "cast";

interface Answer {
  readonly name: string;
  readonly toHub: Verdict;
  readonly fromHub: Verdict;
}

const RECORDED = JSON.parse(readFileSync(path.join(import.meta.dirname, "conversion-gen.json"), "utf8")) as {
  readonly answers: readonly Answer[];
};

// Where the generator decides otherwise than conversion-gen, with the reason.
const DIFFERENCES: Readonly<
  Record<string, { readonly toHub?: Verdict; readonly fromHub?: Verdict; readonly reason: string }>
> = {
  "added optional field": { fromHub: "automatic", reason: "the annotation keeps the value" },
  "added required field": { toHub: "refused", fromHub: "automatic", reason: "Go sets an empty value" },
  "removed optional field": { fromHub: "refused", reason: "who writes one direction must write the other" },
  "optional becomes required": { toHub: "refused", reason: "Go sets an empty value" },
  "required becomes optional": { fromHub: "refused", reason: "Go sets an empty value" },
  "string becomes integer": { toHub: "refused", fromHub: "refused", reason: "Go's cast does not compile" },
  "integer is widened": { fromHub: "refused", reason: "Go's cast drops digits" },
  "integer is narrowed": { toHub: "refused", reason: "Go's cast drops digits" },
  "nested structs with other names": {
    toHub: "automatic",
    fromHub: "automatic",
    reason: "the field tells what belongs together",
  },
  "map with values of another type": { toHub: "refused", fromHub: "refused", reason: "Go's cast does not compile" },
};

describe("compared with conversion-gen", () => {
  it("has an answer for each pair", () => {
    expect(RECORDED.answers.map(({ name }) => name)).toEqual(TYPE_PAIRS.map(({ name }) => name));
    expect(TYPE_PAIRS.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(DIFFERENCES)));
  });

  it.each(TYPE_PAIRS)("decides as listed on: $name", async (pair) => {
    const recorded = RECORDED.answers.find(({ name }) => name === pair.name);
    const { reason: _reason, ...difference } = DIFFERENCES[pair.name] ?? {};
    expect({ name: pair.name, ...(await verdictsOf(pair)) }).toEqual({ ...recorded, ...difference });
  });
});

async function verdictsOf({ spoke, hub }: TypePair): Promise<Omit<Answer, "name">> {
  const host = memoryHost({
    "/project/api/v1/groupversion_info.ts": "// +groupName=a.example.com\nexport {};\n",
    "/project/api/v1/a_types.ts": types(hub),
    "/project/api/v1alpha1/groupversion_info.ts":
      "// +groupName=a.example.com\n// +kubescaffold:conversion:kind=A,hub=v1\nexport {};\n",
    "/project/api/v1alpha1/a_types.ts": types(spoke),
  });
  const { files, diagnostics } = await runGenerators({
    root: "/project",
    arguments: ["conversion", "paths=./..."],
    host,
  });
  expect(renderDiagnostics(diagnostics)).toBe("");
  const [file] = files;
  const verdict = (direction: string): Verdict =>
    new RegExp(`readonly convert\\w+${direction}\\w*: `, "u").test(file?.content ?? "") ? "refused" : "automatic";
  return { toHub: verdict("ToHub"), fromHub: verdict("FromHub") };
}

function types({ ts, moreTs = "" }: TypePair["hub"]): string {
  return `import type { int32, int64 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface T { ${ts} }

${moreTs}

export interface A extends KubernetesObject { t?: T }
`;
}
