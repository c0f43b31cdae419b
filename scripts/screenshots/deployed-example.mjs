// The Guestbook example in an embedded cluster, with replicas, for the screenshots of a manager in a cluster.
import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";

import { register } from "tsx/esm/api";

import { ROOT } from "../ensure-installed.mjs";

const PROGRAM = path.join(ROOT, "dist", "scaffold.cjs");
const NAMESPACE = "guestbook-system";
const GUESTBOOKS = 12;
const PAUSE_MS = 2000;

/** Deploys the project, lets its metrics be read, and returns what changes objects for a while. */
export async function deployExample(project) {
  register();
  const { deployOperator } = await import("../../test/e2e/deployed-operator.ts");
  const operator = await deployOperator(project, { replicas: 2 });
  await operator.client.create({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name: "guestbook-dashboard-metrics-reader" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "guestbook-metrics-reader" },
    subjects: [{ kind: "ServiceAccount", namespace: NAMESPACE, name: "guestbook-controller-manager" }],
  });
  return { kubeconfig: operator.kubeconfig, stop: operator.stop, work: (page) => work(page, operator.client) };
}

async function work(page, client) {
  await page.evaluate(() => {
    location.hash = "#/controllers";
  });
  await page.getByRole("row", { name: /leader read/u }).waitFor({ timeout: 120_000 });
  for (let number = 1; number <= GUESTBOOKS; number += 1) {
    await client.create({
      apiVersion: "webapp.demo/v1",
      kind: "Guestbook",
      metadata: { namespace: "default", name: `party-${String(number)}` },
      spec: { size: 1 + (number % 3), image: "registry.k8s.io/guestbook:v3" },
    });
    await page.waitForTimeout(PAUSE_MS);
  }
  await page.waitForTimeout(5 * PAUSE_MS);
}

/** Starts `scaffold dashboard`. */
export function startDashboard(cwd, kubeconfig) {
  const child = spawn(process.execPath, [PROGRAM, "dashboard", "--kubeconfig", kubeconfig], {
    cwd,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = new Promise((resolve) => {
    child.once("close", resolve);
  });
  const address = new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const { url } = /^dashboard +(?<url>http:\S+)/u.exec(line)?.groups ?? {};
      if (url !== undefined) resolve(url);
    });
    closed.then(() => reject(new Error("scaffold dashboard ended without an address")), reject);
  });
  const stop = async () => {
    child.kill("SIGINT");
    await closed;
  };
  return { address, stop };
}
