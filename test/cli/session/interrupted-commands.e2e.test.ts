import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { type Before, type Operation, refusal, watchOperations } from "../../support/faulty-file-system.ts";
import { SINGLE_GROUP } from "../../support/go-projects.ts";
import {
  type CommandResult,
  CREATE_API,
  CREATE_WEBHOOK,
  INIT,
  runCommand,
  runCommands,
} from "../../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";

const LIVENESS_MS = 1_800_000;
// With this variable every operation of every command fails with every code; without it every write of one command, and some of the others, with
// one code each, in turn.
const IS_THOROUGH = process.env["KUBESCAFFOLD_EVERY_FAULT"] !== undefined;
const CODES = ["ENOSPC", "EACCES", "EIO"] as const;

const QUICK = "--make=false";
const GVK = "--group webapp --version v1 --kind Guestbook";
const V2 = `create api --group webapp --version v2 --kind Guestbook --controller=false ${QUICK}`;
const CONVERSION = `create webhook ${GVK} --conversion --spoke v2`;
const GRAFANA = "edit --plugins=grafana/v1-alpha";
const CRD = "config/crd/bases/webapp.demo_guestbooks.yaml";

const IMPORT = "import project . --output-dir ../again --project-name fleet --skip-install";

function writeGoProject(root: string): void {
  writeFiles(root, SINGLE_GROUP);
}

// The project, and the one that a command makes beside it.
const FOLDERS = ["project", "again"] as const;

interface Case {
  readonly line: string;
  /** The commands that make the project before. */
  readonly before: readonly string[];
  /** Changes the project further. */
  readonly prepare?: (root: string) => void;
}

const remove =
  (...files: readonly string[]) =>
  (root: string): void =>
    files.forEach((file) => rmSync(path.join(root, file)));

const CASES: readonly Case[] = [
  { line: INIT, before: [] },
  { line: "edit --multigroup", before: [INIT, CREATE_API, CREATE_WEBHOOK] },
  { line: "edit --license none --namespaced", before: [INIT] },
  { line: CREATE_API, before: [INIT] },
  { line: CREATE_API.replace(` ${QUICK}`, ""), before: [INIT] },
  { line: CONVERSION, before: [INIT, CREATE_API, V2] },
  { line: `delete api ${GVK}`, before: [INIT, CREATE_API, CREATE_WEBHOOK, "manifests", "generate"] },
  { line: `delete webhook ${GVK} ${QUICK}`, before: [INIT, CREATE_API, V2, CONVERSION] },
  { line: "rename api --group webapp --kind Guestbook --to-kind VisitorBook", before: [INIT, CREATE_API, "manifests"] },
  { line: `alpha generate --output-dir ../again ${QUICK}`, before: [INIT, CREATE_API, CREATE_WEBHOOK] },
  {
    line: `alpha generate --force ${QUICK}`,
    before: [INIT, CREATE_API],
    prepare: remove("api/v1/groupversion_info.ts", "internal/controller/suite.ts"),
  },
  {
    line: "import crd crd.yaml",
    before: [INIT, CREATE_API, "manifests"],
    prepare: (root) => {
      writeFileSync(
        path.join(root, "crd.yaml"),
        readFileSync(path.join(root, CRD), "utf8").replaceAll("uestbook", "uest"),
      );
    },
  },
  { line: IMPORT, before: [], prepare: writeGoProject },
  { line: "manifests", before: [INIT, CREATE_API, CREATE_WEBHOOK] },
  { line: "generate", before: [INIT, CREATE_API, V2] },
  { line: "gen crd rbac:roleName=manager-role paths=./... output:dir=made", before: [INIT, CREATE_API] },
  {
    line: "doctor --fix",
    before: [INIT, CREATE_API, CREATE_WEBHOOK, "manifests", "generate"],
    prepare: remove(CRD, "internal/controller/suite.ts", "api/v1/groupversion_info.ts"),
  },
  { line: GRAFANA, before: [INIT] },
  { line: "edit --plugins=autoupdate/v1-alpha", before: [INIT] },
  {
    line: `${CREATE_API} --image=nginx:1.27 --image-container-port=80 --plugins=deploy-image/v1-alpha`,
    before: [INIT],
  },
];

