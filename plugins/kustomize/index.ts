import { definePlugin, type Plugin } from "kubescaffold/plugin";

import { createApi } from "./create-api.ts";
import { createWebhook } from "./create-webhook.ts";
import { init } from "./init.ts";
import { templates } from "./templates.ts";

/** Writes the manifests below `config/` as layers for kustomize. */
export const kustomize: Plugin = definePlugin({
  key: "kustomize.common.kubescaffold.dev/v2",
  description: "Kustomize manifests in config/",
  templates,
  init,
  createApi,
  createWebhook,
});
