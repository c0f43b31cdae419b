import {
  compiledTemplates,
  definePlugin,
  type EditOptions,
  type Plugin,
  type ScaffoldContext,
} from "../plugin/index.ts";
import { createApi } from "./create-api.ts";
import { createKubectlPlugin } from "./create-kubectl-plugin.ts";
import { createWebhook } from "./create-webhook.ts";
import { compiled } from "./generated/templates.ts";
import { init } from "./init.ts";

/** Writes the TypeScript of a project: the program, the API, controllers, webhooks, tests, and what builds them. */
export const base: Plugin = definePlugin({
  key: "base.ts.kubescaffold.dev/v1",
  description: "The TypeScript of an operator: API, controllers, webhooks, tests, build",
  isHidden: true,
  templates: compiledTemplates(compiled, { areTested: true }),
  init,
  edit,
  createApi,
  createWebhook,
  createKubectlPlugin,
});

/** Says what a changed setting means for the files that exist, which the command changes. */
function edit({ project, note }: ScaffoldContext, { previous }: EditOptions): void {
  if ((project.multigroup === true) !== (previous.multigroup === true))
    note(multigroupNote(project.multigroup === true));
  if ((project.namespaced === true) !== (previous.namespaced === true))
    note(namespacedNote(project.namespaced === true));
}

function multigroupNote(isMulti: boolean): string {
  return isMulti
    ? "APIs, controllers and webhooks lie in folders of their group now, and what imports them follows."
    : "APIs, controllers and webhooks lie in folders without their group again, and what imports them follows.";
}

function namespacedNote(isNamespaced: boolean): string {
  return isNamespaced
    ? [
        "The manager now watches the namespaces in WATCH_NAMESPACE, which config/manager sets to its own namespace, with Roles there. In other namespaces, it needs",
        "Roles and RoleBindings of the same kind. Webhooks stay cluster-wide.",
      ].join("\n")
    : "The manager works in the whole cluster again, with a ClusterRole.";
}
