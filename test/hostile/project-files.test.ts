import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { CREATE_API, CREATE_WEBHOOK, INIT, runCommand, runCommands } from "../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../support/temporary-folder.ts";
import { expectHarmless, expectRefused, outcomeOf, PAYLOADS, payloads } from "./canary.ts";

const OTHER = "create api --group webapp --version v1 --kind Other --make=false";

async function project(change: (text: string) => string): Promise<string> {
  const root = path.join(temporaryFolder({ "project/.keep": "" }), "project");
  await runCommands(root, INIT, CREATE_API, CREATE_WEBHOOK);
  const file = path.join(root, "PROJECT");
  const before = readFileSync(file, "utf8");
  const after = change(before);
  if (after === before) throw new Error("the change of PROJECT changes nothing");
  writeFileSync(file, after);
  return root;
}

// PROJECT has a section with the version of Kubernetes already.
function withSection(text: string, section: string): string {
  return text.replace(/^plugins:\n/mu, (key) => key + section);
}

const quoted = (text: string): string => JSON.stringify(text);

const FIELDS: readonly (readonly [field: string, (payload: string) => (text: string) => string])[] = [
  ["cliVersion", (payload) => (text) => text.replace("cliVersion: 0.1.0", () => `cliVersion: ${quoted(payload)}`)],
  ["domain", (payload) => (text) => text.replace(/^domain: demo/mu, () => `domain: ${quoted(payload)}`)],
  ["layout", (payload) => (text) => text.replace("- ts.kubescaffold.dev/v1", () => `- ${quoted(payload)}`)],
  [
    "layout in one text",
    (payload) => (text) => text.replace("layout:\n- ts.kubescaffold.dev/v1", () => `layout: ${quoted(payload)}`),
  ],
  ["plugin", (payload) => (text) => withSection(text, `  ? ${quoted(payload)}\n  : {}\n`)],
  [
    "kubectl plugin",
    (payload) => (text) =>
      text.replace(
        "    kubernetesVersion:",
        () => `    kubectlPlugins:\n    - name: ${quoted(payload)}\n    kubernetesVersion:`,
      ),
  ],
  [
    "projectName",
    (payload) => (text) => text.replace("projectName: guestbook", () => `projectName: ${quoted(payload)}`),
  ],
  ["repo", (payload) => (text) => text.replace("repo: guestbook", () => `repo: ${quoted(payload)}`)],
  ["domain of a resource", (payload) => (text) => text.replace("  domain: demo", () => `  domain: ${quoted(payload)}`)],
  ["group", (payload) => (text) => text.replace("group: webapp", () => `group: ${quoted(payload)}`)],
  ["version", (payload) => (text) => text.replace("  version: v1", () => `  version: ${quoted(payload)}`)],
  ["kind", (payload) => (text) => text.replace("kind: Guestbook", () => `kind: ${quoted(payload)}`)],
  ["plural", (payload) => (text) => text.replace("  version: v1", () => `  plural: ${quoted(payload)}\n  version: v1`)],
  ["path", (payload) => (text) => text.replace("path: guestbook/api/v1", () => `path: ${quoted(payload)}`)],
  ["module", (payload) => (text) => text.replace("  version: v1", () => `  module: ${quoted(payload)}\n  version: v1`)],
  ["crdVersion", (payload) => (text) => text.replace("crdVersion: v1", () => `crdVersion: ${quoted(payload)}`)],
  [
    "controller",
    (payload) => (text) => text.replace("  controller: true", () => `  controllers:\n  - name: ${quoted(payload)}`),
  ],
  [
    "defaultingPath",
    (payload) => (text) =>
      text.replace("    defaulting: true", () => `    defaulting: true\n    defaultingPath: ${quoted(payload)}`),
  ],
  [
    "validationPath",
    (payload) => (text) =>
      text.replace("    defaulting: true", () => `    defaulting: true\n    validationPath: ${quoted(payload)}`),
  ],
  [
    "defaultingName",
    (payload) => (text) =>
      text.replace("    defaulting: true", () => `    defaulting: true\n    defaultingName: ${quoted(payload)}`),
  ],
  [
    "validationName",
    (payload) => (text) =>
      text.replace("    defaulting: true", () => `    defaulting: true\n    validationName: ${quoted(payload)}`),
  ],
  [
    "webhookVersion",
    (payload) => (text) => text.replace("webhookVersion: v1", () => `webhookVersion: ${quoted(payload)}`),
  ],
  [
    "spoke",
    (payload) => (text) =>
      text.replace(
        "    defaulting: true",
        () => `    conversion: true\n    defaulting: true\n    spoke:\n    - ${quoted(payload)}`,
      ),
  ],
];

