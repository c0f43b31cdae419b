import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

import { ClusterRoleBinding } from "@kubescaffold/k8s/rbac/v1";
import { createClient, type LiveClient } from "@kubescaffold/runtime";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import type { DashboardMessage } from "../../packages/dashboard/src/server/contract/protocol.ts";
import { openPage } from "../../packages/dashboard/test/server/support/served-page.ts";
import { DashboardProcess } from "../e2e/dashboard-process.ts";
import { PROGRAM } from "../e2e/project-copy.ts";
import { userEnvironment } from "../support/run-program.ts";
import { exampleProject } from "./example-project.ts";
import { readyManagers } from "./manager-pods.ts";
import { CLUSTER, kubectl, nodeCluster, type NodeProject } from "./node-project.ts";

const LIVENESS_MS = 400_000;
const NAMESPACE = "guestbook-system";
const IMAGE = "example.com/guestbook:tools";
const PORT = 9229;

describe.skipIf(CLUSTER === undefined)("commands for a manager on a real node", { timeout: LIVENESS_MS }, () => {
  let project: NodeProject;
  let client: LiveClient;

  beforeAll(async () => {
    client = createClient(nodeCluster().config);
    project = await exampleProject("guestbook", IMAGE);
    await project.scaffold(`deploy --image ${IMAGE}`);
    await readyManagers(client, NAMESPACE, 1);
    await kubectl("apply", "--kustomize", `${project.root}/config/samples`);
    await kubectl("wait", "--for=condition=Available", "guestbook/guestbook-sample", "--timeout=120s");
  }, LIVENESS_MS);

  afterAll(async () => {
    await project?.scaffold("undeploy --delete-crds");
    project?.remove();
  }, LIVENESS_MS);

  it("`scaffold debug` opens the inspector of the manager, which goes on", async () => {
    const { kubeconfig, kubectl: program } = nodeCluster();
    const child = spawn(process.execPath, [PROGRAM, "debug", "--port", String(PORT)], {
      cwd: project.root,
      env: { ...userEnvironment(), KUBECONFIG: kubeconfig, KUBECTL: program, HOME: project.root },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    // A terminal interrupts the command and its kubectl.
    const signal = (name: NodeJS.Signals): boolean => process.kill(-(child.pid ?? 0), name);
    onTestFinished(() => {
      if (child.exitCode === null) signal("SIGKILL");
    });
    const output = await outputUntil(child, "Forwarding from");
    expect(output).toContain(`is available at localhost:${String(PORT)}`);
    const answer = await fetch(`http://127.0.0.1:${String(PORT)}/json/list`);
    // The inspected process is the manager, not the one that opened the inspector.
    expect(await answer.json()).toEqual([expect.objectContaining({ url: expect.stringContaining("manager.mjs") })]);
    signal("SIGINT");
    await once(child, "close");
    const [pod] = await readyManagers(client, NAMESPACE, 1);
    expect(pod?.status?.containerStatuses?.[0]?.restartCount).toBe(0);
  });

  it("`scaffold dashboard` shows the manager, its metrics, log, and objects", async () => {
    const dashboard = new DashboardProcess(project.root, ["--kubeconfig", nodeCluster().kubeconfig, "--no-open"]);
    onTestFinished(() => dashboard.end());
    const stream = (await openPage(await dashboard.address())).stream();
    onTestFinished(() => stream.close());
    const shown = async (test: (message: DashboardMessage) => boolean): Promise<DashboardMessage> =>
      await stream.until((message): message is DashboardMessage => test(message));
    await shown(
      (message) =>
        message.type === "replicas" && message.replicas.some((each) => each.isReady && each.isLeader === true),
    );
    const problems = await shown((message) => message.type === "problems" && message.problems.length > 0);
    // Nobody may read the metrics before an administrator runs the command that the page shows.
    expect(JSON.stringify(problems)).toContain("may not read the metrics of the manager");
    await client.create(
      ClusterRoleBinding.create({
        metadata: { name: "guestbook-dashboard-metrics-reader" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "guestbook-metrics-reader" },
        subjects: [{ kind: "ServiceAccount", namespace: NAMESPACE, name: "guestbook-controller-manager" }],
      }),
    );
    onTestFinished(async () => {
      await kubectl("delete", "clusterrolebinding", "guestbook-dashboard-metrics-reader");
    });
    await shown(
      (message) => message.type === "controller" && message.controller === "guestbook" && message.reconciles > 0,
    );
    await shown((message) => message.type === "log" && message.message === "Starting manager");
    for (const kind of ["Guestbook", "Deployment", "Pod"])
      await shown((message) => message.type === "object" && message.object.kind === kind);
    expect(await dashboard.interrupt()).toBe(0);
  });
});

async function outputUntil(child: ChildProcess, text: string): Promise<string> {
  let output = "";
  const closed = once(child, "close").then(() => {
    throw new Error(`the command ended:\n${output}`);
  });
  const found = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (chunk: string) => {
        output += chunk;
        if (output.includes(text)) resolve(output);
      });
    }
  });
  return await Promise.race([found, closed]);
}
