import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { contentHash, type JournalEntry, printManifest } from "../../src/machinery/commit/journal-manifest.ts";
import {
  type CommandResult,
  CREATE_API,
  CREATE_WEBHOOK,
  INIT,
  runCommand,
  runCommands,
} from "../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../support/temporary-folder.ts";

const GVK = "--group webapp --version v1 --kind Guestbook";
const OTHER = "create api --group webapp --version v1 --kind Other --make=false";

/** Commands that report on a project, or only plan. */
const READS = [
  "doctor",
  "doctor --output json",
  "doctor --fix --dry-run",
  "edit --multigroup --dry-run",
  `${OTHER} --dry-run`,
  "manifests --dry-run",
  `delete api ${GVK} --make=false --dry-run --output json`,
] as const;

const WRITES = [
  "doctor --fix",
  "doctor --fix --output json",
  OTHER,
  CREATE_WEBHOOK,
  "manifests",
  "generate",
  "edit --namespaced",
  `delete api ${GVK} --make=false`,
  `rename api ${GVK.replace(" --version v1", "")} --to-kind VisitorBook --make=false`,
  "gen crd paths=./api/... output:dir=config/crd/bases",
  "gen crd paths=./api/... output:dir=made",
  "alpha generate --force",
] as const;

/** Commands that read no project. */
const OTHERS = ["version", "completion bash"] as const;

const ALL = [...READS, ...WRITES, ...OTHERS];
const SOME = [
  "doctor",
  "doctor --fix",
  `${OTHER} --dry-run`,
  OTHER,
  "gen crd paths=./api/... output:dir=made",
] as const;

const SECRET = "SECRET-OF-THIS-MACHINE";

/** A clone of a repository, and beside it what nobody may write to. */
interface Clone {
  readonly folder: string;
  readonly root: string;
}

interface Case {
  /** The commands that are tried; all of them unless given. */
  readonly lines?: readonly string[];
  /** Makes a usual project a hostile one. */
  readonly plant: (clone: Clone) => void;
  /** Returns how a command must end; without it, a command may do its work or refuse it with a code. */
  readonly ends?: (line: string) => Ending | undefined;
}

interface Ending {
  readonly status: number;
  readonly says: string;
}

const JOURNAL_ENDS = (line: string): Ending => {
  if (isOneOf(OTHERS, line)) return { status: 0, says: "" };
  if (isOneOf(WRITES, line)) return { status: 1, says: "JOURNAL_UNTRUSTED" };
  return { status: line.startsWith("doctor") ? 1 : 0, says: "cannot trust .kubescaffold/journal" };
};

const STATE_LINK_ENDS = (line: string): Ending => {
  if (isOneOf(OTHERS, line)) return { status: 0, says: "" };
  if (isOneOf(WRITES, line)) return { status: 1, says: "SCAFFOLD_SYMBOLIC_LINK" };
  return { status: line.startsWith("doctor") ? 1 : 0, says: "is a symbolic link to" };
};

const refusesAll =
  (says: string) =>
  (line: string): Ending =>
    isOneOf(OTHERS, line) ? { status: 0, says: "" } : { status: 1, says };

const refuses =
  (lines: readonly string[], says: string) =>
  (line: string): Ending | undefined =>
    lines.includes(line) ? { status: 1, says } : undefined;

const GENERATING = ["manifests", "gen crd paths=./api/... output:dir=config/crd/bases", "doctor --fix"];

