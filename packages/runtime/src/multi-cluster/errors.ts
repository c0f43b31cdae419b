import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when a cluster is not engaged, for example because its provider has removed it.
 *
 * Fix: Check the names that `getClusterNames()` returns; a reconcile can ignore the cluster, since engaging it reconciles all its objects.
 */
export class ClusterNotEngagedError extends ScaffoldError {
  readonly code = "CLUSTER_NOT_ENGAGED";

  constructor(name: string) {
    super(`cannot find the cluster ${JSON.stringify(name)}: it is not engaged`);
  }
}

/**
 * Thrown when a cluster is engaged under a name that another engaged cluster has, or under an empty name.
 *
 * Fix: Use unique names; to replace a cluster, disengage it first.
 */
export class ClusterNameTakenError extends ScaffoldError {
  readonly code = "CLUSTER_NAME_TAKEN";

  constructor(name: string) {
    super(
      name === ""
        ? "cannot engage a cluster without a name: the empty name is that of the local cluster"
        : `cannot engage the cluster ${JSON.stringify(name)}: a cluster of that name is engaged`,
      { hint: "use unique names; to replace a cluster, disengage it first" },
    );
  }
}

/**
 * Thrown when a kubeconfig in a Secret runs programs or names files, which would give its author the permissions of the manager's process.
 *
 * Fix: Use a kubeconfig with embedded certificates and a token, or set `allowLocalAccess` if only administrators can write the Secrets.
 */
export class UnsafeKubeconfigError extends ScaffoldError {
  readonly code = "CLUSTER_UNSAFE_KUBECONFIG";

  constructor(secret: string, settings: readonly string[]) {
    super(`cannot use the kubeconfig in the Secret ${secret}: it contains ${settings.join(", ")}`, {
      hint: "embed certificates and a token; kubectl config view --flatten embeds files",
    });
  }
}
