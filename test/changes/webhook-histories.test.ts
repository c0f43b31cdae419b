import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { CREATE_API, INIT, runCommand, runCommands } from "../support/run-command.ts";
import { listFolders, readFiles, temporaryFolder } from "../support/temporary-folder.ts";

const GVK = "--group webapp --version v1 --kind Guestbook --make=false";
const SPOKE = (version: string): string =>
  `create api --group webapp --version ${version} --kind Guestbook --controller=false --make=false`;
const webhook = (types: string): string => `create webhook ${GVK} ${types}`;
const WEBHOOK = "internal/webhook/v1/guestbook_webhook.ts";

async function project(): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, CREATE_API, SPOKE("v2"), SPOKE("v3"));
  return root;
}

const [DEFAULTING, VALIDATION, CONVERSION] = ["--defaulting", "--programmatic-validation", "--conversion --spoke v2"];

const HISTORIES: readonly (readonly string[])[] = [
  [CONVERSION, DEFAULTING],
  [CONVERSION, VALIDATION, DEFAULTING],
  [DEFAULTING, CONVERSION, VALIDATION],
  [VALIDATION, `${DEFAULTING} ${CONVERSION}`],
  [CONVERSION, `${DEFAULTING} ${VALIDATION}`],
  [CONVERSION, DEFAULTING, "--conversion --spoke v3", VALIDATION],
];

describe("webhooks that were added one after the other", () => {
  it.for(HISTORIES.map((history) => [history.join(", then "), history] as const))(
    "are deleted without a trace and without --force: %s",
    async ([, history]) => {
      const root = await project();
      const [files, folders] = [readFiles(root), listFolders(root)];
      await runCommands(root, ...history.map((types) => webhook(types)));
      const { status, stderr } = await runCommand(root, `delete webhook ${GVK}`);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(readFiles(root)).toEqual(files);
      expect(listFolders(root)).toEqual(folders);
    },
  );

  it("are refused when one line of them is the user's", async () => {
    const root = await project();
    await runCommands(root, webhook(CONVERSION), webhook(DEFAULTING));
    const file = path.join(root, WEBHOOK);
    writeFileSync(file, readFileSync(file, "utf8").replace("set the defaults", "done"));
    const before = readFiles(root);
    const { status, stderr } = await runCommand(root, `delete webhook ${GVK}`);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining(` [CLI_CHANGED_FILES]:\n  ${WEBHOOK}\n`),
    });
    expect(readFiles(root)).toEqual(before);
  });

  it("go with their API", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT, SPOKE("v2"));
    const files = readFiles(root);
    await runCommands(root, CREATE_API, webhook(DEFAULTING), webhook(VALIDATION));
    expect(await runCommand(root, `delete api ${GVK} --not-stored`)).toMatchObject({ status: 0, stderr: "" });
    expect(readFiles(root)).toEqual(files);
  });
});