const CASES: Readonly<Record<string, Case>> = {
  ...Object.fromEntries(
    [
      "/tmp/kubescaffold-hostile-target",
      "../outside/.bash_aliases",
      "a/../../outside/.bash_aliases",
      ".git/hooks/post-checkout",
      ".GIT/hooks/post-checkout",
      "git~1/hooks/post-checkout",
      ".kubescaffold/lock",
      String.raw`..\outside\x`,
      "way/out",
      "PROJECT",
    ].map((file): [string, Case] => [
      `a journal that names ${file}, in a former form`,
      { plant: ({ root }) => plantJournal(root, formerManifest(file)), ends: JOURNAL_ENDS, lines: SOME },
    ]),
  ),
  "a journal that names git's hooks, signed by another user": {
    plant: ({ folder, root }) => plantJournal(root, signed(root, path.join(folder, "cache"), ".git/hooks/pre-commit")),
    ends: JOURNAL_ENDS,
  },
  "a journal of another machine": {
    plant: ({ folder, root }) => plantJournal(root, signed(root, path.join(folder, "cache"), "Makefile")),
    ends: JOURNAL_ENDS,
  },
  "a journal of another folder of this machine": {
    plant: ({ folder, root }) => plantJournal(root, signed(path.join(folder, "outside"), undefined, "Makefile")),
    ends: JOURNAL_ENDS,
  },
  "a journal without a signature": {
    plant: ({ root }) => plantJournal(root, signed(root, "/dev/null/cache", "Makefile")),
    ends: JOURNAL_ENDS,
  },
  "a manifest that is not JSON": { plant: ({ root }) => plantJournal(root, "{"), ends: JOURNAL_ENDS },
  "a manifest of thousands of brackets": {
    plant: ({ root }) => plantJournal(root, "[".repeat(500_000)),
    ends: JOURNAL_ENDS,
  },
  "a manifest of 40 MB": {
    plant: ({ root }) => plantJournal(root, " ".repeat(40 * 1024 * 1024)),
    ends: JOURNAL_ENDS,
  },
  "a manifest that is a link": {
    plant: ({ root }) => {
      plantJournal(root, "");
      replaceByLink(root, ".kubescaffold/journal/manifest.json", "../../../outside/secret");
    },
    ends: JOURNAL_ENDS,
  },
  "a journal that is a link": {
    plant: ({ root }) => replaceByLink(root, ".kubescaffold/journal", "../../outside"),
    ends: STATE_LINK_ENDS,
  },
  "a state folder that is a link": {
    plant: ({ folder, root }) => {
      writeFiles(folder, { "outside/journal/0.new": "kept\n" });
      replaceByLink(root, ".kubescaffold", "../outside");
    },
    ends: STATE_LINK_ENDS,
  },
  "a lock that is a link": {
    plant: ({ folder, root }) => {
      const dead = { token: "t", pid: 4_194_999, host: hostname(), command: "scaffold init", since: "" };
      writeFiles(folder, { "outside/lock": JSON.stringify(dead) });
      replaceByLink(root, ".kubescaffold/lock", "../../outside/lock");
    },
    ends: (line) =>
      line !== "generate" && isOneOf(WRITES, line) && !line.startsWith("gen ")
        ? { status: 1, says: "SCAFFOLD_SYMBOLIC_LINK" }
        : undefined,
  },
  "a lock of another user": {
    plant: ({ root }) => writeFiles(root, { ".kubescaffold/lock": `{"pid":-1,"host":"${hostname()}"}` }),
    ends: refuses([OTHER, "manifests", "doctor --fix"], "SCAFFOLD_LOCKED"),
  },
  "a folder of manifests that is a link out of the project": {
    plant: ({ root }) => replaceByLink(root, "config/crd/bases", "../../../outside"),
    ends: refuses(GENERATING, "config/crd/bases is a symbolic link to"),
  },
  "a folder of manifests that is a link into git's folder": {
    plant: ({ root }) => replaceByLink(root, "config/crd/bases", "../../.git/hooks"),
    ends: refuses(GENERATING, "and it belongs to git"),
  },
  "a folder of settings that is a link out of the project": {
    plant: ({ folder, root }) => {
      cpSync(path.join(root, "config"), path.join(folder, "outside/config"), { recursive: true });
      replaceByLink(root, "config", "../outside/config");
    },
    ends: refuses(["edit --namespaced", OTHER], "config is a symbolic link to"),
  },
  "a generated file that is a link": {
    plant: ({ root }) => replaceByLink(root, "config/rbac/role.yaml", "../../../outside/kept"),
    ends: refuses(["manifests", "doctor --fix"], "config/rbac/role.yaml: it is a symbolic link to"),
  },
  "a PROJECT that is a link to a secret": {
    plant: ({ root }) => replaceByLink(root, "PROJECT", "../outside/secret"),
    ends: (line) => (line.startsWith("gen ") ? undefined : refusesAll("PROJECT: it is a symbolic link to")(line)),
  },
  "a PROJECT that is a link to a device": {
    plant: ({ root }) => replaceByLink(root, "PROJECT", "/dev/zero"),
    ends: (line) => (line.startsWith("gen ") ? undefined : refusesAll("PROJECT: it is a symbolic link to")(line)),
  },
  "a license comment that is a link to a secret": {
    plant: ({ root }) => replaceByLink(root, "hack/boilerplate.ts.txt", "../../outside/secret"),
    ends: (line) =>
      line.startsWith("gen ") ? undefined : refusesAll("hack/boilerplate.ts.txt: it is a symbolic link to")(line),
  },
};

