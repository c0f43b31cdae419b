import { describe, expect, it } from "vitest";

import { CREATE_API, CREATE_WEBHOOK, INIT, runCommand, runCommands } from "../../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";

const TYPES = "api/v1/guestbook_types.ts";
const SECOND = "create api --group webapp --version v1 --kind Captain";

async function project(): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, CREATE_API);
  return root;
}

describe("a command that makes the manifests too", () => {
  it.each([
    ["does not parse", "}}", "LOADER_SYNTAX"],
    ["has a type without a schema", "  foo?: Map<string, string>;", "GENERATE_UNSUPPORTED_TYPE"],
  ])("writes nothing at all when a source %s, and says how to do without", async (_, line, code) => {
    const root = await project();
    writeFiles(root, { [TYPES]: (readFiles(root)[TYPES] ?? "").replace("  foo?: string;", line) });
    const before = readFiles(root);
    const { status, stdout, stderr } = await runCommand(root, SECOND);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(new RegExp(`${TYPES.replaceAll(".", "\\.")}:\\d+:\\d+ - error ${code}: `, "u"));
    expect(stderr).toContain("[CLI_GENERATE_FAILED]\nhint: fix the errors above, or pass --make=false");
    expect(readFiles(root)).toEqual(before);
    expect((await runCommand(root, `${SECOND} --make=false`)).status).toBe(0);
  });

  it.each([
    ["create api", SECOND],
    ["create webhook", CREATE_WEBHOOK.replace(" --make=false", "")],
  ])("%s writes what it writes without them, and `manifests` and `generate` after it", async (_, line) => {
    const [one, other] = [await project(), await project()];
    await runCommands(one, line);
    await runCommands(other, `${line} --make=false`, "manifests", "generate");
    expect(readFiles(one)).toEqual(readFiles(other));
  });

  it("shows them on a dry run", async () => {
    const root = await project();
    const { stdout } = await runCommand(root, `${SECOND} --dry-run`);
    expect(stdout).toContain("+++ b/config/crd/bases/webapp.demo_captains.yaml");
    expect(stdout).toContain("+++ b/config/rbac/role.yaml");
  });

  it("warns of a marker with a typo and goes on", async () => {
    const root = await project();
    const marker = "  // +kubebuilder:validation:Minimun=1\n  foo?: string;";
    writeFiles(root, { [TYPES]: (readFiles(root)[TYPES] ?? "").replace("  foo?: string;", marker) });
    const { status, stderr } = await runCommand(root, SECOND);
    expect(status).toBe(0);
    expect(stderr).toContain("warning MARKER_UNKNOWN");
    expect(stderr).toContain("hint: did you mean +kubebuilder:validation:Minimum?");
  });

  it("generates nothing for a kind that lost the mark of its storage version, and prints where to add it", async () => {
    const root = await project();
    const version = "create api --group webapp --version v2 --kind Guestbook";
    await runCommands(root, version);
    const before = readFiles(root);
    const marker = " * +kubebuilder:storageversion\n";
    writeFiles(root, { [TYPES]: (before[TYPES] ?? "").replace(marker, "") });
    const webhook = "create webhook --group webapp --version v2 --kind Guestbook --defaulting";
    const { status, stdout } = await runCommand(root, webhook);
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining("Guestbook has the versions v1, v2, and none is the storage version"),
    ]);
    expect(stdout).toContain("\n  api/v1/guestbook_types.ts\n  api/v2/guestbook_types.ts\n");
    const crd = "config/crd/bases/webapp.demo_guestbooks.yaml";
    expect(readFiles(root)[crd]).toBe(before[crd]);
  });

  it("generates when the conversion goes again: its hub stays the storage version", async () => {
    const root = await project();
    const gvk = "--group webapp --version v2 --kind Guestbook";
    await runCommands(
      root,
      `create api ${gvk}`,
      `create webhook ${gvk} --conversion --spoke v1`,
      `delete webhook ${gvk}`,
    );
    expect(readFiles(root)["api/v2/guestbook_types.ts"]).toContain("+kubebuilder:storageversion");
    await runCommands(root, "delete api --group webapp --version v1 --kind Guestbook --not-stored");
    expect(readFiles(root)["api/v2/guestbook_types.ts"]).not.toContain("+kubebuilder:storageversion");
    expect((await runCommand(root, "doctor")).stdout).toContain("0 errors");
  });
});
