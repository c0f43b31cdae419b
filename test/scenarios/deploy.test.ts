import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";

import { describe, expect, it, onTestFinished, vi } from "vitest";

import { CREATE_API, INIT, runCommand, runCommands } from "../support/run-command.ts";
import { readFiles, temporaryFolder } from "../support/temporary-folder.ts";

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
// CRDs are not deleted in time; one that is DOWN does not answer; one that is UNREACHABLE cannot be connected to. BROKEN makes every call fail.
const KUBECTL = `#!/usr/bin/env node
const { appendFileSync, readFileSync } = require("node:fs");
const args = process.argv.slice(2);
const { BROKEN, BUILT, CALLS, CONTEXT, DOWN, STUCK, UNREACHABLE } = process.env;
if (BROKEN) {
  console.error("no such resource");
  process.exitCode = 1;
} else if (args[0] === "kustomize") process.stdout.write(BUILT ?? ${JSON.stringify(BUILT)});
else if (args[0] === "config") {
  if (CONTEXT) console.log(CONTEXT);
  else process.exitCode = 1;
} else if (args[1] === "--raw" && UNREACHABLE) {
  console.error(UNREACHABLE);
  process.exitCode = 1;
} else if (args[0] === "get") {
  if (STUCK) console.log(args[1] === "crd" ? "crd/" + args[2] : "default   stuck   5m");
} else {
  const input = readFileSync(0, "utf8");
  appendFileSync(CALLS, args.join(" ") + "\\n" + input);
  process.exitCode = DOWN || (STUCK && input.includes("kind: CustomResourceDefinition")) ? 1 : 0;
  if (DOWN) console.error("the connection was refused");
}
`;

interface Outcome {
  readonly status: number;
  readonly output: string;
}

interface Deployment {
  readonly root: string;
  readonly run: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Outcome>;
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
  onTestFinished(() => void vi.unstubAllEnvs());
  return {
    root,
    run: async (args, env = {}) => {
      vi.unstubAllEnvs();
      for (const [name, value] of Object.entries({ KUBECTL: kubectl, CALLS: calls, IMG: undefined, ...env }))
        vi.stubEnv(name, value);
      const { status, stdout, stderr } = await runCommand(root, args.join(" "));
      return { status, output: stdout + stderr };
    },
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
          "kept, with all contents: namespace guestbook-system, guestbooks.webapp.demo\n",
        ),
      });
      expect(output).not.toContain("stored version only");
      const deleted = sent();
      expect(deleted).toContain("delete --ignore-not-found=true -f -\n");
      expect(deleted.match(/^kind: .*$/gmu)).toEqual(["kind: Deployment"]);
    },
  );

  const ATTEMPT = 'E1127 17:49:41.6 25449 memcache.go:265] "Unhandled Error" err="connection refused"\n';
  const REFUSED = "The connection to the server localhost:8080 was refused - did you specify the right host or port?";

  it.each(["install", "deploy", "uninstall", "undeploy", "undeploy --delete-crds"])(
    "%s names the cluster that it cannot reach, and why",
    async (command) => {
      const { run, sent } = await project(CREATE_API);
      expect(
        await run(command.split(" "), {
          UNREACHABLE: `${ATTEMPT}Unable to connect to the server: dial tcp: lookup gone.example.com: no such host`,
          CONTEXT: "kind-gone\nhttps://gone.example.com:6443",
        }),
      ).toEqual({
        status: 1,
        output: `error: cannot reach the cluster of the context kind-gone, https://gone.example.com:6443: dial tcp: lookup gone.example.com: no such host [CLI_CLUSTER_UNREACHABLE]
hint: start the cluster, or select another one with KUBECONFIG or \`kubectl config use-context\`; the cluster was not changed
`,
      });
      expect(await run(command.split(" "), { UNREACHABLE: `${ATTEMPT}${REFUSED}` })).toEqual({
        status: 1,
        output: `error: cannot reach a cluster: no kubeconfig selects one (${REFUSED}) [CLI_CLUSTER_UNREACHABLE]
hint: set KUBECONFIG, or select a context with \`kubectl config use-context\`; the cluster was not changed
`,
      });
      expect(sent()).toBe("");
    },
  );

  it("a cluster that denies the probe is reached", async () => {
    const { run, sent } = await project(CREATE_API);
    const { status } = await run(["deploy"], { UNREACHABLE: "Error from server (Forbidden): forbidden" });
    expect(status).toBe(0);
    expect(sent()).toContain("apply --server-side");
  });

  it("undeploy says nothing of what it has kept when the server does not answer", async () => {
    const { run } = await project(CREATE_API);
    expect(await run(["undeploy"], { DOWN: "true" })).toEqual({ status: 1, output: "the connection was refused\n" });
  });

  it("undeploy says that versions are not converted while the operator is away", async () => {
    const { run } = await project(CREATE_API);
    const converting = BUILT.replace("demo\n---", "demo\nspec:\n  conversion:\n    strategy: Webhook\n---");
    const { status, output } = await run(["undeploy"], { BUILT: converting });
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining("stored version only") });
  });

  it("undeploy deletes CRDs first when requested, while the manager can run its finalizers", async () => {
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
    expect(output).toContain("not deleted within 2m; the manager is still running:\n  guestbooks.webapp.demo\n");
    expect(output).toContain("    default   stuck   5m\n");
    expect(sent().match(/^kind: .*$/gmu)).toEqual(["kind: CustomResourceDefinition"]);
  });

  it.each([
    [["undeploy", "--delete-crd"], 2, "unknown flag: --delete-crd"],
    [["undeploy", "--timeout=soon"], 1, 'invalid value "soon" for flag --timeout: not a duration'],
    [["undeploy", "--timeout=5"], 1, 'invalid value "5" for flag --timeout'],
    [["undeploy", `--timeout=${"1".repeat(10_000)}`], 1, "for flag --timeout: not a duration"],
    [["destroy"], 2, 'unknown command "destroy"'],
    [["deploy", "--image="], 1, 'invalid value "" for flag --image'],
  ])("%j is refused before anything happens", async (args, status, message) => {
    const { run, sent } = await project();
    expect(await run(args)).toEqual({ status, output: expect.stringContaining(message) });
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
    ["", BUILT, 1, 'invalid value "" of IMG: not the name of an image'],
    ["a b", BUILT, 1, 'invalid value "a b" of IMG: not the name of an image'],
    [IMAGE, BUILT.replace("control-plane: controller-manager", "app: other"), 1, "cannot set the image of the manager"],
  ])("IMG=%j that cannot be set is an error, and nothing is deployed", async (IMG, built, status, message) => {
    const { root, run, sent } = await project(CREATE_API);
    for (const command of ["deploy", "build-installer"]) {
      expect(await run([command], { IMG, BUILT: built })).toEqual({ status, output: expect.stringContaining(message) });
    }
    expect(sent()).toBe("");
    expect(existsSync(path.join(root, "dist/install.yaml"))).toBe(false);
  });

  it("needs kubectl, and tells how to install or name it", async () => {
    const { run } = await project(CREATE_API);
    expect(await run(["deploy"], { KUBECTL: "no-such-kubectl" })).toEqual({
      status: 1,
      output:
        "error: cannot run no-such-kubectl: no such program [CLI_PROGRAM_NOT_FOUND]\n" +
        "hint: install kubectl, or pass its path with --kubectl or KUBECTL\n",
    });
  });
});

