import { existsSync } from "node:fs";
import path from "node:path";

import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { isRecord } from "@kubescaffold/platform";
import type { OperatorManifests } from "@kubescaffold/runtime/operator-project";

import { readManifests } from "../install/manifests.ts";

/**
 * Returns the Deployments in `config/manager` with their final names. They have no replicas, since the manager runs as a process of this machine: what is rehearsed
 * is whether the server accepts them.
 */
export async function managerDeployments(
  project: string,
  { namespace, namePrefix }: OperatorManifests,
): Promise<readonly KubernetesObject[]> {
  const folder = path.join(project, "config", "manager");
  if (!existsSync(folder)) return [];
  const manifests = await readManifests({ paths: [folder], what: "the manager", errorIfPathMissing: false });
  return manifests
    .filter(({ kind }) => kind === "Deployment")
    .map((deployment) => {
      const { spec } = deployment as { readonly spec?: unknown };
      const metadata = { ...deployment.metadata, name: `${namePrefix}${deployment.metadata.name ?? ""}`, namespace };
      return { ...deployment, metadata, spec: { ...(isRecord(spec) ? spec : {}), replicas: 0 } };
    });
}
