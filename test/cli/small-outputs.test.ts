import { writeFileSync } from "node:fs";
/* cspell:ignore Deploymnt Gestbook Guestbok Guestbuk webap */
import path from "node:path";

/** What commands print about files, kinds, and flags. */
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { CREATE_API, CREATE_WEBHOOK, INIT, runCommand, runCommands } from "../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../support/temporary-folder.ts";

describe("files that exist", () => {
  it("take one line of the output, and are listed as JSON", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT, CREATE_API, CREATE_WEBHOOK, CREATE_API.replace("Guestbook", "Entry"));
    const command = CREATE_WEBHOOK.replace("Guestbook", "Entry");
    const preview = await runCommand(root, `${command} --dry-run --output json`);
    const { skipped } = JSON.parse(preview.stdout) as { readonly skipped: readonly string[] };
    expect(skipped.length).toBeGreaterThan(5);
    const { stdout } = await runCommand(root, command);
    expect(stdout.match(/^kept .*$/gmu)).toEqual([
      `kept    ${skipped[0]} and ${skipped.length - 1} other existing files`,
    ]);
  });
});

describe("a mistyped kind", () => {
  it.each([
    ["create webhook --group webapp --version v1 --kind Guestbok --defaulting", "--kind Guestbook"],
    ["create webhook --group webap --version v1 --kind Guestbook --defaulting", "--group webapp"],
    ["create webhook --group webapp --version v2 --kind Guestbook --defaulting", "--version v1"],
    ["create webhook --group apps --version v1 --kind Deploymnt --defaulting", "--kind Deployment"],
    ["create api --group webapp --version v1 --kind GuestBok --resource=false --controller", "--kind Guestbook"],
    ["create api --group apps --version v1 --kind Deploymnt --resource=false --controller", "--kind Deployment"],
    ["create api --group batch --version v1 --kind Jobs --resource=false --controller", "--kind Job"],
    ["delete api --group webapp --version v1 --kind Gestbook", "--kind Guestbook"],
    ["delete webhook --group webap --version v1 --kind Gestbook", "--group webapp --kind Guestbook"],
    ["rename api --group webapp --version v1 --kind Guestbuk --to-kind Book", "--kind Guestbook"],
  ])("of %s is answered with %s", async (line, proposed) => {
    const root = temporaryFolder();
    await runCommands(root, INIT, CREATE_API);
    const before = readFiles(root);
    const { status, stderr } = await runCommand(root, line);
    expect({ status, stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`did you mean ${proposed}?`),
    });
    expect(readFiles(root)).toEqual(before);
  });

  it.each([
    ["create webhook --group webapp --version v1 --kind Certificate --defaulting"],
    ["delete api --group webapp --version v1 --kind Certificate"],
  ])("that is like none is not guessed: %s", async (line) => {
    const root = temporaryFolder();
    await runCommands(root, INIT, CREATE_API);
    expect((await runCommand(root, line)).stderr).not.toContain("did you mean");
  });
});

describe("--yes", () => {
  it.each([
    ["create api", "with --force, overwrite changed files without prompting"],
    ["create webhook", "with --force, overwrite changed files without prompting"],
    ["delete api", "delete without prompting; changed files also need --force"],
    ["delete webhook", "delete without prompting; changed files also need --force"],
  ])("of %s does what its help states", async (command, help) => {
    const { stdout } = await runCommand(temporaryFolder(), `help ${command}`);
    expect(stdout.replaceAll(/\s+/gu, " ")).toContain(help);
  });

  it("alone deletes no changed file", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT, CREATE_API);
    const file = "api/v1/guestbook_types.ts";

    writeFiles(root, { [file]: `${readFiles(root)[file] ?? ""}// mine\n` });
    const line = "delete api --group webapp --version v1 --kind Guestbook --yes --make=false";
    expect(await runCommand(root, line)).toMatchObject({ status: 1, stderr: expect.stringContaining(file) });
    expect(await runCommand(root, `${line} --force`)).toMatchObject({ status: 0 });
    expect(readFiles(root)[file]).toBeUndefined();
  });
});

describe("init", () => {
  it.each([
    ["", "stdout"],
    [" --output json", "stderr"],
  ] as const)("prints%s what it waits for, on %s", async (flags, stream) => {
    const bin = temporaryFolder();
    writeFileSync(path.join(bin, "npm"), `#!${process.execPath}\n`, { mode: 0o755 });
    vi.stubEnv("PATH", bin);
    onTestFinished(() => void vi.unstubAllEnvs());
    const result = await runCommand(temporaryFolder(), `init --domain demo --project-name a --k8s-docs=false${flags}`);
    expect(result.status).toBe(0);
    expect(result[stream]).toContain("Installing packages: npm install …\n");
    expect(result.stdout.startsWith("{")).toBe(stream === "stderr");
  });
});
