import { readdirSync, readFileSync } from "node:fs";

import { Lease } from "@kubescaffold/k8s/coordination/v1";
import { Pod } from "@kubescaffold/k8s/core/v1";
import type { LiveClient } from "@kubescaffold/runtime";

import { eventually } from "../e2e/eventually.ts";
import { tryKubectl } from "./node-project.ts";

/** Returns the Pods of a manager that are not about to be deleted. */
export async function managerPods(client: LiveClient, namespace: string): Promise<readonly Pod[]> {
  const { items } = await client.list(Pod, { namespace, labels: { "control-plane": "controller-manager" } });
  return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

/** Waits until a number of Pods of a manager, and no others, are ready. Throws with what an administrator would read if they do not get ready. */
export async function readyManagers(client: LiveClient, namespace: string, count: number): Promise<readonly Pod[]> {
  try {
    return await eventually(
      async () => {
        const pods = await managerPods(client, namespace);
        return pods.length === count && pods.every(isReady) ? pods : undefined;
      },
      () => `${String(count)} ready Pods of the manager`,
    );
  } catch (error) {
    throw new Error(await managerReport(namespace), { cause: error });
  }
}

/** Tells whether a Pod is ready. */
export function isReady({ status }: Pod): boolean {
  return status?.conditions?.find(({ type }) => type === "Ready")?.status === "True";
}

/** Waits until a manager leads that another one does not, and returns the name of its Pod. */
export async function leader(
  client: LiveClient,
  lease: { readonly namespace: string; readonly name: string },
  former = "",
): Promise<string> {
  return await eventually(
    async () => {
      const { spec } = await client.get(Lease, lease);
      const holder = spec?.holderIdentity?.replace(/_.*$/u, "") ?? "";
      return holder === "" || holder === former ? undefined : holder;
    },
    () => `a leader in ${lease.name}`,
  );
}

/** Returns the process of the manager in a Pod, as the node sees it. */
export function processOf(pod: string): number {
  const found = readdirSync("/proc")
    .filter((entry) => /^\d+$/u.test(entry))
    .find((entry) => {
      try {
        return (
          readFileSync(`/proc/${entry}/environ`, "utf8").split("\0").includes(`HOSTNAME=${pod}`) &&
          readFileSync(`/proc/${entry}/cmdline`, "utf8").includes("/manager.mjs")
        );
      } catch {
        return false;
      }
    });
  if (found === undefined) throw new Error(`there is no process of the Pod ${pod}`);
  return Number(found);
}

async function managerReport(namespace: string): Promise<string> {
  const described = await tryKubectl("describe", "pods", "--namespace", namespace);
  const logs = await tryKubectl(
    "logs",
    "--namespace",
    namespace,
    "--selector=control-plane=controller-manager",
    "--tail=40",
  );
  return `${described.output}\n${logs.output}`;
}
