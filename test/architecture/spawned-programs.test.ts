import { readFileSync } from "node:fs";
import path from "node:path";

import { ts } from "ts-morph";
import { describe, expect, it } from "vitest";

import { importsOf, listSources, readSource, ROOT } from "./source-files.ts";

// All modules that start programs, and why nothing secret is in the arguments and variables, which other users and programs can read.
const STARTING: Readonly<Record<string, string>> = {
  "packages/envtest/src/control-plane/managed-process.ts": "files with tokens and keys; addresses and names",
  "packages/envtest/src/kube-apiserver/local-commands.ts":
    "the words of the user's file; arguments and variables of a Pod that this file allows; its name and namespace",
  "packages/envtest/src/verify/operator-process.ts":
    "the command of the user; variables that hold no credentials, the path of the kubeconfig, and those that the user passes on",
  "packages/runtime/src/rest/exec-credential.ts":
    "the arguments of the kubeconfig; KUBERNETES_EXEC_INFO has the address and the authority of the cluster, as the protocol demands",
  "src/cli/commands/deploy/require-cluster.ts": "kubectl: the context",
  "src/cli/commands/debug/run-debug.ts": "kubectl: names of Pods",
  "src/cli/commands/deploy/run-deploy.ts":
    "kubectl: names and folders; manifests, which may contain Secrets, on standard input",
  "src/cli/commands/dev/manager-process.ts": "the manager: the path of the kubeconfig",
  "src/cli/commands/dev/type-checker.ts": "the compiler: files",
  "src/cli/commands/docker/docker-context.ts": "npm: folders",
  "src/cli/commands/docker/run-docker.ts": "a container engine: images; and the arguments that the user wrote after --",
  "src/cli/commands/image/build-manager.ts": "the build of the project, without the password of the signing key",
  "src/cli/commands/image/registry-access.ts": "a credential helper: the registry on standard input",
  "src/cli/commands/import-project/check-imported.ts": "the compiler and the test runner: files and flags",
  "src/cli/commands/k8s-docs/cluster-descriptions.ts": "kubectl: paths",
  "src/cli/commands/k8s-docs/go-descriptions.ts": "go: modules",
  "src/cli/commands/k8s-docs/package-descriptions.ts": "npm: packages",
  "src/cli/commands/rehearse/former-version.ts": "npm: flags",
  "src/cli/commands/run/run.ts": "the manager: the arguments that the user wrote after --",
  "src/cli/commands/test-e2e/install-kind.ts": "kind: version",
  "src/cli/commands/test-e2e/run-test-e2e.ts":
    "kind and the tests: the name of the cluster and the path of the kubeconfig",
  "src/cli/programs/install-packages.ts": "npm: flags",
  "src/cli/programs/open-in-browser.ts": "a browser: the path of a private file that leads to the secret address",
  "src/cli/programs/run-program.ts": "the arguments of its callers",
  "src/git/git.ts": "git: revisions, remotes by name, and paths; texts on standard input",
  "src/plugin/external/call-plugin.ts": "a plugin: no arguments; the project on standard input",
  "src/upgrade/former-program.ts": "npm: versions and folders",
  "src/upgrade/github-issue.ts": "gh: titles; texts on standard input",
};

const LIBRARIES = new Set(["execa", "node:child_process"]);
const RUNNER = /(?:^|\/)run-program\.ts$/u;
const STARTERS =
  /^(?:execa|exec|execSync|execFile|execFileSync|fork|spawn|spawnSync|start|startProcess|run|gh|runGit|runProgram|requireProgram|readProgram|readOutput|succeeds)$/u;
const GENERATED_STARTERS = /^(?:kubectl|run|npmRun|execFileSync|spawn|spawnSync)$/u;
const SECRET = /token|secret|password|credential|cookie|authorization|bearer|address$/iu;

describe("programs that are started", () => {
  const starting = listSources().filter((file) =>
    importsOf(file).some((imported) => LIBRARIES.has(imported) || (RUNNER.test(imported) && startsPrograms(file))),
  );

  it("are started by the modules of this table, which were reviewed for secrets", () => {
    expect(starting.toSorted()).toEqual(Object.keys(STARTING).toSorted());
  });

  it("get nothing secret in arguments or variables", () => {
    expect(starting.flatMap((file) => secretsIn(file, readSource(file)))).toEqual([]);
  });

  it.each(["multi-group", "single-group", "with-plugins"])(
    "get nothing secret in arguments from the generated test of the project %s",
    (project) => {
      const file = `test/golden/projects/${project}/project/test/e2e/e2e.test.ts.golden`;
      const names = secretsIn(file, readFileSync(path.join(ROOT, file), "utf8"), GENERATED_STARTERS);
      expect(names.filter((name) => !name.endsWith("_FILE"))).toEqual([]);
    },
  );

  it("are found in generated tests", () => {
    const source = 'kubectl("run", curlPod(`curl -H "Authorization: Bearer ${token}"`), TOKEN_FILE);';
    expect(secretsIn("a.ts", source, GENERATED_STARTERS)).toEqual(["a.ts:1 token", "a.ts:1 TOKEN_FILE"]);
  });

  it.each([
    ['await execa("xdg-open", [`http://host/?token=${token}`]);', ["a.ts:1 token"]],
    ['void runProgram(kubectl, ["--token", user.token], { invocation });', ["a.ts:1 --token", "a.ts:1 token"]],
    ['spawn("curl", ["-H", "Authorization: x"]);', ["a.ts:1 Authorization: x"]],
    ['spawnSync("cosign", [], { env: { COSIGN_PASSWORD: given } });', ["a.ts:1 COSIGN_PASSWORD"]],
    ['await execa("git", ["push"], { input: token });', []],
    ['const execution = start("git", words);', []],
  ])("are found in %s", (source, found) => {
    expect(secretsIn("a.ts", source)).toEqual(found);
  });
});

function startsPrograms(file: string): boolean {
  return callsIn(parse(file, readSource(file))).length > 0;
}

function secretsIn(file: string, source: string, starters = STARTERS): readonly string[] {
  const parsed = parse(file, source);
  return callsIn(parsed, starters).flatMap((call) =>
    call.arguments
      .flatMap((argument) => namesIn(argument))
      .filter((name) => SECRET.test(name))
      .map((name) => `${file}:${String(parsed.getLineAndCharacterOfPosition(call.getStart(parsed)).line + 1)} ${name}`),
  );
}

function parse(file: string, source: string): ts.SourceFile {
  return ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
}

function callsIn(file: ts.SourceFile, starters = STARTERS): readonly ts.CallExpression[] {
  const found: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && starters.test(node.expression.text)) {
      found.push(node);
    }
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

// Standard input is private; callbacks run later.
function namesIn(node: ts.Node): readonly string[] {
  if (ts.isPropertyAssignment(node) && node.name.getText() === "input") return [];
  if (ts.isArrowFunction(node)) return [];
  if (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) return [node.text];
  const names: string[] = [];
  node.forEachChild((child) => void names.push(...namesIn(child)));
  return names;
}