describe("a hostile PROJECT", () => {
  const all = payloads();
  it.each(
    FIELDS.flatMap(([field, changeFor], index) =>
      [0, 6].flatMap((step) => {
        const each = all[(index * 3 + step) % all.length];
        return each === undefined ? [] : [[`${each[0]} as ${field}`, changeFor(each[1])] as const];
      }),
    ),
  )("is rejected by commands, and doctor tells of it: %s", async (_, change) => {
    const root = await project(change);
    const before = readFiles(path.dirname(root));
    for (const line of [OTHER, "alpha generate --force --yes --make=false"])
      expectRefused(await runCommand(root, line), /PROJECT:\d+:\d+: .*\[PROJECT_INVALID\]/su);
    const doctor = await runCommand(root, "doctor --fix");
    expect({ status: doctor.status, stderr: doctor.stderr }).toEqual({ status: 1, stderr: "" });
    expect(doctor.stdout).toMatch(/^error: PROJECT: /mu);
    expect(readFiles(path.dirname(root))).toEqual(before);
  });

  it.each([
    ["path", "../../x"],
    ["path", "/etc/passwd"],
    ["path", "./../x"],
    ["path", "guestbook/../../x"],
    ["path", "a//b"],
    ["path", "file:///x"],
    ["path", "C:\\x"],
    ["group", ".."],
    ["group", "web/app"],
    ["version", ".."],
    ["version", "v1/../../x"],
    ["kind", "../X"],
    ["kind", "Guest\u212A"],
    ["projectName", ".."],
    ["repo", "../x"],
    ["repo", "x y"],
  ])("leads nowhere with the %s %j", async (field, value) => {
    const root = await project((text) =>
      text.replace(new RegExp(`^(?<head> *(?:- )?${field}: ).*$`, "mu"), (_, head: string) => head + quoted(value)),
    );
    const before = readFiles(path.dirname(root));
    expectRefused(await runCommand(root, OTHER), /\[PROJECT_INVALID\]/u);
    expect(readFiles(path.dirname(root))).toEqual(before);
  });

  it("reports all of its problems at once, each with its place", async () => {
    const root = await project((text) =>
      text.replace("repo: guestbook", 'repo: "a b"').replace("kind: Guestbook", "kind: x-y"),
    );
    const { stderr } = await runCommand(root, OTHER);
    expect(stderr.match(/PROJECT:\d+:\d+: \S+ "[^"]*"/gu)).toEqual([
      expect.stringMatching(/: repo "a b"$/u),
      expect.stringMatching(/: resources\.0\.kind "x-y"$/u),
    ]);
  });

  it("passes with the names that commands write", async () => {
    const root = await project((text) =>
      withSection(
        text,
        `  acme.example/v1: { __proto__: { canary: 1 }, x: ${quoted(PAYLOADS["double quotes"] ?? "")} }\n`,
      ),
    );
    expect(await runCommand(root, OTHER)).toMatchObject({ status: 0 });
    expect("canary" in {}).toBe(false);
    const made = { ...readFiles(root) };
    delete (made as Record<string, string>)["PROJECT"];
    await expectHarmless(made);
  });
});

describe("the comment at the top of sources", () => {
  it.each(["/* x */ globalThis.canary = 1; /* */", "globalThis.canary = 1;", "// x\u2028globalThis.canary = 1;"])(
    "is rejected by every command that would print it: %j",
    async (text) => {
      const root = await project((old) => `${old}\n`);
      writeFiles(root, { "hack/boilerplate.ts.txt": text });
      const before = readFiles(root);
      for (const line of [OTHER, "edit --plugins=helm/v2-alpha"])
        expectRefused(
          await runCommand(root, line),
          /hack\/boilerplate\.ts\.txt:\d+:\d+.*\[(?:PROJECT_BOILERPLATE|CLI_GENERATE_FAILED)\]/su,
        );
      const generated = await runCommand(root, "generate");
      expectRefused(generated);
      expect(generated.stderr).toMatch(/hack\/boilerplate\.ts\.txt:\d+:\d+ - error GENERATE_HEADER_TEXT: /u);
      expect(readFiles(root)).toEqual(before);
    },
  );
});

