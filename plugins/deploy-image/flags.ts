import type { Flag, PluginHelp } from "kubescaffold/plugin";

/** What the plugin adds to `create api`. */
export const FLAGS: readonly Flag[] = [
  { name: "image", kind: "string", help: "image that the Pods run: [registry[:port]/]name[:tag][@digest]" },
  {
    name: "image-container-command",
    kind: "string",
    help: "command of the container, with commas between its words; quotes keep commas and blanks, as in sh,-c,'echo a,b'",
  },
  { name: "image-container-port", kind: "integer", help: "port that the container listens on, 1 to 65535" },
  { name: "run-as-user", kind: "integer", help: "id of the user that the container runs as, from 1" },
];

/** What help says of it. */
export const HELP: PluginHelp = {
  description: [
    "Makes of the API a kind whose objects run an image each: a Deployment, a Service when a port is given, and a controller that keeps them as they",
    "should be and reports how they are. To change the options later, run the command again with --force, which writes the files anew.",
  ].join("\n"),
  examples: [
    'scaffold create api --group example.com --version v1alpha1 --kind Memcached --image=memcached:1.6.38-alpine --image-container-command="memcached,-m=64" --image-container-port=11211 --run-as-user=1001 --plugins="deploy-image/v1-alpha"',
    'scaffold create api --group example.com --version v1alpha1 --kind Busybox --image=busybox:1.37 --image-container-command="sh,-c,\'echo a,b; sleep 1d\'" --run-as-user=1001 --plugins="deploy-image/v1-alpha"',
  ].join("\n"),
};
