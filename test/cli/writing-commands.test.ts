import { readFileSync, rmSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { COMMANDS } from "../../src/cli/commands.ts";
import { ROOT } from "../architecture/source-files.ts";
import { SINGLE_GROUP } from "../support/go-projects.ts";
import { CREATE_API, CREATE_WEBHOOK, INIT, runCommand, runCommands } from "../support/run-command.ts";
import { readFiles, temporaryFolder } from "../support/temporary-folder.ts";

/** A command line that would write, and what has to be there before. */
interface Call {
  readonly line: string;
  readonly before?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly without?: string;
}

const V1 = "--group webapp --version v1 --kind Guestbook";
const API = [INIT, CREATE_API];
const CRD = SINGLE_GROUP["config/crd/bases/crew.sea.io_admirales.yaml"] ?? "";
const GO = Object.fromEntries(Object.entries(SINGLE_GROUP).map(([name, text]) => [`go/${name}`, text]));

const CALLS: Readonly<Record<string, Call>> = {
  init: { line: INIT },
  "create api": { line: CREATE_API, before: [INIT] },
  "create webhook": { line: CREATE_WEBHOOK, before: API },
  "create kubectl-plugin": { line: "create kubectl-plugin guestbook", before: API },
  "delete api": { line: `delete api ${V1} --make=false`, before: API },
  "delete webhook": { line: `delete webhook ${V1} --make=false`, before: [...API, CREATE_WEBHOOK] },
  "delete kubectl-plugin": {
    line: "delete kubectl-plugin guestbook",
    before: [...API, "create kubectl-plugin guestbook"],
  },
  "rename api": { line: `rename api ${V1} --to-kind VisitorBook --make=false`, before: API },
  edit: { line: "edit --namespaced --make=false", before: API },
  "import crd": { line: "import crd crd.yaml --output-dir api", files: { "crd.yaml": CRD } },
  "import project": { line: "import project go --output-dir ts --skip-install", files: GO },
  "alpha restore-project": { line: "alpha restore-project", before: API, without: "PROJECT" },
  "alpha generate": { line: "alpha generate --make=false", before: API, without: "Makefile" },
  manifests: { line: "manifests", before: API },
  generate: { line: "generate", before: API },
  doctor: { line: "doctor --fix", before: API, without: "config/rbac/guestbook_viewer_role.yaml" },
};

/** What needs a repository or a base image has its own tests. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "alpha update": "test/cli/commands/alpha-update/alpha-update.e2e.test.ts",
  image: "test/cli/commands/image/run-image.e2e.test.ts",
};

/** Commands that run kubectl, Docker, kind, or the manager; `test/scenarios/deploy.test.ts` and `e2e-cluster.test.ts` run them. */
const PROGRAM_RUNNERS =
  "run debug install uninstall deploy undeploy build-installer docker-build docker-push docker-buildx docker-context install-kind setup-test-e2e test-e2e cleanup-test-e2e".split(
    " ",
  );

/** Commands that do not write into a project by themselves, or take the arguments of another program. */
const OTHERS = [
  "k8s-docs",
  "migrate-storage",
  "test",
  "verify",
  "rehearse",
  "gen",
  "dev",
  "dashboard",
  "apiserver",
  "version",
  "compat",
  "explain",
  "completion",
  "__complete",
  ...PROGRAM_RUNNERS,
];

const nameOf = ({ path: words }: { readonly path: readonly string[] }): string => words.join(" ");
const RUNNING = COMMANDS.filter(({ run }) => run !== undefined);
const WRITING = RUNNING.filter(({ path: [first = ""] }) => !OTHERS.includes(first));

async function prepared({ before = [], files = {}, without }: Call): Promise<string> {
  const root = temporaryFolder(files);
  await runCommands(root, ...before);
  if (without !== undefined) rmSync(path.join(root, without));
  return root;
}

describe("every command that writes", () => {
  it("is in one of these tables", () => {
    expect(WRITING.map(nameOf).toSorted()).toEqual([...Object.keys(CALLS), ...Object.keys(ELSEWHERE)].toSorted());
    for (const file of Object.values(ELSEWHERE)) {
      const text = readFileSync(path.join(ROOT, file), "utf8");
      expect(text).toContain("--dry-run");
      expect(text).toContain("--output json");
    }
  });

  it.for(WRITING.map((command) => [nameOf(command), command] as const))("takes the flags: %s", ([, { flags }]) => {
    const names = flags.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["dry-run", "output"]));
  });

  it.for(Object.entries(CALLS))("shows a diff on a dry run, and writes nothing: %s", async ([, call]) => {
    const root = await prepared(call);
    const before = readFiles(root);
    const { status, stdout } = await runCommand(root, `${call.line} --dry-run`);
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^\+\+\+ (?:b\/|\/dev\/null)/mu) });
    expect(readFiles(root)).toEqual(before);
  });

  it.for(Object.entries(CALLS))("prints JSON and nothing else when it is asked to: %s", async ([, call]) => {
    const root = await prepared(call);
    const before = readFiles(root);
    const dry = await runCommand(root, `${call.line} --dry-run --output json`);
    expect({ status: dry.status, stderr: dry.stderr }).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(dry.stdout)).toEqual(expect.any(Object));
    expect(readFiles(root)).toEqual(before);
    const { status, stdout, stderr } = await runCommand(root, `${call.line} --output json`);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual(expect.any(Object));
    expect(readFiles(root)).not.toEqual(before);
  });
});

describe("every command", () => {
  const parsing = RUNNING.filter(({ takesWords }) => takesWords !== true);

  it.for(parsing.map(nameOf))("ends with 2 for a flag that it does not have, and writes nothing: %s", async (name) => {
    const root = temporaryFolder();
    const { status, stdout, stderr } = await runCommand(root, `${name} --no-such-flag`);
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining("[CLI_UNKNOWN_FLAG]"),
    });
    expect(readFiles(root)).toEqual({});
  });

  it.for(parsing.map(nameOf))("ends with 2 and data for it, when it is asked for JSON: %s", async (name) => {
    const { status, stdout, stderr } = await runCommand(temporaryFolder(), `${name} --output json --no-such-flag`);
    expect({ status, stderr }).toEqual({ status: 2, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "CLI_UNKNOWN_FLAG" } });
  });

  it.for([...new Set(COMMANDS.filter(({ run }) => run === undefined).map(nameOf))])(
    "ends with 2 for a command that there is not: %s",
    async (name) => {
      const { status, stderr } = await runCommand(temporaryFolder(), `${name} nothing`);
      expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining("[CLI_UNKNOWN_COMMAND]") });
    },
  );
});
