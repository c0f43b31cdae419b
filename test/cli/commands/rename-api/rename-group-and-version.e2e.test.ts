import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { CREATE_API, CREATE_WEBHOOK, INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { listFolders, readFiles, temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

const LIVENESS_MS = 300_000;
const withMake = (line: string): string => line.replace(" --make=false", "");
const V2 = "create api --group webapp --version v2 --kind Guestbook --controller=false --make=false";
const CONVERSION = "create webhook --group webapp --version v1 --kind Guestbook --conversion --spoke v2";
const READER = "create api --group webapp --version v1 --kind Reader --make=false";

async function project(...lines: readonly string[]): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, ...lines);
  return root;
}

function change(root: string, file: string, edit: (text: string) => string): void {
  writeFileSync(path.join(root, file), edit(readFileSync(path.join(root, file), "utf8")));
}

interface Renaming {
  readonly lines: readonly string[];
  readonly rename: string;
  readonly back: string;
  /** The line of a project that has the new name from the start. */
  readonly renamed: (line: string) => string;
}

const ofGuestbook =
  (from: string, to: string) =>
  (line: string): string =>
    line.includes("--kind Guestbook") ? line.replaceAll(from, to) : line;

const RENAMINGS: Readonly<Record<string, Renaming>> = {
  "the group of the only kind": {
    lines: [CREATE_API, withMake(CREATE_WEBHOOK)],
    rename: "--group webapp --kind Guestbook --to-group sea-books",
    back: "--group sea-books --kind Guestbook --to-group webapp",
    renamed: (line) => line.replaceAll("webapp", "sea-books"),
  },
  "a group with all its kinds": {
    lines: [READER, CREATE_API, withMake(CREATE_WEBHOOK)],
    rename: "--group webapp --to-group books",
    back: "--group books --to-group webapp",
    renamed: (line) => line.replaceAll("webapp", "books"),
  },
  "the group of one of several kinds": {
    lines: ["edit --multigroup", READER, CREATE_API, withMake(CREATE_WEBHOOK)],
    rename: "--group webapp --kind Guestbook --to-group books",
    back: "--group books --kind Guestbook --to-group webapp",
    renamed: ofGuestbook("webapp", "books"),
  },
  "the group of a kind that converts": {
    lines: ["edit --multigroup", CREATE_API, V2, CONVERSION],
    rename: "--group webapp --kind Guestbook --to-group books.shop",
    back: "--group books.shop --kind Guestbook --to-group webapp",
    renamed: (line) => line.replaceAll("webapp", "books.shop"),
  },
  "group and kind together": {
    lines: ["edit --multigroup", READER, CREATE_API, withMake(CREATE_WEBHOOK)],
    rename: "--group webapp --kind Guestbook --to-group books --to-kind VisitorBook",
    back: "--group books --kind VisitorBook --to-group webapp --to-kind Guestbook",
    renamed: (line) => ofGuestbook("webapp", "books")(line).replaceAll("Guestbook", "VisitorBook"),
  },
  "the version of the only kind": {
    lines: [CREATE_API, withMake(CREATE_WEBHOOK)],
    rename: "--group webapp --version v1 --kind Guestbook --to-version v1beta1",
    back: "--group webapp --kind Guestbook --to-version v1",
    renamed: (line) => line.replaceAll("v1", "v1beta1"),
  },
  "the version of one of several kinds": {
    lines: [READER, CREATE_API, withMake(CREATE_WEBHOOK)],
    rename: "--group webapp --version v1 --kind Guestbook --to-version v2",
    back: "--group webapp --version v2 --kind Guestbook --to-version v1",
    renamed: ofGuestbook("v1", "v2"),
  },
  "the version of a hub": {
    lines: [CREATE_API, V2, CONVERSION],
    rename: "--group webapp --version v1 --kind Guestbook --to-version v1beta2",
    back: "--group webapp --version v1beta2 --kind Guestbook --to-version v1",
    renamed: (line) => line.replaceAll("v1", "v1beta2"),
  },
  "the version of a spoke": {
    lines: [CREATE_API, V2, CONVERSION],
    rename: "--group webapp --version v2 --kind Guestbook --to-version v3",
    back: "--group webapp --version v3 --kind Guestbook --to-version v2",
    renamed: (line) => line.replaceAll("v2", "v3"),
  },
};