describe("the commands that deploy", () => {
  it("take flags in place of variables", async () => {
    const { run, sent } = await project(CREATE_API);
    expect(await run(["deploy", "--image=reg.io/flag:v2"], { IMG: "reg.io/variable:v1" })).toMatchObject({ status: 0 });
    expect(sent()).toContain("        image: reg.io/flag:v2\n");
    expect(await run(["deploy", "--kubectl", "no-such-kubectl"])).toMatchObject({ status: 1 });
    expect(sent()).toBe("");
  });

  it.each([
    ["install", "would apply:\n  Namespace guestbook-system\n"],
    ["uninstall", "would delete:\n  Namespace guestbook-system\n"],
    ["deploy", "would apply:\n  Namespace guestbook-system\n  CustomResourceDefinition guestbooks.webapp.demo\n"],
    ["undeploy", "would delete:\n  Deployment guestbook-controller-manager\nwould keep, with all contents: namespace"],
    ["undeploy --delete-crds", "would delete:\n  CustomResourceDefinition guestbooks.webapp.demo\nwould delete:\n"],
    ["build-installer", "would write to dist/install.yaml:\n  Namespace guestbook-system\n"],
  ])("%s --dry-run lists objects, and changes neither the cluster nor a file", async (command, listed) => {
    const { root, run, sent } = await project(CREATE_API);
    const before = readFiles(root);
    const { status, output } = await run([...command.split(" "), "--dry-run"]);
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining(listed) });
    expect(sent()).toBe("");
    expect(readFiles(root)).toEqual(before);
  });

  it.each(["install", "uninstall", "deploy", "undeploy", "build-installer"])(
    "%s reports a failure of kustomize and sends nothing",
    async (command) => {
      const { root, run, sent } = await project(CREATE_API);
      const { status, output } = await run([command], { BROKEN: "true" });
      expect({ status, output }).toEqual({
        status: 1,
        output: expect.stringMatching(
          /^no such resource\nerror: \S+kubectl kustomize config\/\w+ exited with status 1 /u,
        ),
      });
      expect(sent()).toBe("");
      expect(existsSync(path.join(root, "dist"))).toBe(false);
    },
  );

  it("build-installer writes the manifests and leaves no other file", async () => {
    const { root, run } = await project(CREATE_API);
    expect(await run(["build-installer"], { IMG: "reg.io/x:v1" })).toEqual({
      status: 0,
      output: "dist/install.yaml\n",
    });
    const written = Object.entries(readFiles(root)).filter(([file]) => file.startsWith("dist/"));
    expect(written).toEqual([["dist/install.yaml", BUILT.replace("controller:latest", "reg.io/x:v1")]]);
  });

  it.each(["build-installer", "docker-context"])(
    "%s writes nothing where dist leads out of the project",
    async (command) => {
      const { root, run } = await project(CREATE_API);
      const outside = temporaryFolder({ "docker-context/mine": "kept", "install.yaml": "kept" });
      symlinkSync(outside, path.join(root, "dist"));
      const { status, output } = await run([command]);
      expect({ status, output }).toEqual({ status: 1, output: expect.stringContaining("[SCAFFOLD_SYMBOLIC_LINK]") });
      expect(readFiles(outside)).toEqual({ "docker-context/mine": "kept", "install.yaml": "kept" });
    },
  );

  it.each(["install", "deploy", "docker-build", "debug", "run", "setup-test-e2e"])(
    "%s needs a project",
    async (command) => {
      const { status, stderr } = await runCommand(temporaryFolder(), command);
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("[PROJECT_NOT_FOUND]") });
    },
  );
});
