import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import { GENERATOR_OPTIONS_FLAG } from "../../generating/generating-flags.ts";
import { DEV_FLAGS, readDevOptions, type DevOptions } from "./dev-options.ts";

/** `scaffold dev`: the manager against an embedded API server, restarted on change. */
export const devCommand: Command = defineCommand({
  path: ["dev"],
  summary: "Run the manager against an embedded API server, with live reload",
  usage: "[flags] [-- manager flags]",
  takesProgramWords: true,
  description: [
    "Start an API server in this process, with TLS and RBAC, install the project's CRDs, roles, and webhook configurations,",
    "and run cmd/main.ts as the service account of the manager. Deployments and Jobs get simulated Pods.",
    "With --kubeconfig, the manager runs against an existing cluster instead, as the user of the kubeconfig: the CRDs are installed after a question.",
    "A change in api, internal, or cmd regenerates the manifests, installs them, and restarts the manager.",
    "Words after `--` are flags of the manager: `scaffold dev -- --help` lists them.",
  ].join("\n"),
  examples: [
    "scaffold dev",
    "scaffold dev --keep",
    "scaffold dev --inspect",
    "scaffold dev -- --leader-elect",
    "scaffold dev --kubeconfig ~/.kube/config --context kind-test --webhook-url https://guestbook.tunnel.example.com",
    "KUBECONFIG=.kubescaffold/dev/kubeconfig kubectl apply -k config/samples",
  ],
  flags: [...DEV_FLAGS, GENERATOR_OPTIONS_FLAG],
  parse: async ({ "generator-options": words, ...flags }, invocation): Promise<DevOptions> => {
    const { flaggedOptions } = await import("../../generating/generator-options.ts");
    return { ...readDevOptions(flags, invocation), generatorOptions: flaggedOptions(words) };
  },
  run: async (options, invocation) => {
    const { runDev } = await import("./run-dev.ts");
    return runDev(options, invocation);
  },
});
