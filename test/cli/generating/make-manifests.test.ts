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

  it("generates nothing between the second version of a kind and the word which is stored, and says what to do", async () => {
    const root = await project();
    const before = readFiles(root);
    const version = "create api --group webapp --version v2 --kind Guestbook --controller=false";
    expect(await runCommand(root, version)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("Guestbook has the versions v1, v2, and none is the storage version") as string,
    });
    expect(readFiles(root)["config/crd/bases/webapp.demo_guestbooks.yaml"]).toBe(
      before["config/crd/bases/webapp.demo_guestbooks.yaml"],
    );
    await runCommands(root, "create webhook --group webapp --version v1 --kind Guestbook --conversion --spoke v2");
    expect(readFiles(root)["config/crd/bases/webapp.demo_guestbooks.yaml"]).toMatch(/name: v1\n[^]*name: v2\n/u);
    expect(readFiles(root)["api/v2/zz_generated.schema.ts"]).toContain("GuestbookSchema");
  });

  it("generates nothing either when the conversion goes again", async () => {
    const root = await project();
    await runCommands(
      root,
      "create api --group webapp --version v2 --kind Guestbook --controller=false",
      "create webhook --group webapp --version v1 --kind Guestbook --conversion --spoke v2",
    );
    const { status, stdout } = await runCommand(root, "delete webhook --group webapp --version v1 --kind Guestbook");
    expect([status, stdout]).toEqual([0, expect.stringContaining("none is the storage version")]);
    await runCommands(root, "delete api --group webapp --version v2 --kind Guestbook");
    expect((await runCommand(root, "doctor")).stdout).toContain("0 errors");
  });
});
