import { chmodSync, existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { CREATE_API, INIT, runCommands } from "../support/run-command.ts";
import { type ProgramResult, runProgram } from "../support/run-program.ts";
import { readFiles, temporaryFolder } from "../support/temporary-folder.ts";

const BUILT = `apiVersion: v1
kind: Namespace
metadata:
  name: guestbook-system
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: guestbooks.webapp.demo
---
apiVersion: apps/v1
kind: Deployment
spec:
  template:
    spec:
      containers:
      - name: manager
        image: controller:latest
`;

// Answers `kustomize` with the manifests above, and records what it is to send to a cluster.
const KUBECTL = `#!/usr/bin/env node
const { appendFileSync, readFileSync } = require("node:fs");
const args = process.argv.slice(2);
if (args[0] === "kustomize") process.stdout.write(${JSON.stringify(BUILT)});
else appendFileSync(process.env.CALLS, args.join(" ") + "\\n" + readFileSync(0, "utf8"));
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

  it("undeploy keeps CRDs and the objects of theirs when it is told to", async () => {
    const { run, sent } = await project(CREATE_API);
    expect(await run(["undeploy", "--keep-crds", "--ignore-not-found"])).toMatchObject({ status: 0 });
    const kept = sent();
    expect(kept).toContain("delete --ignore-not-found=true -f -\n");
    expect(kept.match(/^kind: .*$/gmu)).toEqual(["kind: Deployment"]);
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
});
