import type { EditOptions, Scaffold } from "../plugin/index.ts";

/** Says what a changed setting means for the files that exist: they stay as they are, new ones follow the setting. */
export const edit: Scaffold<EditOptions> = ({ project, note }, { previous }) => {
  if ((project.multigroup === true) !== (previous.multigroup === true))
    note(multigroupNote(project.multigroup === true));
  if ((project.namespaced === true) !== (previous.namespaced === true))
    note(namespacedNote(project.namespaced === true));
};

function multigroupNote(isMulti: boolean): string {
  return isMulti
    ? "APIs, controllers and webhooks lie in folders of their group now, and what imports them follows."
    : "APIs, controllers and webhooks lie in folders without their group again, and what imports them follows.";
}

function namespacedNote(isNamespaced: boolean): string {
  return isNamespaced
    ? [
        "New files are scoped to namespaces. Change what exists by hand: in config/rbac make the manager's ClusterRole and its binding a Role and a",
        "RoleBinding, in config/manager/manager.yaml set WATCH_NAMESPACE from metadata.namespace, in cmd/main.ts give the manager `cache.defaultNamespaces`,",
        "and add namespace=<namespace> to the RBAC markers. Webhooks stay cluster-wide.",
      ].join("\n")
    : [
        "New files are scoped to the cluster. Change what exists by hand: in config/rbac make the manager's Role and its binding a ClusterRole and a",
        "ClusterRoleBinding, remove WATCH_NAMESPACE and `cache.defaultNamespaces`, and the namespaces from the RBAC markers.",
      ].join("\n");
}
