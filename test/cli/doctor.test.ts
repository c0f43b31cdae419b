import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { CREATE_API, CREATE_WEBHOOK, INIT, runCommand, runCommands } from "../support/run-command.ts";
import { readFiles, temporaryFolder } from "../support/temporary-folder.ts";

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

describe("doctor", () => {
  it("finds no error in a project as it was scaffolded, and changes nothing", async () => {
    const root = await project();
    const files = readFiles(root);
    expect(await errorsOf(root)).toEqual([]);
    expect(await runCommand(root, "doctor")).toMatchObject({ status: 0 });
    expect(readFiles(root)).toEqual(files);
  });

  it("finds what is missing, and mends it", async () => {
    const root = await project();
    const files = readFiles(root);
    rmSync(path.join(root, "internal/controller/guestbook_controller.ts"));
    rmSync(path.join(root, "config/crd/bases/webapp.demo_guestbooks.yaml"));
    edit(root, "cmd/main.ts", (text) => text.replace(/^.*GuestbookReconciler.*\n/gmu, ""));
    edit(root, "config/crd/kustomization.yaml", (text) => text.replace(/^- bases.*\n/mu, ""));
    expect(await errorsOf(root)).toEqual([
      "internal/controller/guestbook_controller.ts: PROJECT says that it was scaffolded, and the file is missing",
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

  it("checks what PROJECT records", async () => {
    const root = await project();
    edit(root, "PROJECT", (text) => text.replace("kind: Guestbook", "kind: guest_book"));
    expect((await errorsOf(root))[0]).toContain('PROJECT: cannot use kind "guest_book"');
  });

  it("says that sources with mistakes generate nothing", async () => {
    const root = await project();
    edit(root, "api/v1/guestbook_types.ts", (text) => `${text}\nexport interface {\n`);
    expect((await errorsOf(root)).join("\n")).toContain("nothing can be generated");
  });

  it("needs a project", async () => {
    expect(await runCommand(temporaryFolder(), "doctor")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("PROJECT_NOT_FOUND"),
    });
  });
});
