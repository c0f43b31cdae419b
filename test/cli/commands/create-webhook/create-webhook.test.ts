import { describe, expect, it } from "vitest";

import { CREATE_API, CREATE_WEBHOOK, INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

const FILE = "internal/webhook/v1/guestbook_webhook.ts";
const ONE = "create webhook --group webapp --version v1 --kind Guestbook --make=false";

async function project(...lines: readonly string[]): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, CREATE_API, ...lines);
  return root;
}

describe("create webhook", () => {
  it("writes the webhooks, their test and manifests, and registers them", async () => {
    const root = await project();
    const before = readFiles(root);
    await runCommands(root, CREATE_WEBHOOK);
    const after = readFiles(root);
    expect(Object.keys(after).filter((name) => !(name in before))).toEqual([
      "config/certmanager/certificate-metrics.yaml",
      "config/certmanager/certificate-webhook.yaml",
      "config/certmanager/issuer.yaml",
      "config/certmanager/kustomization.yaml",
      "config/certmanager/kustomizeconfig.yaml",
      "config/default/manager_webhook_patch.yaml",
      "config/network-policy/allow-webhook-traffic.yaml",
      "config/webhook/kustomization.yaml",
      "config/webhook/service.yaml",
      "internal/webhook/v1/guestbook_webhook.test.ts",
      FILE,
      "internal/webhook/v1/webhook_suite.ts",
    ]);
    expect(after["cmd/main.ts"]).toContain(
      '  if (process.env["ENABLE_WEBHOOKS"] !== "false") {\n    setupGuestbookV1Webhook(mgr);\n  }\n',
    );
    expect(after[FILE]).toContain(
      "+kubebuilder:webhook:path=/mutate-webapp-demo-v1-guestbook,mutating=true,failurePolicy=fail,sideEffects=None,groups=webapp.demo,resources=guestbooks,verbs=create;update,versions=v1,name=mguestbook-v1.kb.io,admissionReviewVersions=v1",
    );
    expect(after[FILE]).toContain("+kubebuilder:webhook:path=/validate-webapp-demo-v1-guestbook,mutating=false,");
    expect(after["config/default/kustomization.yaml"]).not.toMatch(
      /^#- (?:\.\.\/webhook|\.\.\/certmanager|path: manager_webhook)/mu,
    );
  });

  it("adds a type later and leaves what was written in between alone", async () => {
    const root = await project(`${ONE} --defaulting`);
    const edited = (readFiles(root)[FILE] ?? "").replace(
      "// TODO(user): set the defaults.",
      'guestbook.spec.foo ??= "filled in";',
    );
    writeFiles(root, { [FILE]: edited });
    await runCommands(root, `${ONE} --programmatic-validation`);
    const lines = (readFiles(root)[FILE] ?? "").split("\n");
    expect(lines.join("\n")).toContain("class GuestbookCustomValidator");
    expect(edited.split("\n").every((line) => lines.includes(line))).toBe(true);
    const both = await project(CREATE_WEBHOOK);
    expect(lines.join("\n")).toBe(
      (readFiles(both)[FILE] ?? "").replace("// TODO(user): set the defaults.", 'guestbook.spec.foo ??= "filled in";'),
    );
    expect(readFiles(root)["cmd/main.ts"]).toBe(readFiles(both)["cmd/main.ts"]);
  });

  it("is refused for a type that is there and changes nothing", async () => {
    const root = await project(CREATE_WEBHOOK);
    const before = readFiles(root);
    expect(await runCommand(root, `${ONE} --defaulting`)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("a defaulting webhook already exists"),
    });
    expect(readFiles(root)).toEqual(before);
  });

  it("with --force writes every type the resource has, so that PROJECT and file agree", async () => {
    const root = await project(CREATE_WEBHOOK);
    const before = readFiles(root);
    writeFiles(root, { [FILE]: "// ruined\n" });
    await runCommands(root, `${ONE} --defaulting --force`);
    expect(readFiles(root)).toEqual(before);
  });

  it("switches on only what the types asked for need", async () => {
    const root = await project(`${ONE} --programmatic-validation`);
    const lines = (readFiles(root)["config/default/kustomization.yaml"] ?? "").split("\n");
    expect(lines).toContain("        kind: ValidatingWebhookConfiguration");
    expect(lines).toContain("#        kind: MutatingWebhookConfiguration");
    expect(lines).toContain("replacements:");
  });

  it("registers webhooks of two versions of a kind side by side", async () => {
    const root = await project(
      CREATE_WEBHOOK,
      "create api --group webapp --version v2 --kind Guestbook --controller=false --make=false",
      CREATE_WEBHOOK.replace("v1", "v2"),
    );
    const main = readFiles(root)["cmd/main.ts"] ?? "";
    expect(main).toContain("setupGuestbookV1Webhook(mgr);");
    expect(main).toContain("setupGuestbookV2Webhook(mgr);");
  });

  it("has the tests of each version serve the webhooks of all, whichever came first", async () => {
    const other = CREATE_WEBHOOK.replace("v1", "v2");
    const second = "create api --group webapp --version v2 --kind Guestbook --controller=false --make=false";
    for (const commands of [
      [CREATE_WEBHOOK, other],
      [other, CREATE_WEBHOOK],
    ]) {
      const files = readFiles(await project(second, ...commands));
      for (const [own, theirs] of [
        ["v1", "v2"],
        ["v2", "v1"],
      ] as const) {
        const suite = files[`internal/webhook/${own}/webhook_suite.ts`] ?? "";
        const alias = `setupGuestbook${theirs.toUpperCase()}Webhook`;
        expect(suite).toContain(
          `import { setupGuestbookWebhookWithManager as ${alias} } from "../${theirs}/guestbook_webhook.ts";\n`,
        );
        expect(suite).toMatch(
          new RegExp(String.raw`setupGuestbookWebhookWithManager\(mgr\);\n {4}${alias}\(mgr\);\n`, "u"),
        );
      }
    }
  });

  it("takes a kind of Kubernetes, and warns about Pods", async () => {
    const root = await project();
    const { status, stdout } = await runCommand(
      root,
      "create webhook --group core --version v1 --kind Pod --programmatic-validation --make=false",
    );
    expect(status).toBe(0);
    expect(stdout).toContain("A webhook on Pods also decides on the Pod of the manager itself");
    const text = readFiles(root)["internal/webhook/v1/pod_webhook.ts"] ?? "";
    expect(text).toContain("path=/validate--v1-pod,");
    expect(text).toContain('import { Pod } from "@kubescaffold/k8s/core/v1";');
  });

  it.each([
    [ONE, "at least one of --defaulting, --programmatic-validation and --conversion"],
    [
      "create webhook --group webapp --version v1 --kind Captain --defaulting",
      "scaffold create api --group webapp --version v1 --kind Captain",
    ],
    ["create webhook --group webapp --version v1 --kind captain --defaulting", "upper-case"],
  ])("refuses %s", async (line, text) => {
    const root = await project();
    const before = readFiles(root);
    const { status, stderr } = await runCommand(root, line);
    expect(status).toBe(1);
    expect(stderr).toContain(text);
    expect(readFiles(root)).toEqual(before);
  });

  it("generates the configurations by default", async () => {
    const root = await project(CREATE_WEBHOOK.replace(" --make=false", ""));
    expect(readFiles(root)["config/webhook/manifests.yaml"]).toContain("kind: ValidatingWebhookConfiguration");
  });

  it("serves webhooks at paths of one's own, which the markers and PROJECT have too", async () => {
    const root = temporaryFolder();
    await runCommands(
      root,
      INIT,
      CREATE_API,
      "create webhook --group webapp --version v1 --kind Guestbook --make=false --defaulting --defaulting-path /custom-mutate",
      "create webhook --group webapp --version v1 --kind Guestbook --make=false --programmatic-validation --validation-path /check/it",
    );
    const files = readFiles(root);
    const file = files["internal/webhook/v1/guestbook_webhook.ts"];
    expect(file).toContain(
      '    .withDefaulter(new GuestbookCustomDefaulter())\n    .withDefaulterCustomPath("/custom-mutate")\n',
    );
    expect(file).toContain("+kubebuilder:webhook:path=/check/it,mutating=false");
    expect(files["PROJECT"]).toContain("defaultingPath: /custom-mutate\n");
    expect(files["PROJECT"]).toContain("validationPath: /check/it\n");
  });
});
