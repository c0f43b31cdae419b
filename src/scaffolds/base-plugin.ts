import { definePlugin, type Plugin } from "../plugin/index.ts";
import { createApi } from "./create-api.ts";
import { createWebhook } from "./create-webhook.ts";
import { edit } from "./edit.ts";
import { init } from "./init.ts";
import { templates } from "./templates.ts";

/** Writes the TypeScript of a project: the program, the API, controllers, webhooks, tests, and what builds them. */
export const base: Plugin = definePlugin({
  key: "base.ts.kubescaffold.dev/v1",
  description: "The TypeScript of an operator: API, controllers, webhooks, tests, build",
  isHidden: true,
  templates,
  init,
  edit,
  createApi,
  createWebhook,
});
