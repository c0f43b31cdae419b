import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { CREATE_API, INIT, runCommands } from "../support/run-command.ts";
import { type ProgramResult, runProgram } from "../support/run-program.ts";
import { readFiles, temporaryFolder } from "../support/temporary-folder.ts";

const NODE_MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));

const BUILT = `apiVersion: v1
kind: Namespace
metadata:
  name: guestbook-system
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  labels:
    app.kubernetes.io/name: guestbook
  name: guestbooks.webapp.demo
---
apiVersion: apps/v1
kind: Deployment
metadata:
  labels:
    control-plane: controller-manager
  name: guestbook-controller-manager
spec:
  template:
    spec:
      containers:
      - name: manager
        image: controller:latest
`;

// Answers `kustomize` with the manifests above, or those given, and records what it is to send to a cluster. In a cluster that is STUCK
// CRDs are not deleted in time; one that is DOWN does not answer.
const KUBECTL = `#!/usr/bin/env node
const { appendFileSync, readFileSync } = require("node:fs");
const args = process.argv.slice(2);
const { BUILT, CALLS, DOWN, STUCK } = process.env;
if (args[0] === "kustomize") process.stdout.write(BUILT ?? ${JSON.stringify(BUILT)});
else if (args[0] === "get") {
  if (STUCK) console.log(args[1] === "crd" ? "crd/" + args[2] : "default   stuck   5m");
} else {
  const input = readFileSync(0, "utf8");
  appendFileSync(CALLS, args.join(" ") + "\\n" + input);
  process.exitCode = DOWN || (STUCK && input.includes("kind: CustomResourceDefinition")) ? 1 : 0;
  if (DOWN) console.error("the connection was refused");
}
`;

interface Deployment {
  readonly root: string;
  readonly run: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<ProgramResult>;
  /** What kubectl was asked to send since the last time. */
  readonly sent: () => string;
}

async function project(...lines: readonly string[]): Promise<Deployment> {
  const tools = temporaryFolder({ kubectl: KUBECTL });
  const kubectl = path.join(tools, "kubectl");
  chmodSync(kubectl, 0o755);
  const calls = path.join(tools, "calls");
  const root = temporaryFolder();
  await runCommands(root, INIT, ...lines);
  symlinkSync(NODE_MODULES, path.join(root, "node_modules"));
  return {
    root,
    run: async (args, env = {}) =>
      await runProgram(process.execPath, ["hack/deploy.mjs", ...args], {
        cwd: root,
        env: { KUBECTL: kubectl, CALLS: calls, ...env },
      }),
    sent: () => {
      const text = existsSync(calls) ? readFileSync(calls, "utf8") : "";
      rmSync(calls, { force: true });
      return text;
    },
  };
}

