import { describe, expect, it } from "vitest";

import { CREATE_API, INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

const API = (version: string): string =>
  `create api --group webapp --version ${version} --kind Guestbook --controller=false --make=false`;
const CONVERSION = "create webhook --group webapp --version v1 --kind Guestbook --make=false --conversion";

async function project(...lines: readonly string[]): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, CREATE_API, API("v2"), ...lines);
  return root;
}

describe("create webhook --conversion", () => {
  it("scenario 24: makes one version the hub, stored, and converts the others to and from it", async () => {
    const root = await project();
    const before = readFiles(root);
    await runCommands(root, `${CONVERSION} --spoke v2`);
    const after = readFiles(root);
    expect(Object.keys(after).filter((name) => !(name in before))).toEqual([
      "api/v1/guestbook_conversion.ts",
      "api/v2/guestbook_conversion.ts",
      "config/certmanager/certificate-metrics.yaml",
      "config/certmanager/certificate-webhook.yaml",
      "config/certmanager/issuer.yaml",
      "config/certmanager/kustomization.yaml",
      "config/certmanager/kustomizeconfig.yaml",
      "config/crd/patches/webhook_in_guestbooks.yaml",
      "config/default/manager_webhook_patch.yaml",
      "config/network-policy/allow-webhook-traffic.yaml",
      "config/webhook/kustomization.yaml",
      "config/webhook/manifests.yaml",
      "config/webhook/service.yaml",
      "internal/webhook/v1/guestbook_v2_conversion.test.ts",
      "internal/webhook/v1/guestbook_webhook.ts",
      "internal/webhook/v1/webhook_suite.ts",
    ]);
    expect(after["api/v1/guestbook_types.ts"]).toContain("+kubebuilder:storageversion");
    expect(after["api/v2/guestbook_types.ts"]).toBe(before["api/v2/guestbook_types.ts"]);
    expect(after["internal/webhook/v1/guestbook_webhook.ts"]).toContain(".withConversion(guestbookV2Converter)");
    expect(after["PROJECT"]).toMatch(/conversion: true\n\s+spoke:\n\s+- v2\n\s+webhookVersion: v1/u);
    expect(after["config/crd/kustomization.yaml"]).toContain("\n- path: patches/webhook_in_guestbooks.yaml\n");
    expect(after["config/crd/kustomization.yaml"]).toContain("\nconfigurations:\n- kustomizeconfig.yaml");
    expect((after["config/default/kustomization.yaml"] ?? "").match(/name: guestbooks\.webapp\.demo/gu)).toHaveLength(
      2,
    );
  });

  it.each([
    ["--spoke v9", 'invalid spoke "v9"'],
    ["--spoke v2,v2", 'invalid spoke "v2": it is specified twice'],
    ["--spoke v1", 'invalid spoke "v1": a version cannot be a spoke of itself'],
    ["", "--spoke is required"],
  ])("scenario 24: refuses `%s` and changes nothing", async (flags, message) => {
    const root = await project();
    const before = readFiles(root);
    expect(await runCommand(root, `${CONVERSION} ${flags}`.trim())).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(message) as string,
    });
    expect(readFiles(root)).toEqual(before);
  });

  it("refuses a second hub, a spoke that is there, and --spoke alone", async () => {
    const root = await project(`${CONVERSION} --spoke v2`);
    const other = CONVERSION.replace("v1", "v2");
    expect((await runCommand(root, `${other} --spoke v1`)).stderr).toContain("the hub is already v1");
    expect((await runCommand(root, `${CONVERSION} --spoke v2`)).stderr).toContain("has the spoke v2 already");
    const alone = CONVERSION.replace("--conversion", "--defaulting");
    expect((await runCommand(root, `${alone} --spoke v2`)).stderr).toContain("it needs --conversion");
  });

  it("scenario 53: adds a spoke later, and leaves the code of the versions that are there alone", async () => {
    const root = await project(`${CONVERSION} --spoke v2`, `${API("v3")} --from none`);
    const mine = "// what differs is converted\n";
    const before = readFiles(root);
    writeFiles(root, { "api/v2/guestbook_conversion.ts": `${before["api/v2/guestbook_conversion.ts"] ?? ""}${mine}` });
    await runCommands(root, `${CONVERSION} --spoke v3`);
    const after = readFiles(root);
    expect(after["api/v2/guestbook_conversion.ts"]).toContain(mine);
    expect(after["api/v1/guestbook_types.ts"]).toBe(before["api/v1/guestbook_types.ts"]);
    expect(after["internal/webhook/v1/guestbook_webhook.ts"]).toContain(
      "    .withConversion(guestbookV2Converter)\n    .withConversion(guestbookV3Converter)\n",
    );
    expect(after["api/v3/guestbook_conversion.ts"]).toContain('from "../v1/guestbook_conversion.ts"');
    expect(after["PROJECT"]).toMatch(/spoke:\n\s+- v2\n\s+- v3\n/u);
  });

  it("scenario 57: marks the right type of several in one file", async () => {
    const root = await project();
    const file = "api/v1/guestbook_types.ts";
    const text = readFiles(root)[file] ?? "";
    const other =
      "/**\n * Other is another kind.\n * +kubebuilder:object:root=true\n */\nexport interface Other {}\n\n";
    writeFiles(root, { [file]: text.replace("/** GuestbookSpec", `${other}/** GuestbookSpec`) });
    await runCommands(root, `${CONVERSION} --spoke v2`);
    const [first, second] = (readFiles(root)[file] ?? "").split("export interface GuestbookSpec");
    expect(first).not.toContain("storageversion");
    expect(second).toContain(" * +kubebuilder:storageversion\n */\nexport interface Guestbook ");
  });

  it("is undone by delete webhook, byte for byte", async () => {
    const root = await project();
    const before = readFiles(root);
    await runCommands(root, `${CONVERSION} --spoke v2`);
    await runCommands(root, "delete webhook --group webapp --version v1 --kind Guestbook --make=false");
    expect(readFiles(root)).toEqual(before);
  });

  it("goes with its last spoke, and with one of several leaves the others", async () => {
    const root = await project(`${API("v3")} --from none`, `${CONVERSION} --spoke v2`);
    const one = readFiles(root);
    const remove = (version: string): string =>
      `delete api --group webapp --version ${version} --kind Guestbook --not-stored --make=false`;
    await runCommands(root, `${CONVERSION} --spoke v3`, remove("v3"), `${API("v3")} --from none`);
    expect(readFiles(root)).toEqual(one);
    await runCommands(root, remove("v2"));
    expect(Object.keys(readFiles(root)).filter((name) => name.includes("conversion"))).toEqual([]);
  });

  it("moves with its versions into the folders of their group", async () => {
    const root = await project(`${CONVERSION} --spoke v2`, "edit --multigroup");
    const files = readFiles(root);
    expect(files["api/webapp/v2/guestbook_conversion.ts"]).toContain('from "../v1/guestbook_conversion.ts"');
    expect(files["internal/webhook/webapp/v1/guestbook_v2_conversion.test.ts"]).toContain(
      'from "../../../../api/webapp/v2/guestbook_conversion.ts"',
    );
    expect(files["config/crd/kustomization.yaml"]).toContain("- path: patches/webhook_in_webapp_guestbooks.yaml");
    expect(files["config/crd/patches/webhook_in_webapp_guestbooks.yaml"]).toBeDefined();
  });

  it("leaves a project in which doctor finds nothing, also once a spoke is filled in", async () => {
    const root = await project(`${CONVERSION} --spoke v2`);
    const file = "api/v2/guestbook_conversion.ts";
    writeFiles(root, { [file]: (readFiles(root)[file] ?? "").replaceAll(/^.*TODO.*\n/gmu, "") });
    await runCommands(root, "manifests", "generate");
    expect(await runCommand(root, "doctor")).toMatchObject({ status: 0 });
  });

  it("takes defaulting later, in the same file", async () => {
    const root = await project(`${CONVERSION} --spoke v2`);
    await runCommands(root, CONVERSION.replace("--conversion", "--defaulting"));
    const file = readFiles(root)["internal/webhook/v1/guestbook_webhook.ts"] ?? "";
    expect(file).toContain('const webhookLog = log.withName("guestbook-resource");');
    expect(file).toContain(".withConversion(guestbookV2Converter)\n    .withDefaulter(new GuestbookCustomDefaulter())");
  });
});
