import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { RELAXABLE_CODES } from "../../src/checks/check-crds.ts";
import type { SourceHost } from "../../src/loader/source-host.ts";
import { runGenerators } from "../../src/run/run-generators.ts";
import { goldenCases, withoutVersion, withRelaxedChecks, type GoldenCase } from "../support/golden-cases.ts";
import { memoryHost } from "../support/memory-host.ts";

const CASES: readonly GoldenCase[] = [
  ...goldenCases("crd", ["crd"]),
  ...goldenCases("rbac", ["rbac:roleName=manager-role"]),
  ...goldenCases("webhook", ["webhook"]),
];

it("line ends of Windows and a byte order mark change nothing", async () => {
  expect(
    await different((files) => memoryHost(mapTexts(files, (text) => `\uFEFF${text.replaceAll("\n", "\r\n")}`))),
  ).toEqual([]);
});

it("the order in which the disk lists files changes nothing", async () => {
  expect(await different((files) => reversed(memoryHost(files)))).toEqual([]);
});

it("a second run changes nothing", async () => {
  expect(await different((files) => memoryHost(files))).toEqual([]);
});

type Files = Readonly<Record<string, string>>;

// Returns the cases for which something else comes out than what controller-gen wrote.
async function different(hostOf: (files: Files) => SourceHost): Promise<readonly string[]> {
  const names: string[] = [];
  for (const each of CASES) {
    const result = await runGenerators({
      root: "/p",
      arguments: [...withRelaxedChecks(each.arguments, RELAXABLE_CODES), "paths=./...", "output:stdout"],
      host: hostOf(filesOf(each.input)),
    });
    if (withoutVersion(result.stdout) !== each.expected) names.push(each.name);
  }
  return names;
}

function filesOf(folder: string): Files {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries.map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [`/p/${path.relative(folder, file).split(path.sep).join("/")}`, readFileSync(file, "utf8")];
    }),
  );
}

// Headers are at the top of files as they are.
function mapTexts(files: Files, change: (text: string) => string): Files {
  return Object.fromEntries(
    Object.entries(files).map(([file, text]) => [file, file.endsWith(".ts") ? change(text) : text]),
  );
}

function reversed(host: SourceHost): SourceHost {
  return { ...host, listDirectory: (folder) => host.listDirectory(folder)?.toReversed() };
}
