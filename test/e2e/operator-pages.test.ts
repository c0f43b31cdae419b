import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";

import { Service } from "@kubescaffold/k8s/core/v1";
import { readYamlDocuments } from "@kubescaffold/k8s/yaml";
/** The kubectl commands of pages about a manager in a cluster, run against the manager of the guestbook in an embedded cluster. */
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { readSource } from "../architecture/source-files.ts";
import { ShellProcess } from "../journeys/shell-process.ts";
import { userEnvironment } from "../support/run-program.ts";
import { addManagerOption, type DeployedOperator, deployOperator } from "./deployed-operator.ts";
import { stepsOf } from "./docs-code/tutorial-steps.ts";
import { eventually } from "./eventually.ts";
import { findKubectl } from "./kubectl.ts";
import { copyExample, type ProjectCopy } from "./project-copy.ts";

const LIVENESS_MS = 300_000;
const KUBECTL = findKubectl();
// What a command of a page prints; those that run until they are interrupted have printed it then.
const PAGES: Readonly<Record<string, readonly (readonly [command: RegExp, prints: RegExp])[]>> = {
  "docs/concepts/conditions.md": [[/^kubectl wait /u, /^guestbook\.webapp\.demo\/sample condition met$/u]],
  "docs/concepts/leader-election.md": [[/^kubectl .* get lease /u, /^\S+_[0-9a-f-]{36}$/u]],
  "docs/guides/debugging.md": [
    [/ logs /u, /starting workers/u],
    [/--show-managed-fields/u, /managedFields:/u],
    [/ custom-columns=/u, /^VERSION +GENERATION\n\d+ +1/u],
    [/ can-i --list /u, /deployments\.apps +\[\] +\[\] +\[[a-z ]*create/u],
    [/ can-i create /u, /^yes$/u],
  ],
  "docs/guides/webhooks-for-built-in-kinds.md": [[/^kubectl label namespace /u, /^namespace\/team-a labeled$/u]],
  "docs/concepts/finalizers.md": [
    [/^kubectl get /u, /^\d{4}-\S+Z \["webapp\.demo\/guestbook"\]$/u],
    [/^kubectl delete mutating/u, /deleted/u],
    [/^kubectl delete validating/u, /deleted/u],
    [/^kubectl patch /u, /patched/u],
  ],
};
const ENDLESS = / (?:-f|-w)(?: |$)/u;

describe.skipIf(KUBECTL === undefined)("pages about a manager in a cluster", { timeout: LIVENESS_MS }, () => {
  let project: ProjectCopy;
  let operator: DeployedOperator;
  let env: Readonly<Record<string, string>>;

  beforeAll(async () => {
    project = copyExample();
    // As docs/reference/observability.md says, at any free port, which leads to port 6060 of the Pod.
    addManagerOption(project.root, 'pprofBindAddress: "127.0.0.1:0"');
    operator = await deployOperator(project.root, { replicas: 1 });
    const PATH = [path.dirname(KUBECTL ?? ""), process.env["PATH"] ?? ""].join(path.delimiter);
    env = { ...userEnvironment(), PATH, KUBECONFIG: operator.kubeconfig, HOME: project.root };
    await shell("kubectl create namespace team-a");
    const sample = "sed 's/guestbook-sample/sample/' config/samples/webapp_v1_guestbook.yaml | kubectl apply -f -";
    // Until the webhooks are served.
    await eventually(
      async () => ((await run(sample)).failed ? undefined : true),
      () => sample,
    );
  }, LIVENESS_MS);

  afterAll(async () => {
    await operator.stop();
    project.remove();
  }, LIVENESS_MS);

  async function run(line: string): Promise<{ readonly failed: boolean; readonly output: string }> {
    const { failed, stdout, stderr } = await execa("bash", ["-c", line], { cwd: project.root, env, reject: false });
    return { failed, output: failed ? `${line}: ${stderr}` : stdout };
  }

  async function shell(line: string): Promise<string> {
    const { failed, output } = await run(line);
    if (failed) throw new Error(output);
    return output;
  }

  async function printedBy(line: string, prints: RegExp): Promise<string> {
    const endless = new ShellProcess(line, { cwd: project.root, env });
    try {
      await endless.waitFor(prints);
      return endless.output;
    } finally {
      await endless.interrupt();
    }
  }

  it("docs/guides/metrics.md has commands that print the metrics", async () => {
    const file = path.join(project.root, "config", "default", "metrics_service.yaml");
    const [service] = readYamlDocuments(readFileSync(file, "utf8"), { file }) as readonly Service[];
    const metadata = {
      ...service?.metadata,
      namespace: "guestbook-system",
      name: "guestbook-controller-manager-metrics-service",
    };
    await operator.client.create(Service.create({ ...service, metadata }));
    const [last = "", ...others] = stepsOf(readSource("docs/guides/metrics.md"))
      .flatMap((step) => (step.kind === "command" ? [step.line] : []))
      .slice(0, 4)
      .toReversed();
    const wait =
      "for attempt in $(seq 300); do (echo > /dev/tcp/localhost/8443) 2> /dev/null && break; sleep 0.1; done";
    const script = [...others.toReversed(), wait];
    expect(await shell([...script, last, "kill %1"].join("\n"))).toContain("controller_runtime_reconcile_total");
  });

  it("docs/reference/observability.md has commands that write a profile", async () => {
    const [forward = "", profile = ""] = stepsOf(readSource("docs/reference/observability.md"))
      .flatMap((step) => (step.kind === "command" ? [step.line] : []))
      .slice(-2);
    const forwarding = new ShellProcess(forward, { cwd: project.root, env });
    try {
      await forwarding.waitFor(/Forwarding from/u);
      await shell(profile.replace("seconds=30", "seconds=1"));
    } finally {
      await forwarding.interrupt();
    }
    const [file = ""] = readdirSync(project.root).filter((name) => name.endsWith(".cpuprofile"));
    const { nodes } = JSON.parse(readFileSync(path.join(project.root, file), "utf8")) as { readonly nodes: unknown[] };
    expect(nodes.length).toBeGreaterThan(1);
  });

  it.each(Object.entries(PAGES))("%s has commands that print what they promise", async (page, promises) => {
    // A controller that is gone cannot remove its finalizer.
    if (page.endsWith("finalizers.md")) {
      await shell("kubectl -n guestbook-system scale deployment guestbook-controller-manager --replicas=0");
      await shell("kubectl -n guestbook-system wait pod --all --for=delete --timeout=60s");
      await shell("kubectl delete guestbook sample --wait=false");
    }
    const lines = stepsOf(readSource(page))
      .flatMap((step) => (step.kind === "command" ? [step.line] : []))
      .filter((line) => line.startsWith("kubectl "));
    expect(lines.map((line) => promises.filter(([command]) => command.test(line)).length)).toEqual(
      promises.map(() => 1),
    );
    for (const line of lines) {
      const [, prints = /^$/u] = promises.find(([command]) => command.test(line)) ?? [];
      // Kustomize adds the prefix, which a development cluster does without.
      const typed = line.replace(/guestbook-(?=(?:mutating|validating)-)/u, "");
      expect(await (ENDLESS.test(typed) ? printedBy(typed, prints) : shell(typed))).toMatch(prints);
    }
  });
});