const [template, removeTemplate] = ((): [string, () => void] => {
  const folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-hostile-"));
  return [folder, () => rmSync(folder, { recursive: true, force: true })];
})();

beforeAll(async () => {
  await runCommands(template, INIT, CREATE_API, "manifests", "generate");
  const git = (...words: readonly string[]): void => void execFileSync("git", words, { cwd: template });
  git("init", "--quiet", "--template=");
  git("-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "--allow-empty", "-m", "x");
  mkdirSync(path.join(template, ".git/hooks"));
});

afterAll(removeTemplate);

describe.each(Object.entries(CASES))("a repository with %s", (_, { plant, ends, lines = ALL }) => {
  it.each(lines)("is not obeyed by %s", async (line) => {
    const clone = cloned(plant);
    const [beside, project] = [stateBeside(clone), stateOf(clone.root, [".git"])];
    const result = await runCommand(clone.root, line);
    const { status, stdout, stderr } = result;
    expect(stateBeside(clone)).toEqual(beside);
    expect(stdout + stderr).not.toContain(SECRET);
    expect(Object.values(readFiles(clone.root)).join("")).not.toContain(SECRET);
    expect(explanationOf(result)).not.toBe("none");
    const ending = ends?.(line);
    expect({ status, text: stdout + stderr }).toEqual({
      status: ending?.status ?? status,
      text: expect.stringContaining(ending?.says ?? ""),
    });
    // What is refused, or only reads, changes nothing at all.
    const isUnchanged = ending?.status === 1 || isOneOf(READS, line) || isOneOf(OTHERS, line);
    const now = stateOf(clone.root, [".git"]);
    expect(now).toEqual(isUnchanged ? project : now);
  });
});

describe("the kubeconfigs of dev", () => {
  it.each(["kubeconfig", "manager.kubeconfig", "manager.token", "webhook-certs/tls.key", "webhook-certs", "."])(
    "are not written where %s is a link",
    async (file) => {
      const clone = cloned(({ root }) =>
        replaceByLink(root, path.posix.join(".kubescaffold/dev", file), "/dev/null/x"),
      );
      const target = path.join(clone.folder, "outside/secret");
      replaceByLink(clone.root, path.posix.join(".kubescaffold/dev", file), target);
      const before = stateBeside(clone);
      expect(await runCommand(clone.root, "dev --watch=false")).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/is a symbolic link to .*outside\/secret.*\[SCAFFOLD_SYMBOLIC_LINK\]/u),
      });
      expect(stateBeside(clone)).toEqual(before);
    },
  );
});

describe("an image", () => {
  it.each([
    "--oci-layout-path dist/image",
    "--tarball dist/image.tar",
    "--oci-layout-path dist",
    "--tarball x --sbom-path dist/s",
  ])("is not written through a link: %s", async (flags) => {
    const clone = cloned(({ root }) => replaceByLink(root, "dist", "../outside"));
    const before = stateBeside(clone);
    expect(await runCommand(clone.root, `image ${flags} --build=false`)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/(?:dist|it) is a symbolic link to .*\[SCAFFOLD_SYMBOLIC_LINK\]/u),
    });
    expect(stateBeside(clone)).toEqual(before);
  });
});