describe("rename api", { timeout: LIVENESS_MS }, () => {
  it.for(Object.entries(RENAMINGS))(
    "makes of a project what it would be with another name of %s from the start, and back",
    async ([, { lines, rename, back, renamed }]) => {
      const [root, fresh] = [await project(...lines), await project(...lines.map(renamed))];
      const [files, folders] = [readFiles(root), listFolders(root)];
      await runCommands(root, `rename api ${rename}`);
      expect(readFiles(root)).toEqual(readFiles(fresh));
      expect(listFolders(root)).toEqual(listFolders(fresh));
      await runCommands(root, `rename api ${back}`);
      expect(readFiles(root)).toEqual(files);
      expect(listFolders(root)).toEqual(folders);
    },
  );

  it("keeps what was changed by hand, with group and version in it replaced", async () => {
    const root = await project(withMake(CREATE_API));
    const controller = "internal/controller/guestbook_controller.ts";
    change(root, controller, (text) =>
      text
        .replace("  // +kubebuilder:rbac", "  // Mine: apps/v1 stays, webapp too.\n  // +kubebuilder:rbac")
        .replace(
          "import { Guestbook }",
          'import { Deployment } from "@kubescaffold/k8s/apps/v1";\nimport { Guestbook }',
        )
        .replace("return {};", "return Deployment === undefined ? {} : {};"),
    );
    writeFiles(root, { "internal/own.ts": 'export type { Guestbook } from "../api/v1/guestbook_types.ts";\n' });
    await runCommands(root, "rename api --group webapp --kind Guestbook --to-group books --to-version v2 --version v1");
    const files = readFiles(root);
    const text = files[controller] ?? "";
    expect(text).toContain('import { Deployment } from "@kubescaffold/k8s/apps/v1";');
    expect(text).toContain('import { Guestbook } from "../../api/v2/guestbook_types.ts";');
    expect(text).toContain("// Mine: apps/v1 stays, webapp too.");
    expect(text).toContain("groups=books.demo,resources=guestbooks/status");
    expect(text).not.toContain("webapp.demo");
    expect(files["internal/own.ts"]).toContain('"../api/v2/guestbook_types.ts"');
    expect(files["config/crd/bases/books.demo_guestbooks.yaml"]).toContain("name: v2\n");
    expect(Object.keys(files).filter((name) => /webapp|api\/v1/u.test(name))).toEqual([]);
    expect((await runCommand(root, "doctor")).stdout).not.toContain("error:");
  });

  it.for([
    ["a second group of a project of one", "--kind Guestbook --to-group books", "PROJECT_MULTIPLE_GROUPS"],
    ["a version that the kind has", "--version v1 --kind Guestbook --to-version v2", "PROJECT_RESOURCE_CONFLICT"],
    [
      "a version of several without saying which",
      "--kind Guestbook --to-version v3",
      "pass --version with one of v1, v2",
    ],
    ["the same group", "--kind Guestbook --to-group webapp", "PROJECT_INVALID_NAME"],
    ["the same version", "--version v1 --kind Guestbook --to-version v1", "PROJECT_INVALID_NAME"],
    ["a group that is none", "--kind Guestbook --to-group Web_App", "PROJECT_INVALID_NAME"],
    ["a version that is none", "--version v1 --kind Guestbook --to-version 1", "PROJECT_INVALID_NAME"],
    ["nothing", "--kind Guestbook", '"to-kind" not set [CLI_MISSING_FLAG]'],
    ["nobody", "--to-kind Visitor", '"kind" not set [CLI_MISSING_FLAG]'],
    ["all kinds of a group to one", "--to-group books --to-kind Visitor", "PROJECT_INVALID_NAME"],
  ] as const)("refuses %s", async ([, flags, message]) => {
    const root = await project(CREATE_API, V2, READER);
    const before = readFiles(root);
    const { status, stderr } = await runCommand(root, `rename api --group webapp ${flags}`);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) });
    expect(readFiles(root)).toEqual(before);
  });

  it("refuses a group that has a kind of the name", async () => {
    const root = await project("edit --multigroup", CREATE_API, CREATE_API.replace("webapp", "books"));
    const { status, stderr } = await runCommand(root, "rename api --group webapp --kind Guestbook --to-group books");
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("kind Guestbook of the project") });
  });
});
