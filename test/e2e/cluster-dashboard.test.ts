import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { Environment } from "@kubescaffold/envtest";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { Namespace, Pod } from "@kubescaffold/k8s/core/v1";
import { ClusterRoleBinding } from "@kubescaffold/k8s/rbac/v1";
import { printYaml, readYamlDocuments } from "@kubescaffold/k8s/yaml";
import { createClient } from "@kubescaffold/runtime";
import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";

import type { DashboardMessage } from "../../packages/dashboard/src/server/contract/protocol.ts";
import { CHROMIUM, TestBrowser } from "../../packages/dashboard/test/page/browser/browser.ts";
import { loadAxe, violations } from "../../packages/dashboard/test/page/browser/violations.ts";
import { openPage } from "../../packages/dashboard/test/server/support/served-page.ts";
import { runProgram } from "../support/run-program.ts";
import { DashboardProcess } from "./dashboard-process.ts";
import { deployOperator } from "./deployed-operator.ts";
import { copyExample, PROGRAM } from "./project-copy.ts";

// Only against a test that hangs: the lease of a leader that is gone expires after 15 seconds.
const LIVENESS_MS = 1_200_000;
const LABELS = { "control-plane": "controller-manager", "app.kubernetes.io/name": "guestbook" };
const VIEWS = ["objects", "objects?as=graph", "controllers", "webhooks", "permissions", "logs"];

describe.skipIf(CHROMIUM === undefined)(
  "scaffold dashboard, for a manager in a cluster",
  { timeout: LIVENESS_MS },
  () => {
    it("shows it in a browser, changes nothing, and follows its replicas", async () => {
      const project = copyExample();
      onTestFinished(() => project.remove());
      const operator = await deployOperator(project.root, { replicas: 2 });
      onTestFinished(() => operator.stop());
      const dashboard = new DashboardProcess(project.root, ["--kubeconfig", operator.kubeconfig]);
      onTestFinished(() => dashboard.end());
      const browser = await TestBrowser.start();
      onTestFinished(() => browser.stop());
      const page = await browser.newPage();
      page.setDefaultTimeout(240_000);
      await page.goto(await dashboard.address());
      await page.getByText("Manager ready").waitFor();
      await page.getByText("read-only", { exact: true }).waitFor();

      // Nobody may read the metrics yet; the page says what to do, which is done here as the command would.
      const problems = page.getByRole("list", { name: "What cannot be shown" });
      await problems.getByText("may not read the metrics of the manager").waitFor();
      const command = await problems.locator("code").textContent();
      await operator.client.create(bindingOf(command ?? ""));

      await page.keyboard.press("2");
      const leader = page.getByRole("row", { name: /leader read/u });
      await leader.waitFor();
      await problems.waitFor({ state: "detached" });
      await operator.client.create(sampleOf(project.root) as never);
      await page.keyboard.press("1");
      // Its Deployment gets three Pods, below it in the tree.
      await page.locator(".grid-row", { hasText: "Deployment" }).getByText("3/3").waitFor();
      await page.locator(".grid-row", { hasText: "Guestbook" }).first().click();
      await page.getByRole("tab", { name: "Field owners" }).click();
      await page.getByRole("tabpanel").getByText("finalizers", { exact: false }).first().waitFor();
      await page.keyboard.press("Escape");

      await page.keyboard.press("2");
      await page.getByRole("row", { name: /^guestbook [1-9]/u }).waitFor();
      await page.keyboard.press("3");
      await page.getByRole("row", { name: /\/mutate-\S+ [1-9]/u }).waitFor();
      await page.keyboard.press("4");
      await page.getByRole("grid", { name: "Permissions" }).getByText("guestbooks.webapp.demo").first().waitFor();
      await page.keyboard.press("5");
      await page.getByPlaceholder("Search events and logs").fill("Starting manager");
      await page.getByRole("grid", { name: "Events and logs" }).getByText("Starting manager").first().waitFor();
      expect(await changes(page)).toEqual([404, 404, 404, 404]);
      await loadAxe(page);
      expect(await findingsIn(page)).toEqual([]);

      // The other replica leads, and a third one takes its place.
      await page.keyboard.press("2");
      const name = (await leader.getByRole("rowheader").textContent()) ?? "";
      await operator.client.delete(Pod.create({ metadata: { namespace: operator.cluster.namespace, name } }));
      await page.getByRole("row", { name: new RegExp(`^${name} `, "u") }).waitFor({ state: "detached" });
      await leader.waitFor();
      await page.getByRole("row", { name: /standby read/u }).waitFor();
      browser.requireNoProblems();
      expect(await dashboard.interrupt()).toBe(0);
    });
  },
);