const SAMPLE = 8;

// The numbers of the operations that are tried, the last one always among them.
function stepsOf(line: string, operations: readonly Operation[], kind: Operation["kind"]): readonly number[] {
  const count = operations.filter((each) => each.kind === kind).length;
  const isWhole = IS_THOROUGH || (line === GRAFANA && kind === "write");
  const stride = isWhole ? 1 : Math.ceil(count / SAMPLE);
  return Array.from({ length: Math.ceil(count / stride) }, (_, index) => count - 1 - index * stride).toReversed();
}

// What starts a project, adds to it and moves it; the variable asks for all others too.
const USUAL = new Set([INIT, "edit --multigroup", CREATE_API, GRAFANA, IMPORT]);

// Titles consist of tuples: those of members are cut short, and -t cannot tell them apart.
describe.each(CASES.filter(({ line }) => IS_THOROUGH || USUAL.has(line)).map((each) => [each.line, each] as const))(
  "scaffold %s",
  (line, project) => {
    it(
      "leaves the old project or the new one when any one of its writes fails, and says which",
      async () => {
        const { old, next, operations } = await recorded(project);
        expect(old).not.toEqual(next);
        for (const step of stepsOf(line, operations, "write")) {
          for (const code of IS_THOROUGH ? CODES : [CODES[step % CODES.length] ?? "EIO"]) {
            await withProject(old, async (root) => {
              const result = await run(root, line, failingAt(step, "write", code));
              await requireOldOrNew(root, {
                result,
                old,
                next,
                what: `${code} at ${describeStep(operations, step, "write")}`,
              });
            });
          }
        }
      },
      LIVENESS_MS,
    );

    it(
      "leaves the old project or the new one when any one of its reads fails",
      async () => {
        const { old, next, operations } = await recorded(project);
        expect(old).not.toEqual(next);
        for (const step of stepsOf(line, operations, "read")) {
          await withProject(old, async (root) => {
            const result = await run(root, line, failingAt(step, "read", "EIO"));
            await requireOldOrNew(root, {
              result,
              old,
              next,
              what: `EIO at ${describeStep(operations, step, "read")}`,
            });
          });
        }
      },
      LIVENESS_MS,
    );

    it(
      "leaves the old project or the new one to the next command when it is killed at any write",
      async () => {
        const { old, next, operations } = await recorded(project);
        expect(old).not.toEqual(next);
        const outcomes: string[] = [];
        for (const step of stepsOf(line, operations, "write")) {
          await withProject(old, async (root) => {
            await run(root, line, killedAt(step));
            buryHolders(root);
            const hadJournal = FOLDERS.some((each) => existsSync(path.join(root, each, ".kubescaffold/journal")));
            const following = await runNext(root);
            const state = stateOf(root);
            const what = describeStep(operations, step, "write");
            expect.soft({ what, state: nameOf(state, { old, next }) }).not.toMatchObject({ state: "neither" });
            expect.soft({ what, leftovers: leftovers(root) }).toEqual({ what, leftovers: [] });
            const isTold =
              !hadJournal || following.stderr === "" || /^note: (?:completed|discarded)/u.test(following.stderr);
            expect.soft({ what, isTold, told: following.stderr }).toMatchObject({ isTold: true });
            outcomes.push(nameOf(state, { old, next }));
          });
        }
        // Old up to one write, new from there on.
        expect(outcomes.join(" ").replaceAll(/\b(\w+)(?: \1\b)+/gu, "$1")).toMatch(/^(?:old )?new$/u);
      },
      LIVENESS_MS,
    );
  },
);

type State = Readonly<Record<string, string>>;

interface Recorded {
  readonly old: State;
  readonly next: State;
  readonly operations: readonly Operation[];
}

