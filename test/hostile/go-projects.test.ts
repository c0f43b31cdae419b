import { rmSync, symlinkSync } from "node:fs";
import path from "node:path";

import { printYaml } from "@kubescaffold/k8s/yaml";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { SINGLE_GROUP } from "../support/go-projects.ts";
import { runCommand, runCommands } from "../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../support/temporary-folder.ts";
import { expectHarmless, expectRefused, outcomeOf, PAYLOADS, payloads, terminalSigns } from "./canary.ts";

type Files = Readonly<Record<string, string>>;

async function importOf(changes: Files): Promise<{
  readonly result: Awaited<ReturnType<typeof runCommand>>;
  readonly made: Files;
}> {
  const root = temporaryFolder();
  const go = { ...SINGLE_GROUP, ...changes };
  writeFiles(root, Object.fromEntries(Object.entries(go).map(([file, text]) => [`go/${file}`, text])));
  const result = await runCommand(root, "import project go --output-dir ts --skip-install");
  const made = Object.entries(readFiles(root)).filter(([file]) => !file.startsWith("go/"));
  return { result, made: Object.fromEntries(made.map(([file, text]) => [file.replace(/^ts\//u, ""), text])) };
}

function replaced(file: string, from: string | RegExp, to: string): Files {
  const text = SINGLE_GROUP[file] ?? "";
  const next = text.replace(from, () => to);
  if (next === text) throw new Error(`${file} has no ${String(from)}`);
  return { [file]: next };
}

const quoted = (text: string): string => JSON.stringify(text);

describe("the boilerplate of a Go project", () => {
  it.each([
    "/* x */ globalThis.canary = 1; /* */",
    "/* x */\nglobalThis.canary = 1;\n/* y */",
    "// x\nglobalThis.canary = 1;",
    "// x\u2028globalThis.canary = 1;",
    "// x\rglobalThis.canary = 1;",
    "/* x */ // y\nglobalThis.canary = 1;",
    "/* x",
    "globalThis.canary = 1;",
    "#!/usr/bin/env canary\n",
    "`\n/* */`",
    "/*/ globalThis.canary = 1; /*/ globalThis.canary = 2; /*/",
  ])("is refused unless it is one comment: %j", async (text) => {
    const { result, made } = await importOf({ "hack/boilerplate.go.txt": text });
    expectRefused(result, /cannot use hack\/boilerplate\.go\.txt:\d+:\d+: .*\[PROJECT_BOILERPLATE\]/u);
    expect(made).toEqual({});
  });

  it.each([
    "/*\n * `; ${globalThis.canary = 1} // \u2028 globalThis.canary = 1;\n */\n",
    "// one */ globalThis.canary = 1;\n// two /*\n",
  ])("is in all sources when it is one: %j", async (text) => {
    const { result, made } = await importOf({ "hack/boilerplate.go.txt": text });
    expect({ status: result.status, stderr: result.stderr }).toEqual({ status: 0, stderr: "" });
    expect(made["cmd/main.ts"]?.startsWith(text.trim())).toBe(true);
    await expectHarmless(made);
  });
});

const PROJECT_FIELDS: readonly (readonly [field: string, from: string | RegExp, start: string, end?: string])[] = [
  ["cliVersion", "cliVersion: 4.9.0", "cliVersion: "],
  ["projectName", "projectName: fleet", "projectName: "],
  ["domain", "domain: sea.io", "domain: "],
  ["repo", "repo: example.com/boats/fleet", "repo: "],
  ["layout", "- go.kubebuilder.io/v4", "- go.kubebuilder.io/v4\n- "],
  ["plugin key", "acme.example/v1: {}", "? ", "\n  : {}"],
  ["group", "group: crew", "group: "],
  ["kind", "kind: Admiral", "kind: "],
  ["version", "version: v2", "version: "],
  ["plural", "plural: admirales", "plural: "],
  ["controller", "- name: captain-backup", "- name: "],
  ["path", "path: example.com/boats/fleet/api/v2", "path: "],
  ["module", /module: .*/u, "module: "],
  ["external path", /path: github.com.*/u, "path: "],
  ["defaultingPath", "defaultingPath: /fill-in-captain", "defaultingPath: "],
  ["spoke", "spoke: [v2]", "spoke: [", "]"],
];

describe("a hostile PROJECT of a Go project", () => {
  it.each(
    PROJECT_FIELDS.flatMap(([field, from, start, end = ""], index) =>
      payloads("double quotes", "a line separator", "a comment closer", "a marker")
        .filter((_, step) => (index + step) % 2 === 0)
        .map(
          ([name, payload]) =>
            [`${name} as ${field}`, replaced("PROJECT", from, start + quoted(payload) + end)] as const,
        ),
    ),
  )("is refused: %s", async (_, changes) => {
    const { result, made } = await importOf(changes);
    expectRefused(result, /PROJECT:\d+:\d+: .*\[PROJECT_INVALID\]/su);
    expect(made).toEqual({});
  });
});

// Manifests with a payload in every text of a kind at once; servers would refuse some, and the generator says so.
const WEBHOOK = "config/webhook/manifests.yaml";
const ROLE = "config/rbac/role.yaml";
const PLACES: readonly (readonly [place: string, (payload: string) => Files])[] = [
  ["path of a webhook", (payload) => replaced(WEBHOOK, "/fill-in-captain", quoted(payload))],
  ["name of a webhook", (payload) => replaced(WEBHOOK, "name: vpod-v1.kb.io", `name: ${quoted(payload)}`)],
  ["failure policy", (payload) => replaced(WEBHOOK, "failurePolicy: Fail", `failurePolicy: ${quoted(payload)}`)],
  ["match policy", (payload) => replaced(WEBHOOK, "matchPolicy: Exact", `matchPolicy: ${quoted(payload)}`)],
  ["reinvocation policy", (payload) => replaced(WEBHOOK, "IfNeeded", quoted(payload))],
  ["side effects", (payload) => replaced(WEBHOOK, "sideEffects: None", `sideEffects: ${quoted(payload)}`)],
  ["operation", (payload) => replaced(WEBHOOK, "- CREATE", `- ${quoted(payload)}`)],
  ["resource of a webhook", (payload) => replaced(WEBHOOK, "- captains", `- ${quoted(payload)}`)],
  ["service", (payload) => replaced(WEBHOOK, "name: webhook-service", `name: ${quoted(payload)}`)],
  ["address", (payload) => replaced(WEBHOOK, /service:\n(?: {6}.*\n)+/u, `url: ${quoted(payload)}\n`)],
  ["review version", (payload) => replaced(WEBHOOK, "- v1\n", `- ${quoted(payload)}\n`)],
  ["selector", (payload) => replaced(WEBHOOK, 'guarded: "yes"', `${quoted(payload)}: ${quoted(payload)}`)],
  ["configuration", (payload) => replaced(WEBHOOK, "name: harbour-police", `name: ${quoted(payload)}`)],
  ["group of a rule", (payload) => replaced(ROLE, "- apps\n", `- ${quoted(payload)}\n`)],
  ["resource of a rule", (payload) => replaced(ROLE, "- pods\n", `- ${quoted(payload)}\n`)],
  ["resource name", (payload) => replaced(ROLE, "- tokens\n", `- ${quoted(payload)}\n`)],
  ["verb", (payload) => replaced(ROLE, "- watch\n", `- ${quoted(payload)}\n`)],
  ["address of a rule", (payload) => replaced(ROLE, "- /healthz\n", `- ${quoted(payload)}\n`)],
  ["role", (payload) => replaced(ROLE, "name: manager-role", `name: ${quoted(payload)}`)],
  [
    "namespace of a role",
    (payload) =>
      replaced(ROLE, "kind: ClusterRole\nmetadata:", `kind: Role\nmetadata:\n  namespace: ${quoted(payload)}`),
  ],
  [
    "namespace",
    (payload) => replaced("config/default/kustomization.yaml", "namespace: boats", `namespace: ${quoted(payload)}`),
  ],
  [
    "prefix",
    (payload) => replaced("config/default/kustomization.yaml", "namePrefix: fleet-", `namePrefix: ${quoted(payload)}`),
  ],
  ["kustomization", (payload) => replaced("config/default/kustomization.yaml", "- extra.yaml", `- ${quoted(payload)}`)],
  ["lease", (payload) => replaced("cmd/main.go", '"0badcafe.sea.io"', `"${payload.replaceAll('"', "'")}"`)],
  ["lease with a pattern", () => replaced("cmd/main.go", '"0badcafe.sea.io"', '"$\'$`$&$$; globalThis.canary = 1"')],
  [
    "sample",
    (payload) => ({
      "config/samples/crew_v1_captain.yaml": printYaml({
        apiVersion: "crew.sea.io/v1",
        kind: "Captain",
        spec: { [payload]: payload },
      }),
    }),
  ],
  [
    "default",
    (payload) => replaced("config/crd/bases/crew.sea.io_captains.yaml", "default: fast", `default: ${quoted(payload)}`),
  ],
  [
    "enum of a required property",
    (payload) =>
      replaced(
        "config/crd/bases/crew.sea.io_admirales.yaml",
        "                type: integer",
        `                enum:\n                - ${quoted(payload)}\n                type: string`,
      ),
  ],
  [
    "description",
    (payload) => replaced("config/crd/bases/crew.sea.io_captains.yaml", "size is how many there are", quoted(payload)),
  ],
  [
    "unknown key of PROJECT",
    (payload) => replaced("PROJECT", "future: yes-please", `${quoted(payload.slice(0, 100))}: ${quoted(payload)}`),
  ],
  [
    "data of a plugin",
    (payload) =>
      replaced(
        "PROJECT",
        "acme.example/v1: {}",
        `acme.example/v1: { x: ${quoted(payload)} }\n  deploy-image.go.kubebuilder.io/v1-alpha: { resources: [{ group: ${quoted(payload)}, kind: ${quoted(payload)}, version: v1, options: { image: ${quoted(payload)}, containerCommand: ${quoted(payload)} } }] }`,
      ),
  ],
  ["name of a file", () => ({ "internal/`canary`\u202E; globalThis.canary = 1;.go": "package x\n" })],
];

describe("hostile manifests of a Go project", () => {
  const all = payloads();
  it.each(
    PLACES.flatMap(([place, changesFor], index) =>
      [0, 7].flatMap((step) => {
        const each = all[(index * 4 + step) % all.length];
        return each === undefined ? [] : [[`${each[0]} as ${place}`, changesFor(each[1])] as const];
      }),
    ),
  )("run nothing: %s", async (_, changes) => {
    const { result, made } = await importOf(changes);
    expect(["harmless", "refused"]).toContain(await outcomeOf(result, { made }));
    expect(terminalSigns(result.stdout)).toEqual([]);
  });

  it.each(["x.io'; canary; '", "`canary`", "$(canary)", "x\n```\ncanary\n```"])(
    "name %j as one word of the shell, and on one line, where a command is proposed",
    async (payload) => {
      const { made } = await importOf(
        replaced(
          "PROJECT",
          "acme.example/v1: {}",
          `deploy-image.go.kubebuilder.io/v1-alpha: { resources: [{ group: a, kind: B, version: v1, options: { image: ${quoted(payload)} } }] }`,
        ),
      );
      const line = made["MIGRATION.md"]?.split("\n").find((each) => each.includes("--image="));
      expect(/--image='(?:[^'`]|'\\'')*' --plugins=/u.test(line ?? "")).toBe(true);
    },
  );

  it("that are links to files elsewhere are not read", async () => {
    const root = temporaryFolder({ "secret.txt": "/* xyzzy */" });
    writeFiles(root, Object.fromEntries(Object.entries(SINGLE_GROUP).map(([file, text]) => [`go/${file}`, text])));
    rmSync(path.join(root, "go/hack/boilerplate.go.txt"));
    symlinkSync("../../secret.txt", path.join(root, "go/hack/boilerplate.go.txt"));
    await runCommands(root, "import project go --output-dir ts --skip-install");
    expect(Object.values(readFiles(path.join(root, "ts"))).filter((text) => text.includes("xyzzy"))).toEqual([]);
  });
});

describe("a Go project of any texts", () => {
  const TEXT = fc.oneof(
    fc.string({ unit: "binary", maxLength: 20 }).filter((text) => !/\p{Cs}/u.test(text)),
    fc.constantFrom(...Object.values(PAYLOADS).filter((text) => !/\p{Cs}/u.test(text))),
  );

  it("becomes one that compiles and runs no payload, or is refused", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...PLACES), TEXT), { minLength: 1, maxLength: 1 }),
        async (changes) => {
          const files = Object.assign({}, ...changes.map(([[, changesFor], text]) => changesFor(text))) as Files;
          const { result, made } = await importOf(files);
          expect(["harmless", "refused"]).toContain(await outcomeOf(result, { made }));
        },
      ),
      { numRuns: 12 },
    );
  });
});
