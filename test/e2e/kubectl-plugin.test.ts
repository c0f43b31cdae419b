import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { Environment } from "@kubescaffold/envtest";
import { Namespace } from "@kubescaffold/k8s/core/v1";
import { readYaml } from "@kubescaffold/k8s/yaml";
import { type Client, createClient, type UnstructuredObject } from "@kubescaffold/runtime";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { KUBECTL_COMMANDS } from "../../src/project/kubectl-plugins.ts";
import { ROOT } from "../architecture/source-files.ts";
import { importScript } from "../support/import-script.ts";
import { runCommands } from "../support/run-command.ts";
import { type ProgramResult, runProgram, runSuccessfully, userEnvironment } from "../support/run-program.ts";
import { temporaryFolder, writeFiles } from "../support/temporary-folder.ts";
import { findKubectl } from "./kubectl.ts";
import { newProject, type ProjectCopy } from "./project-copy.ts";
import { typesOfProjects } from "./types-of-projects.ts";

const LIVENESS_MS = 300_000;
const COMMANDS = [
  "init --domain demo --project-name guestbook --skip-install",
  "create kubectl-plugin deployments",
  "create api --group webapp --version v1 --kind Guestbook --resource --controller --make=false",
  "create api --group webapp --version v1 --kind Site --resource --controller=false --namespaced=false --make=false",
  "create kubectl-plugin guest-book",
  "create kubectl-plugin sites --group webapp --version v1 --kind Site",
  "create api --group webapp --version v1 --kind TestEnvironment --resource --controller=false --make=false",
  "create kubectl-plugin environments --kind TestEnvironment",
  "create api --group certs --version v1 --kind Certificate --resource=false --controller --make=false " +
    "--external-api-path ./api/certs/certificate_types.ts --external-api-domain example.com",
  "create kubectl-plugin certificates --kind Certificate",
  "manifests",
  "generate",
];
const TYPES = `import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export type Certificate = KubernetesObject;
export const Certificate: Kind<Certificate> = defineKind({ group: "certs.example.com", version: "v1" }, "Certificate");
`;
const PLUGINS = ["deployments", "guest-book", "sites"];
const kubectl = findKubectl();
if (kubectl === undefined) {
  console.warn("SKIPPED: plugins were NOT run by kubectl, since there is none; `npm run test:control-plane` builds it");
}

const { pinnedToolPath } = await importScript<{ readonly pinnedToolPath: (name: string) => string }>(
  "pinned-go-tool.mjs",
);
const KREW = [pinnedToolPath("krew")].find((file) => existsSync(file));
if (KREW === undefined)
  console.warn("SKIPPED: plugins were NOT installed by krew; `node scripts/pinned-go-tool.mjs krew` builds it");

let environment: Environment;
let project: ProjectCopy;
let kubeconfig: string;

beforeAll(async () => {
  project = newProject((root) => writeFiles(root, { "api/certs/certificate_types.ts": TYPES }));
  await runCommands(project.root, ...COMMANDS);
  environment = new Environment({ crdDirectoryPaths: [path.join(project.root, "config", "crd", "bases")] });
}, LIVENESS_MS);

afterAll(async () => {
  await environment.stop();
  project.remove();
}, LIVENESS_MS);