// Folders that hold the project, so that a command may write beside it too.
async function recorded({ line, before, prepare }: Case): Promise<Recorded> {
  const root = temporaryFolder();
  const project = path.join(root, "project");
  mkdirSync(project);
  await runCommands(project, ...before);
  prepare?.(project);
  const old = stateOf(root);
  const operations: Operation[] = [];
  const { status, stderr } = await run(root, line, (operation) => void operations.push(operation));
  if (status !== 0) throw new Error(stderr);
  return { old, next: stateOf(root), operations };
}

async function withProject(old: State, work: (root: string) => Promise<void>): Promise<void> {
  const root = mkdtempSync(path.join(tmpdir(), "kubescaffold-interrupted-"));
  try {
    mkdirSync(path.join(root, "project"));
    writeFiles(root, old);
    await work(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function run(root: string, line: string, before: Before): Promise<CommandResult> {
  return watchOperations(root, before, () => runCommand(path.join(root, "project"), line));
}

// The next command in the folder that was written: one that deals with the journal, and has nothing to write of its own.
function runNext(root: string): Promise<CommandResult> {
  const folder = FOLDERS.findLast((each) => existsSync(path.join(root, each))) ?? "project";
  return runCommand(path.join(root, folder), "gen webhook paths=./hack/... output:none");
}

function failingAt(step: number, kind: Operation["kind"], code: string): Before {
  let left = step;
  return (operation) => {
    if (operation.kind !== kind) return;
    left -= 1;
    if (left === -1) throw refusal(code, operation);
  };
}

// A dead process writes nothing more.
function killedAt(step: number): Before {
  let left = step;
  return ({ kind }) => {
    if (kind !== "write") return;
    left -= 1;
    if (left < 0) throw new Error("killed");
  };
}

// The locks of a process that was killed name one that is no more.
function buryHolders(root: string): void {
  for (const folder of FOLDERS.map((each) => path.join(root, each, ".kubescaffold")).filter((each) => existsSync(each)))
    for (const name of readdirSync(folder).filter((each) => each === "lock" || each.startsWith("lock."))) {
      const file = path.join(folder, name);
      writeFileSync(file, readFileSync(file, "utf8").replace(/"pid":\d+/u, '"pid":4194999'));
    }
}

interface Outcome extends Pick<Recorded, "old" | "next"> {
  readonly result: CommandResult;
  readonly what: string;
}

async function requireOldOrNew(root: string, { result, old, next, what }: Outcome): Promise<void> {
  const { status, stderr } = result;
  const isPending = stderr.includes("the next command completes the change");
  const isNamed = /^error: .+ \[[A-Z]+_[A-Z_]+\]$/mu.test(stderr);
  const wanted = status === 0 || isPending ? "new" : "old";
  const first = nameOf(stateOf(root), { old, next });
  await runNext(root);
  const last = nameOf(stateOf(root), { old, next });
  expect.soft({ what, stderr, isExplained: status === 0 || isNamed, first: isPending ? wanted : first, last }).toEqual({
    what,
    stderr,
    isExplained: true,
    first: wanted,
    last: wanted,
  });
  expect.soft({ what, leftovers: leftovers(root) }).toEqual({ what, leftovers: [] });
}

function nameOf(state: State, { old, next }: Pick<Recorded, "old" | "next">): "old" | "new" | "neither" {
  if (isSame(state, old)) return "old";
  return isSame(state, next) ? "new" : "neither";
}

function isSame(left: State, right: State): boolean {
  const names = Object.keys(left);
  return names.length === Object.keys(right).length && names.every((name) => left[name] === right[name]);
}

function stateOf(root: string): State {
  return Object.fromEntries(Object.entries(readFiles(root)).filter(([file]) => !file.includes("/.kubescaffold/")));
}

function leftovers(root: string): readonly string[] {
  // Locks are taken over by the next command that writes.
  return Object.keys(readFiles(root)).filter((file) => /\/\.kubescaffold\/(?!lock)/u.test(file));
}

function describeStep(operations: readonly Operation[], step: number, kind: Operation["kind"]): string {
  const { name = "", path: file = "" } = operations.filter((each) => each.kind === kind)[step] ?? {};
  return `${name} ${path.basename(path.dirname(file))}/${path.basename(file)} (${step})`;
}