describe("gen", () => {
  it("writes to a folder outside of the project that the user named", async () => {
    const clone = cloned(() => undefined);
    const line = "gen crd paths=./api/... output:dir=../outside/crds";
    expect(await runCommand(clone.root, line)).toMatchObject({ status: 0, stderr: "" });
    expect(readdirSync(path.join(clone.folder, "outside/crds"))).toEqual(["webapp.demo_guestbooks.yaml"]);
  });

  it("does not write to git's folder, which nobody means", async () => {
    const clone = cloned(() => undefined);
    const before = stateBeside(clone);
    expect(await runCommand(clone.root, "gen crd paths=./api/... output:dir=.git/hooks")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("it belongs to git"),
    });
    expect(stateBeside(clone)).toEqual(before);
  });
});

function cloned(plant: Case["plant"]): Clone {
  const folder = temporaryFolder({ "outside/kept": "kept\n", "outside/secret": `${SECRET}: {\n` });
  const root = path.join(folder, "project");
  cpSync(template, root, { recursive: true });
  const clone = { folder, root };
  plant(clone);
  return clone;
}

function plantJournal(root: string, manifest: string): void {
  symlinkSync("../outside", path.join(root, "way"));
  writeFiles(root, {
    ".kubescaffold/journal/0.new": "#!/bin/sh\n",
    ".kubescaffold/journal/manifest.json": manifest,
  });
  chmodSync(path.join(root, ".kubescaffold/journal/0.new"), 0o755);
}

function entryFor(file: string): JournalEntry {
  return { path: file, content: "0.new", before: null, after: contentHash("#!/bin/sh\n") };
}

function formerManifest(file: string): string {
  const body = JSON.stringify({ format: 1, command: "scaffold init", entries: [entryFor(file)] });
  return JSON.stringify({ hash: createHash("sha256").update(body).digest("hex"), body });
}

function signed(root: string, cacheFolder: string | undefined, file: string): string {
  return printManifest({ command: "scaffold init", entries: [entryFor(file)] }, { root, cacheFolder });
}

function replaceByLink(root: string, file: string, target: string): void {
  rmSync(path.join(root, file), { recursive: true, force: true });
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  symlinkSync(target, path.join(root, file));
}

// The folder around the clone, and git's in it: what is not the project's own.
function stateBeside({ folder, root }: Clone): Readonly<Record<string, string>> {
  return { ...stateOf(folder, ["project"]), ...stateOf(path.join(root, ".git"), []) };
}

function stateOf(folder: string, but: readonly string[], below = ""): Readonly<Record<string, string>> {
  const names = readdirSync(path.join(folder, below)).filter((name) => below !== "" || !but.includes(name));
  return Object.fromEntries(
    names.flatMap((name) => {
      const relative = path.join(below, name);
      const file = path.join(folder, relative);
      const stat = lstatSync(file);
      if (stat.isSymbolicLink()) return [[relative, `link to ${readlinkSync(file)}`]];
      if (stat.isDirectory()) return [[`${relative}/`, ""], ...Object.entries(stateOf(folder, but, relative))];
      return [[relative, `${(stat.mode & 0o777).toString(8)} ${contentHash(readFileSync(file, "utf8"))}`]];
    }),
  );
}

// A command that fails says why, and never by the trace of a defect.
function explanationOf({ status, stdout, stderr }: CommandResult): string {
  if (status === 0) return "done";
  if (stdout.startsWith("{") || /^\d+ errors?, \d+ notes?$/mu.test(stdout)) return "findings";
  return /^error: .+ \[(?<code>[A-Z]+_[A-Z_]+)\]$/mu.exec(stderr)?.groups?.["code"] ?? "none";
}

function isOneOf(lines: readonly string[], line: string): boolean {
  return lines.includes(line);
}