interface CalledKubectl {
  readonly status: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

async function fill(client: Client): Promise<void> {
  await client.create(Namespace.create({ metadata: { name: "other" } }));
  const object = (kind: string, metadata: object): UnstructuredObject => ({
    apiVersion: "webapp.demo/v1",
    kind,
    metadata,
    spec: { foo: "<b> & 'c' # d: e" },
  });
  const annotations = { note: "line one\nline two", "example.com/a": "true" };
  await client.create(
    object("Guestbook", { name: "first", namespace: "default", labels: { color: "red", "z.y/x": "1" }, annotations }),
  );
  await client.create(object("Guestbook", { name: "second", namespace: "other", labels: { color: "blue" } }));
  await client.create(object("Guestbook", { name: "a-much-longer-name", namespace: "default" }));
  await client.create(object("Site", { name: "main" }));
}

async function runTool(name: string, ...args: readonly string[]): Promise<ProgramResult> {
  return await runProgram(path.join(ROOT, "node_modules", ".bin", name), args, { cwd: project.root });
}

describe("the sources of kubectl plugins", { timeout: LIVENESS_MS }, () => {
  it("compile, and are linted and formatted", async () => {
    expect(await typesOfProjects([project.root])).toEqual({ status: 0, output: "" });
    const lint = await runTool("oxlint", "--type-aware");
    expect(lint).toMatchObject({ status: 0 });
    expect(lint.output).not.toMatch(/\b[1-9]\d* (?:warnings?|errors?)\b/u);
    expect(await runTool("oxfmt", "--check")).toMatchObject({ status: 0 });
  });

  it("pass their tests", async () => {
    const { status, output } = await runTool("vitest", "run", "cmd");
    expect({ status, output }).toMatchObject({ status: 0 });
    expect(output).toMatch(/Tests .*20 passed/u);
  });
});

describe("built kubectl plugins", { timeout: LIVENESS_MS }, () => {
  beforeAll(async () => {
    const { scripts } = JSON.parse(readFileSync(path.join(project.root, "package.json"), "utf8")) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    for (const name of PLUGINS) {
      const [, ...args] = (scripts[`build:kubectl-${name}`] ?? "").split(" ");
      await runSuccessfully(process.execPath, args, { cwd: project.root });
    }
    const config = await environment.start();
    await fill(createClient(config));
    kubeconfig = path.join(project.root, ".kubescaffold", "kubeconfig");
    mkdirSync(path.dirname(kubeconfig), { recursive: true });
    await environment.writeKubeconfig(kubeconfig);
  }, LIVENESS_MS);

  it("are packed with the checksum that the manifest for krew names", () => {
    const dist = path.join(project.root, "dist");
    const archive = readFileSync(path.join(dist, "kubectl-guest_book-v0.0.1.tar.gz"));
    const sha256 = createHash("sha256").update(archive).digest("hex");
    expect(readYaml(readFileSync(path.join(dist, "kubectl-guest-book.krew.yaml"), "utf8"))).toMatchObject({
      kind: "Plugin",
      metadata: { name: "guest-book" },
      spec: { version: "v0.0.1", platforms: [{ sha256, bin: "kubectl-guest_book" }] },
    });
  });

  it("are the same when they are built again", async () => {
    const archive = path.join(project.root, "dist", "kubectl-guest_book-v0.0.1.tar.gz");
    const before = readFileSync(archive);
    await runSuccessfully(process.execPath, ["hack/build-kubectl-plugin.mjs", "guest-book"], { cwd: project.root });
    expect(readFileSync(archive).equals(before)).toBe(true);
  });

  it("are not built under a name that the project does not have", async () => {
    const build = ["hack/build-kubectl-plugin.mjs", "other"];
    expect(await runProgram(process.execPath, build, { cwd: project.root })).toEqual({
      status: 2,
      output: "error: cannot find cmd/kubectl-other\nhint: pass the name of a kubectl plugin of this project",
    });
  });

  it("end quietly when the reader of a pipe ends", async () => {
    const program = path.join(project.root, "dist", "kubectl-guest-book", "kubectl-guest_book");
    const script = `"${program}" list -A -o yaml | head -1; echo "status \${PIPESTATUS[0]}"`;
    const { output } = await runProgram("bash", ["-c", script], { cwd: project.root, env: { KUBECONFIG: kubeconfig } });
    expect(output).toBe("apiVersion: v1\nstatus 0");
  });

  it("run without the project, from any folder", async () => {
    const folder = temporaryFolder();
    cpSync(path.join(project.root, "dist", "kubectl-sites", "kubectl-sites"), path.join(folder, "kubectl-sites"));
    const { status, output } = await runProgram(path.join(folder, "kubectl-sites"), ["list"], {
      cwd: folder,
      env: { KUBECONFIG: kubeconfig },
    });
    expect({ status, output }).toEqual({
      status: 0,
      output: expect.stringMatching(/^NAME +READY +AGE\nmain +<none> +\d+s$/u),
    });
  });
});

describe.skipIf(KREW === undefined)("krew with the packed plugins", { timeout: LIVENESS_MS }, () => {
  it("installs a plugin from its manifest and its archive, which then runs", async () => {
    const root = temporaryFolder();
    const dist = path.join(project.root, "dist");
    // krew takes the name of the plugin from that of the file.
    const manifest = path.join(root, "guest-book.yaml");
    cpSync(path.join(dist, "kubectl-guest-book.krew.yaml"), manifest);
    const args = ["install", `--manifest=${manifest}`, `--archive=${dist}/kubectl-guest_book-v0.0.1.tar.gz`];
    const env = { KREW_ROOT: root, HOME: root, KUBECONFIG: kubeconfig };
    const installed = await runProgram(KREW ?? "", args, { cwd: root, env });
    expect(installed).toEqual({ status: 0, output: expect.stringContaining("Installed plugin: guest-book") });
    const program = path.join(root, "bin", "kubectl-guest_book");
    expect(await runProgram(program, ["list", "-A", "-o", "name"], { cwd: root, env })).toEqual({
      status: 0,
      output: ["a-much-longer-name", "first", "second"].map((name) => `guestbook.webapp.demo/${name}`).join("\n"),
    });
  });

  it("refuses an archive that was changed since", async () => {
    const root = temporaryFolder();
    const manifest = path.join(root, "guest-book.yaml");
    cpSync(path.join(project.root, "dist", "kubectl-guest-book.krew.yaml"), manifest);
    const archive = path.join(root, "changed.tar.gz");
    writeFileSync(archive, "changed");
    const args = ["install", `--manifest=${manifest}`, `--archive=${archive}`];
    const { status, output } = await runProgram(KREW ?? "", args, { cwd: root, env: { KREW_ROOT: root, HOME: root } });
    expect(status).not.toBe(0);
    expect(output).toContain("checksum");
  });
});

describe.skipIf(kubectl === undefined)("kubectl with the plugins", { timeout: LIVENESS_MS }, () => {
  const call = async (line: string): Promise<CalledKubectl> => await callWords(line.split(" "));

  async function callWords(words: readonly string[]): Promise<CalledKubectl> {
    const folders = PLUGINS.map((name) => path.join(project.root, "dist", `kubectl-${name}`));
    const PATH = [...folders, userEnvironment()["PATH"]].join(path.delimiter);
    const env = { KUBECONFIG: kubeconfig, HOME: project.root, PATH };
    const { exitCode, stdout, stderr } = await execa(kubectl ?? "", words, {
      cwd: project.root,
      env: { ...userEnvironment(), ...env },
      extendEnv: false,
      reject: false,
      stripFinalNewline: false,
    });
    return { status: exitCode, stdout, stderr };
  }

  it.each([
    ["list -o json", "get guestbooks -o json"],
    ["list -o yaml", "get guestbooks -o yaml"],
    ["list -A -o json", "get guestbooks -A -o json"],
    ["list -A -o=name", "get guestbooks -A -o=name"],
    ["list -n other -o name", "get guestbooks -n other -o name"],
    ["list -l color=red -o yaml", "get guestbooks -l color=red -o yaml"],
    ["list -l color=green -o json", "get guestbooks -l color=green -o json"],
    ["list -A -o jsonpath={.items[*].metadata.name}", "get guestbooks -A -o jsonpath={.items[*].metadata.name}"],
    [
      "list -A -o jsonpath={range@.items[*]}{.metadata.annotations}{end}",
      "get guestbooks -A -o jsonpath={range@.items[*]}{.metadata.annotations}{end}",
    ],
    [
      "list -A -o custom-columns=NAME:.metadata.name,COLOR:.metadata.labels.color,NONE:.status.none",
      "get guestbooks -A -o custom-columns=NAME:.metadata.name,COLOR:.metadata.labels.color,NONE:.status.none",
    ],
    [
      "list -A --no-headers -o custom-columns=NAME:metadata.name,SPEC:.spec,ALL:.metadata.labels",
      "get guestbooks -A --no-headers -o custom-columns=NAME:metadata.name,SPEC:.spec,ALL:.metadata.labels",
    ],
    ["status second -n other -o yaml", "get guestbook second -n other -o yaml"],
    ["status first -o json", "get guestbook first -o json"],
    ["status gone", "get guestbook gone"],
    ["list -l color=green", "get guestbooks -l color=green"],
    ["list -l color=green -A", "get guestbooks -l color=green -A"],
    ["list -n other -o custom-columns=ALL:..foo", "get guestbooks -n other -o custom-columns=ALL:..foo"],
    ["list -o jsonpath=", "get guestbooks -o jsonpath="],
    ["list -o custom-columns=NAME", "get guestbooks -o custom-columns=NAME"],
    ["list --context gone", "get guestbooks --context gone"],
    ["list --cluster gone", "get guestbooks --cluster gone"],
    ["list --user gone", "get guestbooks --user gone"],
    ["list --as nobody --as-group team", "get guestbooks --as nobody --as-group team"],
    ["list --as-group team", "get guestbooks --as-group team"],
    ["list --token wrong --as nobody", "get guestbooks --token wrong --as nobody"],
    ["list --insecure-skip-tls-verify -o name", "get guestbooks --insecure-skip-tls-verify -o name"],
    ["list --wrong", "get guestbooks --wrong"],
    ["list -x", "get guestbooks -x"],
    ["list --namespace", "get guestbooks --namespace"],
    ["list -n", "get guestbooks -n"],
  ])("prints for %s what kubectl prints for %s", async (line, own) => {
    const { stderr, ...expected } = await call(own);
    const usage = stderr.replace("'kubectl get --help'", "'kubectl guest-book list --help'");
    expect(await call(`guest-book ${line}`)).toEqual({ ...expected, stderr: usage });
  });

  it.each([
    [["guest-book", ""], ["list\tList objects of the kind Guestbook", "status\tPrint the conditions of an object"], 4],
    [["guest-book", "status", ""], ["a-much-longer-name", "first"], 4],
    [["guest-book", "status", "-n", "other", ""], ["second"], 4],
    [["guest-book", "list", "-n", "oth"], ["other"], 4],
    [["guest-book", "list", "-o", "j"], ["json", "jsonpath="], 6],
    [["sites", "status", "m"], ["main"], 4],
    [["deployments", "status", ""], [], 4],
  ])("completes %j through kubectl", async (words, candidates, directive) => {
    const { status, stdout } = await callWords(["__complete", ...words]);
    expect(status).toBe(0);
    expect(stdout.split("\n")).toEqual([...candidates, `:${String(directive)}`, ""]);
  });

  it("prints the help of the plugin", async () => {
    const { status, stdout } = await call("guest-book --help");
    expect(status).toBe(0);
    expect(stdout).toContain("Usage: kubectl guest-book [options] [command]");
    expect((await call("guest-book list -h")).stdout).toContain("kubectl guest-book list -A -o yaml");
  });

  it("has no command that names of plugins may have", async () => {
    const { stdout } = await callWords(["__complete", ""]);
    const commands = stdout.split("\n").map((line) => line.split("\t", 1)[0] ?? "");
    const own = commands.filter((name) => /^[a-z-]+$/u.test(name) && !PLUGINS.includes(name));
    expect(own.length).toBeGreaterThan(30);
    expect(own.filter((name) => !KUBECTL_COMMANDS.has(name))).toEqual([]);
  });
});
