import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { ROOT } from "../../../architecture/source-files.ts";
import { newProject } from "../../../e2e/project-copy.ts";
import { unformatted } from "../../../support/format-check.ts";
import { CREATE_API, CREATE_WEBHOOK, INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { runProgram } from "../../../support/run-program.ts";
import { listFolders, readFiles, temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

const RENAME = "rename api --group webapp --version v1 --kind Guestbook --to-kind VisitorBook";
const BACK = "rename api --group webapp --version v1 --kind VisitorBook --to-kind Guestbook";
const LIVENESS_MS = 300_000;

const withMake = (line: string): string => line.replace(" --make=false", "");
const ofKind = (line: string): string => line.replaceAll("Guestbook", "VisitorBook");

const ofVersion = (version: string, line: string): string => line.replace("--version v1", `--version ${version}`);

async function project(...lines: readonly string[]): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, ...lines);
  return root;
}

function change(root: string, file: string, edit: (text: string) => string): void {
  writeFileSync(path.join(root, file), edit(readFileSync(path.join(root, file), "utf8")));
}

const PROJECTS: readonly (readonly [string, readonly string[]])[] = [
  ["an API with webhooks and manifests", [CREATE_API, withMake(CREATE_WEBHOOK)]],
  [
    "one of several kinds, with a second controller",
    [
      "create api --group webapp --version v1 --kind Reader --make=false",
      CREATE_API,
      "create api --group webapp --version v1 --kind Guestbook --resource=false --controller-name guestbook-backup --make=false",
      withMake(CREATE_WEBHOOK),
    ],
  ],
  ["one of two versions, one of which is marked as stored", [CREATE_API, withMake(ofVersion("v2", CREATE_API))]],
  [
    "a kind of a name that another group has too",
    [
      "edit --multigroup",
      "create api --group crew --version v1 --kind Guestbook --make=false",
      "create webhook --group crew --version v1 --kind Guestbook --defaulting --make=false",
      CREATE_API,
      withMake(CREATE_WEBHOOK),
    ],
  ],
];

