import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { CREATE_API, CREATE_WEBHOOK, INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { listFolders, readFiles, temporaryFolder } from "../../../support/temporary-folder.ts";

const GVK = "--group webapp --version v1 --kind Guestbook";
const DELETE = `delete api ${GVK}`;

async function project(...lines: readonly string[]): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, ...lines);
  return root;
}

describe("delete api", () => {
  it.for([
    ["an API", [CREATE_API]],
    ["an API with its manifests", [CREATE_API.replace(" --make=false", "")]],
    ["an API with webhooks and manifests", [CREATE_API, CREATE_WEBHOOK.replace(" --make=false", "")]],
    ["a cluster-scoped API", [`create api ${GVK} --namespaced=false`]],
    ["types without a controller", [`create api ${GVK} --controller=false`]],
  ] as const)("is the inverse of the commands for %s, byte for byte", async ([, lines]) => {
    const root = await project();
    const [files, folders] = [readFiles(root), listFolders(root)];
    await runCommands(root, ...lines, DELETE);
    expect(readFiles(root)).toEqual(files);
    expect(listFolders(root)).toEqual(folders);
  });

  it("says nothing of files that it deletes itself", async () => {
    const root = await project(`create api ${GVK}`);
    expect(await runCommand(root, DELETE)).toMatchObject({ status: 0, stderr: "" });
  });

  it("deletes a version that was copied with --from, unless it was changed since", async () => {
    const create = CREATE_API.replace(" --make=false", "");
    const root = await project(create.replace("v1", "v1alpha1"));
    const types = path.join(root, "api/v1alpha1/guestbook_types.ts");
    writeFileSync(types, readFileSync(types, "utf8").replace("  foo?: string;", "  foo?: string;\n\n  bar?: string;"));
    await runCommands(root, "manifests", "generate");
    const files = readFiles(root);
    await runCommands(root, `${create} --from v1alpha1`, `${DELETE} --not-stored`);
    expect(readFiles(root)).toEqual(files);

    await runCommands(root, `${create} --from v1alpha1`);
    const copy = path.join(root, "api/v1/guestbook_types.ts");
    writeFileSync(copy, readFileSync(copy, "utf8").replace("bar?: string", "bar?: boolean"));
    const { status, stderr } = await runCommand(root, `${DELETE} --not-stored`);
    expect(status).toBe(1);
    expect(stderr).toContain("changed since they were scaffolded:\n  api/v1/guestbook_types.ts [CLI_CHANGED_FILES]\n");
    expect(stderr).toContain("--force to delete them anyway; nothing was written\n");
  });

  it("leaves what another kind of the project needs", async () => {
    const other = "create api --group webapp --version v1 --kind Visitor";
    const root = await project(other, "create webhook --group webapp --version v1 --kind Visitor --defaulting");
    const files = readFiles(root);
    await runCommands(root, `create api ${GVK}`, CREATE_WEBHOOK.replace(" --make=false", ""), DELETE);
    expect(readFiles(root)).toEqual(files);
  });

  it("leaves the other groups of a project with several", async () => {
    const root = await project("edit --multigroup", "create api --group crew --version v1 --kind Guestbook");
    const files = readFiles(root);
    await runCommands(root, `create api ${GVK}`, DELETE);
    expect(readFiles(root)).toEqual(files);
  });

  it("deletes a controller alone, when it is named", async () => {
    const root = await project(`create api ${GVK}`);
    const files = readFiles(root);
    await runCommands(
      root,
      `create api ${GVK} --resource=false --controller-name guestbook-backup`,
      `${DELETE} --controller-name guestbook-backup`,
    );
    expect(readFiles(root)).toEqual(files);
  });

  it("deletes a controller of a kind of Kubernetes with its entry", async () => {
    const root = await project();
    const files = readFiles(root);
    const gvk = "--group apps --version v1 --kind Deployment";
    await runCommands(root, `create api ${gvk} --resource=false`, `delete api ${gvk}`);
    expect(readFiles(root)).toEqual(files);
  });

  it("deletes a controller that was there before the project had its own types", async () => {
    const gvk = "--group apps --version v1 --kind Deployment";
    const root = await project(`create api ${gvk} --resource=false --make=false`);
    await runCommands(root, CREATE_API, CREATE_WEBHOOK, DELETE, `delete api ${gvk} --make=false`);
    expect(readFiles(root)).toEqual(readFiles(await project()));
  });

  it("knows its files by what they say, under the license that they were made with", async () => {
    const root = await project();
    await runCommands(root, "edit --license copyright --owner Acme");
    const [files, folders] = [readFiles(root), listFolders(root)];
    await runCommands(root, "edit --license apache2", CREATE_API, "edit --license copyright --owner Acme", DELETE);
    expect(readFiles(root)).toEqual(files);
    expect(listFolders(root)).toEqual(folders);
  });

  it("refuses when a file was changed, and deletes nothing", async () => {
    const root = await project(CREATE_API);
    const controller = path.join(root, "internal/controller/guestbook_controller.ts");
    writeFileSync(controller, `${readFileSync(controller, "utf8")}// mine\n`);
    const files = readFiles(root);
    const { status, stderr } = await runCommand(root, DELETE);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("CLI_CHANGED_FILES") });
    expect(stderr).toContain("\n  internal/controller/guestbook_controller.ts");
    expect(readFiles(root)).toEqual(files);
    const forced = await runCommand(root, `${DELETE} --force`);
    expect(forced).toMatchObject({ status: 0, stdout: expect.stringContaining("it was deleted anyway") });
    expect(readFiles(root)["internal/controller/guestbook_controller.ts"]).toBeUndefined();
  });

  it("finds lines that a formatter has changed, and names those that are gone", async () => {
    const root = await project(CREATE_API);
    const main = path.join(root, "cmd/main.ts");
    const text = readFileSync(main, "utf8");
    writeFileSync(
      main,
      text.replace(/^import \{ GuestbookReconciler.*$/mu, (line) => line.replaceAll('"', "'").replace(";", "")),
    );
    expect(await runCommand(root, `${DELETE} --dry-run`)).toMatchObject({ status: 0 });
    writeFileSync(main, text.replace(/^import \{ GuestbookReconciler.*\n/mu, ""));
    const { status, stderr } = await runCommand(root, DELETE);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("cmd/main.ts (lines of it") });
  });

  it("writes nothing on a dry run, and shows what would go", async () => {
    const root = await project(CREATE_API);
    const files = readFiles(root);
    const { stdout, status } = await runCommand(root, `${DELETE} --dry-run`);
    expect(status).toBe(0);
    expect(stdout).toContain("-export class GuestbookReconciler");
    expect(readFiles(root)).toEqual(files);
  });

  it("names the APIs that there are when it is given another", async () => {
    const root = await project(CREATE_API);
    const { status, stderr } = await runCommand(root, "delete api --group webapp --version v2 --kind Guestbook");
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("webapp/v1, Kind=Guestbook") });
  });
});