// On the backend that KUBESCAFFOLD_ENVTEST_BACKEND names, the embedded one by default; neither runs Pods.
describe("scaffold dashboard, without a manager", { timeout: LIVENESS_MS }, () => {
  it("says that no Pod runs, and shows objects all the same", async () => {
    const project = copyExample();
    onTestFinished(() => project.remove());
    const environment = new Environment({ crdDirectoryPaths: [path.join(project.root, "config", "crd", "bases")] });
    const client = createClient(await environment.start());
    onTestFinished(() => environment.stop());
    const kubeconfig = path.join(project.root, "cluster.kubeconfig");
    await environment.writeKubeconfig(kubeconfig);
    const dashboard = new DashboardProcess(project.root, ["--kubeconfig", kubeconfig, "--no-open"]);
    onTestFinished(() => dashboard.end());
    const stream = (await openPage(await dashboard.address())).stream();
    onTestFinished(() => stream.close());

    const missing = await stream.until(
      matching((message) => message.type === "problems" && message.problems.length > 0),
    );
    expect(missing).toMatchObject({
      problems: [
        {
          source: "manager",
          message: expect.stringContaining("no Pod of the manager in the namespace guestbook-system") as string,
        },
      ],
    });
    await client.create(sampleOf(project.root) as never);
    await stream.until(matching((message) => message.type === "object" && message.object.kind === "Guestbook"));

    await client.create(Namespace.create({ metadata: { name: "guestbook-system" } }));
    const template = {
      metadata: { labels: LABELS },
      spec: { containers: [{ name: "manager", image: "controller:latest" }] },
    };
    const metadata = { namespace: "guestbook-system", name: "guestbook-controller-manager", labels: LABELS };
    await client.create(Deployment.create({ metadata, spec: { selector: { matchLabels: LABELS }, template } }));
    await stream.until(matching((message) => message.type === "object" && message.object.kind === "Deployment"));
    // No kubelet starts it.
    await client.create(Pod.create({ metadata: { ...metadata, name: "guestbook-pending" }, spec: template.spec }));
    const pending = await stream.until(
      matching((message) => message.type === "replicas" && message.replicas.length > 0),
    );
    expect(pending).toMatchObject({ replicas: [{ isReady: false, hasMetrics: false }] });
    await stream.until(matching((message) => message.type === "manager" && message.state === "starting"));
    expect(await dashboard.interrupt()).toBe(0);
  });

  it("fails with one sentence if there is no cluster, and outside of a project", async () => {
    const project = copyExample();
    onTestFinished(() => project.remove());
    const missing = await runProgram(process.execPath, [PROGRAM, "dashboard", "--kubeconfig", "nowhere"], {
      cwd: project.root,
    });
    expect(missing).toMatchObject({ status: 1, output: expect.stringContaining("nowhere") as string });
    const kubeconfig = path.join(project.root, "kubeconfig");
    writeFileSync(kubeconfig, printYaml({ apiVersion: "v1", kind: "Config", clusters: [], contexts: [], users: [] }));
    const flags = ["--kubeconfig", kubeconfig, "--context", "staging"];
    const unknown = await runProgram(process.execPath, [PROGRAM, "dashboard", ...flags], { cwd: project.root });
    expect(unknown).toMatchObject({ status: 1, output: expect.stringContaining("staging") as string });
    const outside = await runProgram(process.execPath, [PROGRAM, "dashboard"], { cwd: path.dirname(project.root) });
    expect(outside).toMatchObject({ status: 1, output: expect.stringContaining("[PROJECT_NOT_FOUND]") as string });
  });
});

function matching(
  test: (message: DashboardMessage) => boolean,
): (message: DashboardMessage) => message is DashboardMessage {
  return (message): message is DashboardMessage => test(message);
}

/** Returns the binding of `kubectl create clusterrolebinding`. */
function bindingOf(command: string): ClusterRoleBinding {
  const {
    name = "",
    role = "",
    namespace = "",
    account = "",
  } = /clusterrolebinding (?<name>\S+) --clusterrole=(?<role>\S+) --serviceaccount=(?<namespace>[^:]+):(?<account>\S+)$/u.exec(
    command,
  )?.groups ?? {};
  return ClusterRoleBinding.create({
    metadata: { name },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role },
    subjects: [{ kind: "ServiceAccount", namespace, name: account }],
  });
}

function sampleOf(project: string): unknown {
  const file = path.join(project, "config", "samples", "webapp_v1_guestbook.yaml");
  const [sample] = readYamlDocuments(readFileSync(file, "utf8"), { file }) as readonly {
    readonly metadata: object;
    readonly spec: object;
  }[];
  return { ...sample, metadata: { namespace: "default", ...sample?.metadata }, spec: { ...sample?.spec, size: 3 } };
}

/** Sends every request that changes something from the page itself, and returns the statuses. */
async function changes(page: Page): Promise<readonly number[]> {
  return await page.evaluate(async () => {
    const statuses: number[] = [];
    for (const route of ["apply", "delete", "faults", "manager"]) {
      const response = await fetch(`./api/${route}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-kubescaffold-dashboard": "1" },
        body: JSON.stringify({ action: "restart" }),
      });
      statuses.push(response.status);
    }
    return statuses;
  });
}

async function findingsIn(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const view of VIEWS) {
    await page.goto(`${page.url().replace(/#.*$/u, "")}#/${view}`);
    await page.waitForTimeout(500);
    found.push(...(await violations(page, { place: view, rules: [] })));
  }
  return found;
}