describe("rename api", () => {
  it.for(PROJECTS)("makes of %s what it would be if it had had the name from the start", async ([, lines]) => {
    const root = await project(...lines);
    const own = lines.map((line) => (line.includes("--group webapp") ? ofKind(line) : line));
    const fresh = await project(...own);
    await runCommands(root, RENAME);
    expect(readFiles(root)).toEqual(readFiles(fresh));
  });

  it("formats the marked types of a kind with a long new name", async () => {
    const root = await project(CREATE_API, ofVersion("v2", CREATE_API));
    await runCommands(root, `${RENAME.replace("VisitorBook", `Long${"Name".repeat(13)}`)} --make=false`);
    const types = readFiles(root)[`api/v1/long${"name".repeat(13)}_types.ts`];
    expect(types).toContain("+kubebuilder:storageversion");
    expect(await unformatted(readFiles(root))).toEqual([]);
  });

  it.for(PROJECTS)("is undone for %s by its opposite, byte for byte", async ([, lines]) => {
    const root = await project(...lines);
    const [files, folders] = [readFiles(root), listFolders(root)];
    await runCommands(root, RENAME, BACK);
    expect(readFiles(root)).toEqual(files);
    expect(listFolders(root)).toEqual(folders);
  });

  it("renames all versions of a kind, and takes an irregular plural", async () => {
    const root = await project(
      CREATE_API,
      "create api --group webapp --version v2 --kind Guestbook --from none --controller=false --make=false",
    );
    await runCommands(root, `${RENAME} --to-plural visitorbookz --make=false`);
    const files = readFiles(root);
    expect(files["PROJECT"]?.match(/kind: VisitorBook/gu)).toHaveLength(2);
    expect(files["api/v2/visitorbook_types.ts"]).toContain("+kubebuilder:resource:path=visitorbookz");
    expect(JSON.stringify(files)).not.toMatch(/Guestbook|guestbooks|guestbook_/u);
  });

  it(
    "keeps what was changed by hand, with the names in it replaced, and the result type-checks",
    { timeout: LIVENESS_MS },
    async () => {
      const copy = newProject();
      const { root } = copy;
      try {
        await runCommands(root, INIT, CREATE_API, withMake(CREATE_WEBHOOK));
        change(root, "internal/controller/guestbook_controller.ts", (text) =>
          text
            .replace(
              "return {};",
              'const guestbook = await this.client.get(Guestbook, request);\n    context.log.info("a Guestbook of guestbooks", { foo: sizeOf(guestbook) });\n    return {};',
            )
            .replace("import { Guestbook }", 'import { sizeOf } from "../sizes.ts";\nimport { Guestbook }'),
        );
        change(root, "internal/webhook/v1/guestbook_webhook.ts", (text) =>
          text.replace("// TODO(user): set the defaults.", 'guestbook.spec.foo ??= "x";'),
        );
        change(root, "api/v1/guestbook_types.ts", (text) =>
          text
            .replace("  foo?: string;", "  foo?: string;\n\n  /** size of the Guestbooks. */\n  size?: number;")
            .replace("size?: number", "size?: string"),
        );
        change(root, "config/samples/webapp_v1_guestbook.yaml", (text) => `${text}  # of guestbooks\n`);
        writeFiles(root, {
          "internal/sizes.ts":
            'import type { DeepReadonly } from "@kubescaffold/k8s";\n\nimport type { Guestbook, GuestbookSpec } from "../api/v1/guestbook_types.ts";\n\n/** Is mine. */\nexport function sizeOf(guestbook: DeepReadonly<Guestbook>): string {\n  const spec: DeepReadonly<GuestbookSpec> = guestbook.spec;\n  return spec.size ?? "MyGuestbook";\n}\n',
        });
        await runCommands(root, "manifests", "generate");
        const before = readFiles(root);
        await runCommands(root, RENAME);
        const files = readFiles(root);
        const controller = files["internal/controller/visitorbook_controller.ts"] ?? "";
        expect(controller).toContain("const visitorBook = await this.client.get(VisitorBook, request);");
        expect(controller).toContain(
          'context.log.info("a VisitorBook of visitorbooks", { foo: sizeOf(visitorBook) });',
        );
        expect(controller).toContain("resources=visitorbooks/status,");
        expect(controller).toContain("export class VisitorBookReconciler {");
        expect(files["internal/webhook/v1/visitorbook_webhook.ts"]).toContain('visitorBook.spec.foo ??= "x";');
        expect(files["internal/webhook/v1/visitorbook_webhook.ts"]).toContain("name=mvisitorbook-v1.kb.io");
        expect(files["internal/sizes.ts"]).toContain('"../api/v1/visitorbook_types.ts"');
        expect(files["internal/sizes.ts"]).toContain('return spec.size ?? "MyGuestbook";');
        expect(files["config/samples/webapp_v1_visitorbook.yaml"]).toContain("  # of visitorbooks\n");
        expect(files["config/crd/bases/webapp.demo_visitorbooks.yaml"]).toContain("size of the Guestbooks");
        expect(files["config/crd/bases/webapp.demo_guestbooks.yaml"]).toBeUndefined();
        const tsc = await runProgram(path.join(ROOT, "node_modules/.bin/tsc"), ["--noEmit"], { cwd: root });
        expect(tsc).toMatchObject({ status: 0 });
        await runCommands(root, BACK);
        expect(readFiles(root)).toEqual(before);
      } finally {
        copy.remove();
      }
    },
  );

  it("regenerates files under the license that they were made with, and back", async () => {
    const root = await project(CREATE_API, "edit --license copyright --owner Acme");
    const before = readFiles(root);
    const long = `V${"isitor".repeat(9)}Bo`;
    await runCommands(root, `${RENAME.replace("VisitorBook", long)} --make=false`);
    const files = readFiles(root);
    const types = files[`api/v1/${long.toLowerCase()}_types.ts`] ?? "";
    expect(types.slice(0, types.indexOf("*/"))).toContain("Apache-2.0");
    expect(await unformatted(files)).toEqual([]);
    await runCommands(root, `${BACK.replace("VisitorBook", long)} --make=false`);
    expect(readFiles(root)).toEqual(before);
  });

  it("writes nothing on a dry run, and shows what would change", async () => {
    const root = await project(CREATE_API);
    const files = readFiles(root);
    const { stdout, status } = await runCommand(root, `${RENAME} --dry-run`);
    expect(status).toBe(0);
    expect(stdout).toContain("+export class VisitorBookReconciler");
    expect(readFiles(root)).toEqual(files);
  });

  it.for([
    ["a name that another kind has", "--kind Guestbook --to-kind Reader", "PROJECT_RESOURCE_CONFLICT"],
    [
      "a name that differs from another's in capitals",
      "--kind Guestbook --to-kind READER",
      "PROJECT_RESOURCE_CONFLICT",
    ],
    [
      "a plural that another kind has",
      "--kind Guestbook --to-kind Book --to-plural readers",
      "PROJECT_RESOURCE_CONFLICT",
    ],
    ["the same name", "--kind Guestbook --to-kind Guestbook", "PROJECT_INVALID_NAME"],
    ["a name that is none", "--kind Guestbook --to-kind visitor", "PROJECT_INVALID_NAME"],
    ["a kind that is not there", "--kind Nobody --to-kind Somebody", "webapp/v1, Kind=Guestbook"],
    ["a version that is not there", "--version v9 --kind Guestbook --to-kind Somebody", "PROJECT_RESOURCE_NOT_FOUND"],
  ] as const)("refuses %s", async ([, flags, message]) => {
    const root = await project(CREATE_API, "create api --group webapp --version v1 --kind Reader --make=false");
    const files = readFiles(root);
    const { status, stderr } = await runCommand(root, `rename api --group webapp ${flags}`);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) });
    expect(readFiles(root)).toEqual(files);
  });

  it("refuses kinds that are defined elsewhere", async () => {
    const root = await project("create api --group apps --version v1 --kind Deployment --resource=false --make=false");
    const { status, stderr } = await runCommand(root, "rename api --group apps --kind Deployment --to-kind Rollout");
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("not defined in this project") });
  });
});