const WEBHOOK_TYPES = ["--defaulting", "--programmatic-validation", "--conversion --spoke v2"];

describe("delete webhook of some types", () => {
  const pairs = WEBHOOK_TYPES.flatMap((first) => WEBHOOK_TYPES.map((second) => [first, second] as const));
  const versions = [CREATE_API, `${CREATE_API.replace("v1", "v2")} --controller=false`];
  const create = `create webhook ${GVK} --make=false`;
  const remove = `delete webhook ${GVK} --make=false`;
  const own = (type: string): string => type.replace(" --spoke v2", "");

  it.for(pairs.filter(([first, second]) => first !== second))(
    "leaves what create webhook %s made, once %s is removed, byte for byte",
    async ([first, second]) => {
      const root = await project(...versions, `${create} ${first}`);
      const files = readFiles(root);
      await runCommands(root, `${create} ${second}`, `${remove} ${own(second)}`);
      expect(readFiles(root)).toEqual(files);
    },
  );

  it.for(pairs.filter(([first, second]) => first !== second))(
    "leaves the same when %s and %s were made at once",
    async ([first, second]) => {
      const root = await project(...versions, `${create} ${first}`);
      const files = readFiles(root);
      const other = await project(...versions, `${create} ${first} ${second}`);
      await runCommands(other, `${remove} ${own(second)}`);
      expect(readFiles(other)).toEqual(files);
    },
  );

  it("leaves what the user wrote in the others, and refuses to delete what the user wrote in these", async () => {
    const root = await project(`create api ${GVK}`, `${create} --defaulting --programmatic-validation`);
    const file = path.join(root, "internal/webhook/v1/guestbook_webhook.ts");
    const mine = readFileSync(file, "utf8").replace("// TODO(user): set the defaults.", "// Mine.");
    writeFileSync(file, mine);
    const before = readFiles(root);
    expect(await runCommand(root, `delete webhook ${GVK} --defaulting`)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("guestbook_webhook.ts (lines of it were changed or moved) [CLI_CHANGED_FILES]"),
    });
    expect(readFiles(root)).toEqual(before);
    await runCommands(root, `delete webhook ${GVK} --programmatic-validation`);
    const text = readFileSync(file, "utf8");
    expect(text).toContain("// Mine.");
    expect(text).not.toContain("Validator");
    expect(readFiles(root)["PROJECT"]).toContain("  webhooks:\n    defaulting: true\n    webhookVersion: v1\n");
    expect(await runCommand(root, "doctor")).toMatchObject({ status: 0 });
  });

  it("takes single spokes, and the conversion with the last one", async () => {
    const third = `${CREATE_API.replace("v1", "v3")} --controller=false`;
    const root = await project(...versions, third);
    const none = readFiles(root);
    await runCommands(root, `${create} --conversion --spoke v2`);
    const one = readFiles(root);
    await runCommands(root, `${create} --conversion --spoke v3`, `${remove} --spoke v3`);
    expect(readFiles(root)).toEqual(one);
    await runCommands(root, `${create} --conversion --spoke v3`, `${remove} --conversion --spoke v3`);
    expect(readFiles(root)).toEqual(one);
    await runCommands(root, `${remove} --spoke v2`);
    expect(readFiles(root)).toEqual(none);
  });
});

