import {
  certificateIssuerOf,
  compiledTemplates,
  definePlugin,
  type Plugin,
  type ScaffoldContext,
} from "kubescaffold/plugin";

import { createApi } from "./create-api.ts";
import { createWebhook } from "./create-webhook.ts";
import { compiled } from "./generated/templates.ts";

/** Writes the manifests below `config/` as layers for kustomize. */
export const kustomize: Plugin = definePlugin({
  key: "kustomize.common.kubescaffold.dev/v2",
  description: "Kustomize manifests in config/",
  templates: compiledTemplates(compiled, { areTested: true }),
  init,
  createApi,
  createWebhook,
});

/** Writes what every operator needs: the manager, its permissions, metrics, network policies. */
function init({ project, renderTemplates }: ScaffoldContext): void {
  const isSelfManaged = certificateIssuerOf(project) === "self-managed";
  renderTemplates("init", {
    values: { projectName: project.projectName ?? "", isNamespaced: project.namespaced === true, isSelfManaged },
    ifExists: "skip",
    // The certificate of the webhooks is that of the metrics endpoint, too.
    without: (path) => path.endsWith(isSelfManaged ? "/cert_metrics_manager_patch.yaml" : "/certificate_alerts.yaml"),
  });
}
