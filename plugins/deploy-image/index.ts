import { compiledTemplates, definePlugin, type Plugin, type Flag, type PluginHelp } from "kubescaffold/plugin";

import { createApi } from "./create-api.ts";
import { compiled } from "./generated/templates.ts";
import { restoreConfiguration } from "./restore-configuration.ts";

/** What the plugin adds to `create api`. */
const FLAGS: readonly Flag[] = [
  { name: "image", kind: "string", help: "image of the Pods: [registry[:port]/]name[:tag][@digest]" },
  {
    name: "image-container-command",
    kind: "string",
    help: "comma-separated command of the container, such as sh,-c,'echo a,b'",
  },
  { name: "image-container-port", kind: "integer", help: "port that the container listens on, 1 to 65535" },
  { name: "run-as-user", kind: "integer", help: "user ID (1 or higher) that runs the container" },
];

/** What help says of it. */
const HELP: PluginHelp = {
  description: [
    "Scaffold an API whose objects each deploy an image: the controller reconciles a Deployment, and a Service if a port is set, and reports their",
    "status. To change the options later, run the command again with --force, which overwrites the files.",
  ].join("\n"),
  examples: [
    'scaffold create api --group example.com --version v1alpha1 --kind Memcached --image=memcached:1.6.38-alpine --image-container-command="memcached,-m=64" --image-container-port=11211 --run-as-user=1001 --plugins="deploy-image/v1-alpha"',
    'scaffold create api --group example.com --version v1alpha1 --kind Busybox --image=busybox:1.37 --image-container-command="sh,-c,\'echo a,b; sleep 1d\'" --run-as-user=1001 --plugins="deploy-image/v1-alpha"',
  ].join("\n"),
};

/** Makes of an API a kind whose controller runs an image: it works on what the plugins of a project have planned before it. */
export const deployImage: Plugin = definePlugin({
  key: "deploy-image.ts.kubescaffold.dev/v1-alpha",
  description: "API and controller that deploy and manage an image",
  isReplayable: true,
  templates: compiledTemplates(compiled),
  flags: (command) => (command === "create api" ? FLAGS : []),
  help: () => HELP,
  restoreConfiguration,
  createApi,
});
