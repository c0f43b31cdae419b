import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { CREATE_API, CREATE_WEBHOOK, INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder } from "../../../support/temporary-folder.ts";

async function project(): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, CREATE_API, CREATE_WEBHOOK.replace(" --make=false", ""));
  return root;
}

function edit(root: string, file: string, change: (text: string) => string): void {
  const target = path.join(root, file);
  writeFileSync(target, change(readFileSync(target, "utf8")));
}

interface Report {
  readonly findings: readonly { readonly severity: string; readonly path: string; readonly message: string }[];
}

async function errorsOf(root: string): Promise<readonly string[]> {
  const { stdout } = await runCommand(root, "doctor --output json");
  const { findings } = JSON.parse(stdout) as Report;
  return findings.filter((each) => each.severity === "error").map((each) => `${each.path}: ${each.message}`);
}

async function unrecordedIn(root: string): Promise<readonly string[]> {
  const { stdout } = await runCommand(root, "doctor --output json");
  const { findings } = JSON.parse(stdout) as Report;
  return findings.filter((each) => each.path === "PROJECT" && each.severity === "note").map((each) => each.message);
}

describe("doctor", () => {
  it("finds no error in a project as it was scaffolded, and changes nothing", async () => {
    const root = await project();
    const files = readFiles(root);
    expect(await errorsOf(root)).toEqual([]);
    expect(await runCommand(root, "doctor")).toMatchObject({ status: 0 });
    expect(readFiles(root)).toEqual(files);
  });

  it("finds what is missing, and fixes it", async () => {
    const root = await project();
    const files = readFiles(root);
    rmSync(path.join(root, "internal/controller/guestbook_controller.ts"));
    rmSync(path.join(root, "config/crd/bases/webapp.demo_guestbooks.yaml"));
    edit(root, "cmd/main.ts", (text) => text.replace(/^.*GuestbookReconciler.*\n/gmu, ""));
    edit(root, "config/crd/kustomization.yaml", (text) => text.replace(/^- bases.*\n/mu, ""));
    expect(await errorsOf(root)).toEqual([
      "internal/controller/guestbook_controller.ts: the file is missing, but PROJECT records it as scaffolded",
      expect.stringContaining("config/crd/kustomization.yaml: these lines are missing:\n    - bases/"),
      expect.stringContaining("cmd/main.ts: these lines are missing:\n    import { GuestbookReconciler }"),
      expect.stringContaining("cmd/main.ts: these lines are missing:\n    await new GuestbookReconciler"),
      "config/crd/bases/webapp.demo_guestbooks.yaml: the generated file is missing",
    ]);
    expect(await runCommand(root, "doctor")).toMatchObject({ status: 1 });
    await runCommand(root, "doctor --fix");
    await runCommand(root, "doctor --fix");
    expect(await errorsOf(root)).toEqual([]);
    expect(readFiles(root)["internal/controller/guestbook_controller.ts"]).toBe(
      files["internal/controller/guestbook_controller.ts"],
    );
  });

  it("inserts the one entry of a list that is missing, and no other twice", async () => {
    const root = await project();
    const files = readFiles(root);
    const list = "config/rbac/kustomization.yaml";
    edit(root, list, (text) => text.replace("- guestbook_editor_role.yaml\n", ""));
    expect(await errorsOf(root)).toEqual([`${list}: these lines are missing:\n    - guestbook_editor_role.yaml`]);
    await runCommand(root, "doctor --fix");
    const entries = (text: string | undefined): readonly string[] => (text ?? "").split("\n").toSorted();
    expect(entries(readFiles(root)[list])).toEqual(entries(files[list]));
  });

  it("names a missing insertion marker, and what a registration with more arguments names is there", async () => {
    const root = await project();
    edit(root, "cmd/main.ts", (text) =>
      text
        .replace("new GuestbookReconciler(mgr.getClient())", "new GuestbookReconciler(mgr.getClient(), events)")
        .replace("// +kubebuilder:scaffold:builder", ""),
    );
    expect(await errorsOf(root)).toEqual([
      "cmd/main.ts: the insertion marker +kubebuilder:scaffold:builder is missing",
    ]);
  });

  it("finds a registration that is gone although its import is there, and fixes it", async () => {
    const root = await project();
    edit(root, "cmd/main.ts", (text) => text.replace(/^ +(?:setupGuestbookV1Webhook|await new Guestbook).*\n/gmu, ""));
    expect(await errorsOf(root)).toEqual([
      expect.stringContaining("cmd/main.ts: these lines are missing:\n    await new GuestbookReconciler"),
      expect.stringContaining("setupGuestbookV1Webhook(mgr);"),
    ]);
    await runCommand(root, "doctor --fix");
    expect(await errorsOf(root)).toEqual([]);
    expect(readFiles(root)["cmd/main.ts"]).toMatch(/^ +setupGuestbookV1Webhook\(mgr\);$/mu);
  });

  it("takes a function of the controller's file for the class that was scaffolded, if it is called", async () => {
    const root = await project();
    const call = "await new GuestbookReconciler(mgr.getClient()).setupWithManager(mgr)";
    edit(root, "cmd/main.ts", (text) =>
      text
        .replace("import { GuestbookReconciler }", "import { setupGuestbooks }")
        .replace(call, "await setupGuestbooks(mgr)"),
    );
    expect(await errorsOf(root)).toEqual([]);
    edit(root, "cmd/main.ts", (text) => text.replace("await setupGuestbooks(mgr)", "await Promise.resolve()"));
    expect(await errorsOf(root)).toEqual([
      expect.stringContaining("cmd/main.ts: these lines are missing:\n    import { GuestbookReconciler }"),
      expect.stringContaining("cmd/main.ts: these lines are missing:\n    await new GuestbookReconciler"),
    ]);
  });

  it("takes a class that the user has filled in for the one that was scaffolded", async () => {
    const root = await project();
    const file = "internal/webhook/v1/guestbook_webhook.ts";
    edit(root, file, (text) =>
      text.replace(/( validateDelete)\([\s\S]*$/u, "$1(): void {}\n}\n// +kubebuilder:scaffold:webhookclass\n"),
    );
    expect(await errorsOf(root)).toEqual([]);
    edit(root, file, (text) => text.replaceAll("GuestbookCustomValidator", "Mine"));
    expect((await errorsOf(root)).join("\n")).toContain(`${file}: these lines are missing:`);
  });

  it("tells a line that all versions of a kind need once", async () => {
    const root = await project();
    await runCommands(root, CREATE_API.replace("v1", "v2").concat(" --controller=false"));
    edit(root, "config/crd/kustomization.yaml", (text) => text.replace(/^- bases.*\n/mu, ""));
    const lines = (await errorsOf(root)).filter((each) => each.startsWith("config/crd/kustomization.yaml"));
    expect(lines).toHaveLength(1);
  });

  it("notes what the project has and PROJECT does not record", async () => {
    const root = await project();
    expect(await unrecordedIn(root)).toEqual([]);
    edit(root, "PROJECT", (text) =>
      text.replace("  controller: true\n", "").replace(/ {2}webhooks:\n(?: {4}.*\n)+/u, ""),
    );
    writeFileSync(path.join(root, "api/v1/guestbook_conversion.ts"), "");
    expect(await unrecordedIn(root)).toEqual([
      "a defaulting webhook of Guestbook of webapp.demo/v1 is in the sources, but PROJECT does not record it",
      "a validating webhook of Guestbook of webapp.demo/v1 is in the sources, but PROJECT does not record it",
      "there is a controller of Guestbook of webapp.demo/v1, internal/controller/guestbook_controller.ts, but PROJECT does not record it",
      "there is a conversion of Guestbook of webapp.demo/v1, api/v1/guestbook_conversion.ts, but PROJECT does not record it",
    ]);
    edit(root, "PROJECT", (text) => text.replace(/resources:\n(?:[- ] .*\n)+/u, ""));
    expect(await unrecordedIn(root)).toEqual([
      "the kind Guestbook of webapp.demo/v1 is in the sources, but PROJECT does not record it",
    ]);
  });

  it("names a manifest that is not YAML", async () => {
    const root = await project();
    edit(root, "config/default/kustomization.yaml", (text) => `${text}\n  : : x\n`);
    expect((await errorsOf(root)).join("\n")).toMatch(
      /config\/default\/kustomization.yaml: it is not valid YAML: (?!yaml)/u,
    );
  });

  it("reads a package.json with a byte order mark, and names one that is not JSON", async () => {
    const root = await project();
    edit(root, "package.json", (text) => `\uFEFF${text}`);
    expect(await errorsOf(root)).toEqual([]);
    edit(root, "package.json", () => "{,");
    expect(await errorsOf(root)).toEqual(["package.json: it is not a JSON object"]);
  });

  it("checks what PROJECT records", async () => {
    const root = await project();
    edit(root, "PROJECT", (text) => text.replace("kind: Guestbook", "kind: guest_book"));
    expect((await errorsOf(root))[0]).toContain('PROJECT: cannot use kind "guest_book"');
  });

  it("says that sources with errors generate nothing", async () => {
    const root = await project();
    edit(root, "api/v1/guestbook_types.ts", (text) => `${text}\nexport interface {\n`);
    expect((await errorsOf(root)).join("\n")).toContain("cannot generate: ");
  });

  it("needs a project", async () => {
    expect(await runCommand(temporaryFolder(), "doctor")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("PROJECT_NOT_FOUND"),
    });
  });
});
