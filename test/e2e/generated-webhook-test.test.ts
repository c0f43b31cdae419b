import { rmSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { ROOT } from "../architecture/source-files.ts";
import { runCommands } from "../support/run-command.ts";
import { type ProgramResult, runProgram } from "../support/run-program.ts";
import { readFiles, writeFiles } from "../support/temporary-folder.ts";
import { newProject, type ProjectCopy } from "./project-copy.ts";

const LIVENESS_MS = 300_000;
const ASKED = "is called by the API server when an object is created or updated";
const ADMITS = "admits a valid object through the API server";

interface Defect {
  readonly title: string;
  /** Its own kind for each, so that one run of the tests tries all of them. */
  readonly kind: string;
  /** Makes the error in the scaffolded webhooks of the kind. */
  readonly make: (text: string) => string;
  readonly found: string;
  readonly says: RegExp;
}

const DEFECTS: readonly Defect[] = [
  {
    title: "whose marker is missing",
    kind: "Unmarked",
    make: (text) => text.replace(/^.*webhook:path=\/mutate.*\n/mu, ""),
    found: ASKED,
    says: /served at \/mutate-webapp-demo-v1-unmarked, and no webhook configuration has that path/u,
  },
  {
    title: "whose marker has another path",
    kind: "Misplaced",
    make: (text) => text.replace("path=/validate-webapp-demo-v1-misplaced", "path=/validate-misplaced"),
    found: ASKED,
    says: /served at \/validate-webapp-demo-v1-misplaced, and no webhook configuration has that path/u,
  },
  {
    title: "whose marker lacks a verb",
    kind: "Deaf",
    make: (text) => text.replace(/(?<=path=\/validate.*)verbs=create;update/u, "verbs=create"),
    found: ASKED,
    says: /the webhook at \/validate-webapp-demo-v1-deaf was not called when a Deaf was changed\n/u,
  },
  {
    title: "whose marker has other resources",
    kind: "Stranger",
    make: (text) => text.replace(/(?<=path=\/mutate.*)resources=strangers/u, "resources=stranger"),
    found: ASKED,
    says: /the webhook at \/mutate-webapp-demo-v1-stranger was not called when a Stranger was created/u,
  },
  {
    title: "that is to change objects and may not, at its own path",
    kind: "Meek",
    make: (text) =>
      text
        .replace("path=/mutate-webapp-demo-v1-meek,mutating=true", "path=/fill-in-meek,mutating=false")
        .replace(/^( *)\.withDefaulter\(.*\n/mu, '$&$1.withDefaulterCustomPath("/fill-in-meek")\n'),
    found: ASKED,
    says: /the webhook at \/fill-in-meek is in a ValidatingWebhookConfiguration, and is a defaulter/u,
  },
  {
    title: "that is not given to the builder",
    kind: "Unserved",
    make: (text) => text.replace(/^.*\.withValidator\(.*\n/mu, ""),
    found: ADMITS,
    says: /failed calling webhook "vunserved-v1\.kb\.io"/u,
  },
];

const TYPES = `import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export type Certificate = KubernetesObject;
export const Certificate: Kind<Certificate> = defineKind({ group: "certs.example.com", version: "v1" }, "Certificate");
`;

const API = "create api --resource --controller=false --make=false --group webapp";
const WEBHOOK = "create webhook --make=false";
const BOTH = "--defaulting --programmatic-validation";
const PATHS = "--defaulting-path /custom/mutate --validation-path /custom/validate";
const OF_GUESTBOOK = "--group webapp --version v1 --kind Guestbook";

// Webhooks of one type and of both, of two versions, at their own paths, for kinds of Kubernetes and of others, and with logic.
const INTACT = ["Guestbook", "Guestbook", "Voyage", "Voyage", "Ledger", "Strict", "Pod", "Certificate"];
const COMMANDS = [
  "init --domain demo --project-name guestbook --skip-install",
  `${API} --version v1 --kind Guestbook`,
  `${API} --version v2 --kind Guestbook`,
  `${WEBHOOK} ${OF_GUESTBOOK} --defaulting`,
  `${WEBHOOK} ${OF_GUESTBOOK} --programmatic-validation --conversion --spoke v2`,
  `delete webhook --make=false ${OF_GUESTBOOK} --defaulting`,
  `${WEBHOOK} --group webapp --version v2 --kind Guestbook ${BOTH}`,
  // One version is the hub and fills in what is missing, the other one checks.
  `${API} --version v1 --kind Voyage`,
  `${API} --version v2 --kind Voyage`,
  `${WEBHOOK} --group webapp --version v1 --kind Voyage --defaulting --conversion --spoke v2`,
  `${WEBHOOK} --group webapp --version v2 --kind Voyage --programmatic-validation`,
  ...["Ledger", "Strict", ...DEFECTS.map(({ kind }) => kind)].map((kind) => `${API} --version v1 --kind ${kind}`),
  `${WEBHOOK} --group webapp --version v1 --kind Ledger ${BOTH} ${PATHS}`,
  ...["Strict", ...DEFECTS.map(({ kind }) => kind)].map(
    (kind) => `${WEBHOOK} --group webapp --version v1 --kind ${kind} ${BOTH}`,
  ),
  `${WEBHOOK} --group core --version v1 --kind Pod ${BOTH}`,
  `${WEBHOOK} --group certs --version v1 --kind Certificate ${BOTH} ` +
    "--external-api-path ./api/certs/certificate_types.ts --external-api-domain example.com",
];

interface TestResult {
  readonly title: string;
  readonly status: string;
  readonly ancestorTitles: readonly string[];
  readonly failureMessages: readonly string[];
}

interface Report {
  readonly testResults: readonly { readonly name: string; readonly assertionResults: readonly TestResult[] }[];
}

describe("the generated tests of webhooks", () => {
  let project: ProjectCopy;
  let results: readonly TestResult[];

  beforeAll(async () => {
    project = newProject();
    writeFiles(project.root, { "api/certs/certificate_types.ts": TYPES });
    await runCommands(project.root, ...COMMANDS);
    for (const { kind, make } of DEFECTS) edit(kind, make);
    edit("Strict", (text) => text.replaceAll("return [];", 'throw new Error("never");'));
    await runCommands(project.root, "manifests", "generate");
    await runTests("--reporter=json", "--outputFile=report.json");
    const report = JSON.parse(readFiles(project.root)["report.json"] ?? "") as Report;
    results = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  }, LIVENESS_MS);
  afterAll(() => project?.remove());

  function edit(kind: string, change: (text: string) => string): void {
    const file = `internal/webhook/v1/${kind.toLowerCase()}_webhook.ts`;
    const text = readFiles(project.root)[file] ?? "";
    expect(change(text)).not.toBe(text);
    writeFiles(project.root, { [file]: change(text) });
  }

  function runTests(...args: readonly string[]): Promise<ProgramResult> {
    const vitest = path.join(ROOT, "node_modules", "vitest", "vitest.mjs");
    // Loading the server again for each file would take most of the time.
    return runProgram(process.execPath, [vitest, "run", "--no-isolate", ...args], { cwd: project.root });
  }

  function kindsOf(title: string, status: string): readonly string[] {
    const found = results.filter((result) => result.title === title && result.status === status);
    return found.map(({ ancestorTitles }) => ancestorTitles[0]?.replace(" webhook", "") ?? "");
  }

  it("pass for what is scaffolded, and ask nothing of what a user's webhooks decide", () => {
    const unasked = DEFECTS.filter(({ found }) => found === ASKED).map(({ kind }) => kind);
    expect([...kindsOf(ASKED, "passed")].toSorted()).toEqual([...INTACT, "Unserved"].toSorted());
    expect([...kindsOf(ASKED, "failed")].toSorted()).toEqual(unasked.toSorted());
    expect(kindsOf(ADMITS, "passed")).toEqual(expect.arrayContaining(INTACT.filter((kind) => kind !== "Strict")));
    const conversions = results.filter(({ ancestorTitles }) => ancestorTitles[0]?.startsWith("conversion ") === true);
    expect(conversions.map(({ status }) => status)).toEqual(["passed", "passed", "passed", "passed"]);
  });

  it.each(DEFECTS)("find a webhook $title", ({ kind, found, says }) => {
    const failed = results.find(
      ({ title, ancestorTitles }) => title === found && ancestorTitles[0] === `${kind} webhook`,
    );
    expect(failed?.failureMessages.join("\n")).toMatch(says);
  });

  it(
    "say why their server does not start, and nothing else",
    async () => {
      rmSync(path.join(project.root, "config", "crd", "bases"), { recursive: true });
      const { status, output } = await runTests("internal/webhook/v1/guestbook_webhook.test.ts");
      expect(status).toBe(1);
      expect(output).toMatch(/cannot read definitions from .*bases: no such file or folder/u);
      expect(output).not.toContain("TypeError");
    },
    LIVENESS_MS,
  );
});