describe("delete webhook", () => {
  it("removes the generated conversion of the spokes that it names, and only these", async () => {
    const versions = ["v2", "v3"].map((each) => `${CREATE_API.replace("v1", each)} --controller=false`);
    const spokes = `create webhook ${GVK} --make=false --conversion --spoke v2,v3`;
    const root = await project(CREATE_API, ...versions, spokes, "manifests", "generate");
    const generated = (version: string): string => `api/${version}/zz_generated.guestbook_conversion.ts`;
    expect(readFiles(root)).toMatchObject({
      [generated("v2")]: expect.any(String),
      [generated("v3")]: expect.any(String),
    });
    await runCommands(root, `delete webhook ${GVK} --spoke v2`);
    expect(Object.keys(readFiles(root)).filter((file) => file.endsWith("_conversion.ts"))).toEqual([
      "api/v1/guestbook_conversion.ts",
      "api/v3/guestbook_conversion.ts",
      generated("v3"),
    ]);
    expect(await runCommand(root, "doctor")).toMatchObject({ status: 0 });
  });

  it("takes the webhooks of one version out of the tests of the others", async () => {
    const second = `${CREATE_API.replace("v1", "v2")} --controller=false`;
    const root = await project(CREATE_API, second, CREATE_WEBHOOK);
    const files = readFiles(root);
    const other = GVK.replace("v1", "v2");
    await runCommands(root, CREATE_WEBHOOK.replace("v1", "v2"), `delete webhook ${other} --make=false`);
    expect(readFiles(root)).toEqual(files);
  });

  it("is the inverse of create webhook, byte for byte", async () => {
    const root = await project(`create api ${GVK}`);
    const files = readFiles(root);
    await runCommands(root, CREATE_WEBHOOK.replace(" --make=false", ""), `delete webhook ${GVK}`);
    expect(readFiles(root)).toEqual(files);
  });

  it("says so when there are none", async () => {
    const root = await project(CREATE_API);
    const { status, stderr } = await runCommand(root, `delete webhook ${GVK}`);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("it has none") });
  });
});
