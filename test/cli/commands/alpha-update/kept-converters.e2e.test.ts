import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { runCli } from "../../../../src/cli/run-cli.ts";
import type { FormerRun } from "../../../../src/upgrade/former-program.ts";
import { CREATE_API, CREATE_WEBHOOK, INIT, runCommands, STANDARD_REGISTRY } from "../../../support/run-command.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const BRANCH = "kubescaffold-update-from-0.1.0-to-0.2.0";
const converterOf = (version: string): string => `api/${version}/guestbook_conversion.ts`;

// As versions without generated conversions scaffolded it.
const FORMER = (version: string): string => `import type { SpokeConverter } from "@kubescaffold/runtime";

import { GuestbookHub } from "../v1/guestbook_conversion.ts";
import { Guestbook } from "./guestbook_types.ts";

/** guestbookConverter converts between Guestbook ${version} and the hub, v1. */
export const guestbookConverter: SpokeConverter<GuestbookHub, Guestbook> = {
  spoke: Guestbook,

  convertTo: ({ metadata, spec }) => {
    // TODO(user): convert the fields that differ.
    return GuestbookHub.create({ metadata, spec: { ...spec } });
  },

  convertFrom: ({ metadata, spec }) => {
    // TODO(user): convert the fields that differ.
    return Guestbook.create({ metadata, spec: { ...spec } });
  },
};
`;
const BY_HAND = FORMER("v3").replaceAll(
  "// TODO(user): convert the fields that differ.",
  "// By hand: nothing differs.",
);

function git(root: string, ...words: readonly string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
  return execFileSync("git", [...identity, ...words], { cwd: root, encoding: "utf8", stdio: "pipe" });
}

const runFormer: FormerRun = async ({ input, output }) => {
  await runCommands(input, `alpha generate --make=false --input-dir ${input} --output-dir ${output}`);
  for (const version of ["v2", "v3"]) writeFileSync(path.join(output, converterOf(version)), FORMER(version));
};

// v2 has the converter as it was scaffolded, v3 one that was written by hand.
async function project(): Promise<string> {
  const root = temporaryFolder();
  const api = (version: string): string =>
    `${CREATE_API.replace("--version v1", `--version ${version}`)} --controller=false`;
  await runCommands(
    root,
    INIT,
    CREATE_API,
    api("v2"),
    api("v3"),
    CREATE_WEBHOOK,
    "create webhook --group webapp --version v1 --kind Guestbook --conversion --spoke v2,v3 --make=false",
  );
  writeFileSync(path.join(root, converterOf("v2")), FORMER("v2"));
  writeFileSync(path.join(root, converterOf("v3")), BY_HAND);
  git(root, "init", "-q", "-b", "main");
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "mine");
  return root;
}

async function update(root: string): Promise<{ readonly status: number; readonly stderr: string }> {
  let stderr = "";
  const terminal = { isInteractive: false, writeOut: () => undefined, writeError: (text: string) => (stderr += text) };
  const packageRoot = fileURLToPath(new URL("../../../..", import.meta.url));
  const program = {
    name: "scaffold",
    version: "0.2.0",
    packageRoot,
    registry: async () => STANDARD_REGISTRY,
    runFormer,
  };
  return { status: await runCli({ args: ["alpha", "update"], cwd: root, terminal, program }), stderr };
}

describe("alpha update of a project without generated conversions", { timeout: 300_000 }, () => {
  it("generates those that nobody wrote, keeps the others without a conflict, and both work together", async () => {
    const root = await project();
    const { status, stderr } = await update(root);
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: expect.stringContaining(`note: ${converterOf("v3")} is kept as it is`) as string,
    });
    expect(stderr).not.toContain(converterOf("v2"));
    git(root, "switch", "-q", BRANCH);
    expect(readFileSync(path.join(root, converterOf("v3")), "utf8")).toBe(BY_HAND);
    expect(readFileSync(path.join(root, converterOf("v2")), "utf8")).toContain("newGuestbookConverter({})");
    await runCommands(root, "manifests", "generate");
    const generated = git(root, "status", "--porcelain", "--untracked-files=all", "api");
    expect(generated).toContain("api/v2/zz_generated.guestbook_conversion.ts");
    expect(generated).not.toContain("api/v3/zz_generated.guestbook_conversion.ts");
    expect(readFileSync(path.join(root, converterOf("v3")), "utf8")).toBe(BY_HAND);
  });

  it("adopts them for a converter by hand, which keeps its functions", async () => {
    const root = await project();
    const file = path.join(root, converterOf("v3"));
    const adopted = `import type { SpokeConverter } from "@kubescaffold/runtime";

import type { GuestbookHub } from "../v1/guestbook_conversion.ts";
import type { Guestbook } from "./guestbook_types.ts";
import { newGuestbookConverter } from "./zz_generated.guestbook_conversion.ts";

// +kubescaffold:conversion:kind=Guestbook,hub=v1

export const guestbookConverter: SpokeConverter<GuestbookHub, Guestbook> = newGuestbookConverter({
  convertGuestbookSpecToHub: (_spec, converted) => ({ ...converted }),
});
`;
    writeFileSync(file, adopted);
    await runCommands(root, "generate");
    await runCommands(root, "generate");
    expect(readFileSync(file, "utf8")).toBe(adopted);
    expect(readFileSync(path.join(root, "api/v3/zz_generated.guestbook_conversion.ts"), "utf8")).toContain(
      "convertGuestbookSpecToHub",
    );
  });
});
