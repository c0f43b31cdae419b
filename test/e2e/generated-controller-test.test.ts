import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { ROOT } from "../architecture/source-files.ts";
import { runProgram, runSuccessfully } from "../support/run-program.ts";
import { readFiles, writeFiles } from "../support/temporary-folder.ts";
import { newProject, PROGRAM, type ProjectCopy } from "./project-copy.ts";

const LIVENESS_MS = 300_000;
const COMMANDS = [
  "init --domain demo --project-name guestbook --skip-install",
  "create api --group webapp --version v1 --kind Guestbook --resource --controller",
  "create api --group webapp --version v1 --kind Ledger --resource --controller --make=false",
  "create api --group apps --version v1 --kind Deployment --resource=false --controller --make=false",
  "create api --group certs --version v1 --kind Certificate --resource=false --controller --make=false " +
    "--external-api-path ./api/certs/certificate_types.ts --external-api-domain example.com",
];
const TYPES = `import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export type Certificate = KubernetesObject;
export const Certificate: Kind<Certificate> = defineKind({ group: "certs.example.com", version: "v1" }, "Certificate");
`;

const KINDS = ["Guestbook", "Deployment", "Certificate"];
const CONTROLLERS = "internal/controller";
const NEVER = "{ create: () => false, update: () => false, delete: () => false, generic: () => false }";
const END = "    return {};\n";

interface Defect {
  readonly title: string;
  /** Makes the error in the scaffolded controller of a kind. */
  readonly make: (text: string, kind: string) => string;
  /** The generated test that finds it. */
  readonly found: string;
  /** Where the controllers lie that have it, beside the scaffolded ones. */
  readonly folder: string;
}

const DEFECTS: readonly Defect[] = [
  {
    title: "writes every time",
    make: (text, kind) =>
      text.replace(
        END,
        `    const object = await this.client.get(${kind}, request).catch(() => undefined);
    if (object === undefined) return {};
    const annotations = { now: context.reconcileId };
    await this.client.update({ ...object, metadata: { ...object.metadata, annotations } });\n${END}`,
      ),
    found: "is idempotent",
    folder: "internal/restless",
  },
  {
    title: "takes an object that is gone for a failure",
    make: (text, kind) => text.replace(END, `    await this.client.get(${kind}, request);\n${END}`),
    found: "ignores an object that does not exist",
    folder: "internal/failing",
  },
  {
    title: "hears of no object",
    make: (text, kind) => text.replace(`.for(${kind})`, `.for(${kind}, { predicates: [${NEVER}] })`),
    found: "is called by the manager for an existing object",
    folder: "internal/deaf",
  },
];

// Tests of controllers with errors wait in vain, so not for long.
const WAIT = "      });\n    } finally {\n      await manager.stop();";
const SHORT_WAIT = WAIT.replace("}", "}, { timeoutMs: 5000 }");

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

describe("the generated tests of controllers, for kinds of the project, of Kubernetes and of others", () => {
  let project: ProjectCopy;
  let report: Report;

  // One run for all, since each controller has its own folder for every error.
  beforeAll(async () => {
    project = newProject();
    writeFiles(project.root, { "api/certs/certificate_types.ts": TYPES });
    for (const command of COMMANDS)
      await runSuccessfully(process.execPath, [PROGRAM, ...command.split(" ")], { cwd: project.root });
    const { ledger, scaffolded } = withoutMarkers(readFiles(project.root));
    writeFiles(project.root, ledger);
    await runSuccessfully(process.execPath, [PROGRAM, "manifests"], { cwd: project.root });
    for (const defect of DEFECTS) writeFiles(path.join(project.root, defect.folder), withDefect(scaffolded, defect));
    report = await runTests();
  }, LIVENESS_MS);
  afterAll(() => project.remove());

  async function runTests(): Promise<Report> {
    const vitest = path.join(ROOT, "node_modules", "vitest", "vitest.mjs");
    const args = [vitest, "run", "--no-isolate", "--maxWorkers=4", "--reporter=json", "--outputFile=report.json"];
    await runProgram(process.execPath, args, { cwd: project.root });
    return JSON.parse(readFiles(project.root)["report.json"] ?? "") as Report;
  }

  function resultsOf(folder: string, status: string): readonly string[] {
    const files = report.testResults.filter(({ name }) => path.dirname(name) === path.join(project.root, folder));
    const results = files.flatMap(({ assertionResults }) => assertionResults);
    return results.filter((result) => result.status === status).map(({ fullName }) => fullName);
  }

  it("pass for what is scaffolded", () => {
    expect(resultsOf(CONTROLLERS, "failed").filter((name) => !name.startsWith("Ledger "))).toEqual([]);
    const all = KINDS.flatMap((kind) => DEFECTS.map(({ found }) => `${kind} controller ${found}`));
    expect(resultsOf(CONTROLLERS, "passed")).toEqual(expect.arrayContaining(all));
  });

  it("find a type without a status and a controller that may do nothing", () => {
    expect(resultsOf(CONTROLLERS, "failed")).toEqual([
      "Ledger controller can update the status through its subresource",
      "Ledger controller is called by the manager for an existing object",
    ]);
    expect(JSON.stringify(report)).toContain(
      "add `+kubebuilder:rbac:groups=webapp.demo,resources=ledgers,verbs=get;list;watch`",
    );
  });

  it.each(DEFECTS)("find a controller that $title", ({ found, folder }) => {
    const failed = resultsOf(folder, "failed");
    expect(failed).toEqual(expect.arrayContaining(KINDS.map((kind) => `${kind} controller ${found}`)));
  });
});

// A kind whose type has no status, and whose controller may do nothing.
function withoutMarkers(
  files: Readonly<Record<string, string>>,
): Readonly<Record<"ledger" | "scaffolded", Record<string, string>>> {
  const ledger: Record<string, string> = {};
  const scaffolded: Record<string, string> = {};
  for (const [file, text] of Object.entries(files)) {
    if (/\bledger_(?:controller|types)\.ts$/u.test(file)) ledger[file] = replaced(text, withoutMarker);
    else if (path.posix.dirname(file) === CONTROLLERS) scaffolded[path.posix.basename(file)] = text;
  }
  return { ledger, scaffolded };
}

function withoutMarker(text: string): string {
  return text.replaceAll(/^.*\+kubebuilder:(?:rbac|subresource:status).*\n/gmu, "");
}

function withDefect(files: Readonly<Record<string, string>>, { make }: Defect): Readonly<Record<string, string>> {
  const changed = { ...files };
  for (const kind of KINDS) {
    const name = `${kind.toLowerCase()}_controller`;
    changed[`${name}.ts`] = replaced(files[`${name}.ts`], (text) => make(text, kind));
    changed[`${name}.test.ts`] = replaced(files[`${name}.test.ts`], (text) => text.replace(WAIT, SHORT_WAIT));
  }
  return changed;
}

function replaced(text = "", change: (text: string) => string): string {
  expect(change(text)).not.toBe(text);
  return change(text);
}