describe("scenario 59: install and undeploy", () => {
  it.each(["install", "uninstall"])("%s says before there is an API that there is nothing to do", async (command) => {
    const { run, sent } = await project();
    const { status, output } = await run([command]);
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining("no CRDs") });
    expect(sent()).toBe("");
  });

  it.each([[[]], [["--keep-crds"]]])(
    "undeploy keeps CRDs, the objects of theirs and the namespace, and says so: %j",
    async (flags) => {
      const { run, sent } = await project(CREATE_API);
      const { status, output } = await run(["undeploy", ...flags, "--ignore-not-found"]);
      expect({ status, output }).toEqual({
        status: 0,
        output: expect.stringContaining(
          "kept, with what is in them: namespace guestbook-system, guestbooks.webapp.demo\n",
        ),
      });
      expect(output).not.toContain("stored version only");
      const deleted = sent();
      expect(deleted).toContain("delete --ignore-not-found=true -f -\n");
      expect(deleted.match(/^kind: .*$/gmu)).toEqual(["kind: Deployment"]);
    },
  );

  it("undeploy says nothing of what it has kept when the server does not answer", async () => {
    const { run } = await project(CREATE_API);
    expect(await run(["undeploy"], { DOWN: "true" })).toEqual({ status: 1, output: "the connection was refused" });
  });

  it("undeploy says that versions are not converted while the operator is away", async () => {
    const { run } = await project(CREATE_API);
    const converting = BUILT.replace("demo\n---", "demo\nspec:\n  conversion:\n    strategy: Webhook\n---");
    const { status, output } = await run(["undeploy"], { BUILT: converting });
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining("stored version only") });
  });

  it("undeploy deletes CRDs when it is told to, first of all, while the manager can run its finalizers", async () => {
    const { run, sent } = await project(CREATE_API);
    expect(await run(["undeploy", "--delete-crds", "--timeout=90s"])).toMatchObject({ status: 0 });
    expect(sent().match(/^(?:kind: |delete ).*$/gmu)).toEqual([
      "delete --ignore-not-found=false --timeout=90s -f -",
      "kind: CustomResourceDefinition",
      "delete --ignore-not-found=false -f -",
      "kind: Namespace",
      "kind: Deployment",
    ]);
  });

  it("undeploy leaves the manager running when objects do not go in time, and names them", async () => {
    const { run, sent } = await project(CREATE_API);
    const { status, output } = await run(["undeploy", "--delete-crds"], { STUCK: "true" });
    expect(status).toBe(1);
    expect(output).toContain("not deleted within 2m; the manager was left running:\n  guestbooks.webapp.demo\n");
    expect(output).toContain("    default   stuck   5m\n");
    expect(sent().match(/^kind: .*$/gmu)).toEqual(["kind: CustomResourceDefinition"]);
  });

  it.each([
    [["undeploy", "--delete-crd"], "unknown flag: --delete-crd"],
    [["undeploy", "--timeout=soon"], "--timeout needs a duration"],
    [["destroy"], "unknown command: destroy"],
  ])("%j is refused before anything happens", async (args, message) => {
    const { run, sent } = await project();
    expect(await run(args)).toEqual({ status: 2, output: expect.stringContaining(message) });
    expect(sent()).toBe("");
  });
});

describe("scenario 60: an image by its digest", () => {
  const IMAGE = `reg:5000/x@sha256:${"ab".repeat(32)}`;

  it("is the Deployment's, letter by letter, and no file of the project changes", async () => {
    const { root, run, sent } = await project(CREATE_API);
    const before = readFiles(root);
    expect(await run(["deploy"], { IMG: IMAGE })).toMatchObject({ status: 0 });
    expect(sent()).toBe(`apply --server-side --force-conflicts -f -\n${BUILT.replace("controller:latest", IMAGE)}`);
    expect(readFiles(root)).toEqual(before);
  });

  it("is set whatever image the files of the project name, and stays what they name when none is given", async () => {
    const { run, sent } = await project(CREATE_API);
    const own = BUILT.replace("controller:latest", "reg.io/foo:v1");
    expect(await run(["deploy"], { BUILT: own, IMG: IMAGE })).toMatchObject({ status: 0 });
    expect(sent()).toContain(`        image: ${IMAGE}\n`);
    expect(await run(["deploy"], { BUILT: own })).toMatchObject({ status: 0 });
    expect(sent()).toContain("        image: reg.io/foo:v1\n");
  });

  it.each([
    ["", BUILT, 2, 'IMG="" names no image'],
    ["a b", BUILT, 2, 'IMG="a b" names no image'],
    [IMAGE, BUILT.replace("control-plane: controller-manager", "app: other"), 1, "cannot set the image IMG"],
  ])("IMG=%j that cannot be set is an error, and nothing is deployed", async (IMG, built, status, message) => {
    const { root, run, sent } = await project(CREATE_API);
    for (const command of ["deploy", "build-installer"]) {
      expect(await run([command], { IMG, BUILT: built })).toEqual({ status, output: expect.stringContaining(message) });
    }
    expect(sent()).toBe("");
    expect(existsSync(path.join(root, "dist/install.yaml"))).toBe(false);
  });

  it("needs kubectl, and says so in one line", async () => {
    const { run } = await project(CREATE_API);
    expect(await run(["deploy"], { KUBECTL: "no-such-kubectl" })).toEqual({
      status: 1,
      output: "cannot run no-such-kubectl: there is no such program; install kubectl, or name it with KUBECTL",
    });
  });
});