describe("sections of plugins", () => {
  it.each(payloads().flatMap(([name, payload]) => ["output", "manifests"].map((key) => [name, key, payload] as const)))(
    "of helm with %s as %s lead nowhere and run nothing",
    async (_, key, payload) => {
      const root = await project((text) =>
        withSection(text, `  helm.kubescaffold.dev/v2-alpha:\n    ${key}: ${quoted(payload)}\n`),
      );
      const before = readFiles(path.dirname(root));
      expectRefused(
        await runCommand(root, "edit --plugins=helm/v2-alpha --make=false"),
        /\[HELM_(?:CHART_FOLDER|MANIFESTS)\]/u,
      );
      expect(readFiles(path.dirname(root))).toEqual(before);
    },
  );

  const DEPLOYED = (options: string) => (text: string) =>
    withSection(
      text,
      `  deploy-image.ts.kubescaffold.dev/v1-alpha:\n    resources:\n    - domain: demo\n      group: webapp\n      kind: Guestbook\n      version: v1\n      options: ${options}\n`,
    ).replace("- ts.kubescaffold.dev/v1", "- deploy-image.ts.kubescaffold.dev/v1-alpha");

  it.each<readonly [name: string, options: string]>([
    ...payloads().flatMap(([name, payload]) =>
      (["image", "containerPort", "runAsUser"] as const).map(
        (key) =>
          [
            `${name} as ${key}`,
            `{ image: busybox:1, ${key === "image" ? "" : `${key}: ${quoted(payload)}`} }`.replace("busybox:1", () =>
              key === "image" ? quoted(payload) : "busybox:1",
            ),
          ] as const,
      ),
    ),
    ["a map as image", "{ image: { canary: 1 } }"],
    ["a number as image", "{ image: 5 }"],
    ["a list as command", "{ image: busybox:1, containerCommand: [canary] }"],
    ["a text as options", "canary"],
  ])("of deploy-image are refused: %s", async (_, options) => {
    const root = await project(DEPLOYED(options));
    const before = readFiles(root);
    expectRefused(await runCommand(root, "alpha generate --force --yes --make=false"), /\[DEPLOY_IMAGE_INVALID_\w+\]/u);
    expect(readFiles(root)).toEqual(before);
  });

  it.each(payloads())("of deploy-image run no command with %s", async (_, payload) => {
    const root = await project(
      DEPLOYED(
        `{ image: busybox:1, containerCommand: ${quoted(`sh,-c,"${payload.replaceAll(/["\\]/gu, String.raw`\$&`)}"`)} }`,
      ),
    );
    const { status, stderr } = await runCommand(root, "alpha generate --force --yes --make=false");
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const { PROJECT: _project, ...made } = readFiles(root);
    expect(made["internal/controller/guestbook_workload.ts"]).toContain("COMMAND");
    await expectHarmless(made);
  });
});

describe("a PROJECT of any texts", () => {
  const TEXT = fc.oneof(
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.constantFrom(...Object.values(PAYLOADS)),
    fc.constantFrom("v1", "a", "a.b", "Kind", "x-y", ""),
  );

  it("is refused, or makes sources that run nothing", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...FIELDS),
        TEXT.filter((text) => !/\p{Cs}/u.test(text)),
        async ([, changeFor], text) => {
          const root = await project((old) => `${changeFor(text)(old)}\n`);
          const before = readFiles(root);
          const result = await runCommand(root, OTHER);
          const { PROJECT: _old, ...old } = before;
          const { PROJECT: _project, ...made } = readFiles(root);
          expect(["harmless", "refused"]).toContain(await outcomeOf(result, { before: old, made }));
        },
      ),
      { numRuns: 15 },
    );
  });
});
