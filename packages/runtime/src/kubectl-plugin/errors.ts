import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when the arguments of a kubectl plugin are invalid: an unknown command or flag, a missing value, or an unsupported output format.
 *
 * Fix: Run the command with `--help`, which prints its flags.
 */
export class PluginUsageError extends ScaffoldError {
  readonly code = "KUBECTL_PLUGIN_USAGE";

  constructor(problem: string, options: { readonly hint?: string; readonly cause?: unknown } = {}) {
    super(problem, options);
  }
}

/**
 * Thrown when the kubeconfig has no context of the name that `--context` of a kubectl plugin has.
 *
 * Fix: Pass one of the contexts that `kubectl config get-contexts` prints.
 */
export class MissingContextError extends ScaffoldError {
  readonly code = "KUBECTL_PLUGIN_CONTEXT";

  constructor(context: string) {
    super(`context was not found for specified context: ${context}`);
  }
}

/**
 * Thrown when a kubectl plugin cannot be packed for krew: its name, its version, or the address of its archives is invalid, or a file is missing.
 *
 * Fix: Build the plugin first, and set the value that the message names.
 */
export class PluginPackageError extends ScaffoldError {
  readonly code = "KUBECTL_PLUGIN_PACKAGE";
}
