import { messageOf, ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when a kubeconfig is incomplete or inconsistent.
 *
 * Fix: Fix the field in the message.
 */
export class InvalidKubeconfigError extends ScaffoldError {
  readonly code = "CLIENT_INVALID_KUBECONFIG";

  constructor(
    source: string,
    options: { readonly detail: string; readonly hint?: string | undefined; readonly cause?: unknown },
  ) {
    super(`cannot use the kubeconfig ${source}: ${options.detail}`, { hint: options.hint, cause: options.cause });
  }
}

/**
 * Thrown when a kubeconfig, or a certificate that it refers to, cannot be read.
 *
 * Fix: Check the path and its permissions.
 */
export class UnreadableConfigFileError extends ScaffoldError {
  readonly code = "CLIENT_UNREADABLE_CONFIG_FILE";

  constructor(path: string, options: { readonly purpose: string; readonly cause: unknown }) {
    super(`cannot read ${options.purpose} ${path}: ${messageOf(options.cause)}`, { cause: options.cause });
  }
}

/**
 * Thrown when a kubeconfig, or its lock file, cannot be written.
 *
 * Fix: Check the path and its permissions.
 */
export class UnwritableConfigFileError extends ScaffoldError {
  readonly code = "CLIENT_UNWRITABLE_CONFIG_FILE";

  constructor(path: string, options: { readonly cause: unknown }) {
    super(`cannot write ${path}: ${messageOf(options.cause)}`, {
      hint: "check the path and its permissions",
      cause: options.cause,
    });
  }
}

/**
 * Thrown when another process holds the lock of a kubeconfig for longer than the timeout.
 *
 * Fix: Remove the lock file in the message if no other process changes the kubeconfig.
 */
export class KubeconfigLockedError extends ScaffoldError {
  readonly code = "CLIENT_KUBECONFIG_LOCKED";

  constructor(lock: string) {
    super(`cannot change the kubeconfig: ${lock} exists`, {
      hint: "remove it if no other process changes the kubeconfig",
    });
  }
}

/**
 * Thrown when no configuration for a cluster was found.
 *
 * Fix: Pass `--kubeconfig`, set `KUBECONFIG`, or run in a cluster.
 */
export class NoConfigError extends ScaffoldError {
  readonly code = "CLIENT_NO_CONFIG";

  constructor(tried: readonly string[]) {
    super(`cannot find a cluster to connect to: ${tried.join("; ")}`, {
      hint: "pass --kubeconfig, set KUBECONFIG, or run inside a cluster",
    });
  }
}

/**
 * Thrown when the in-cluster config was requested outside of a Pod with a service account.
 *
 * Fix: Run in a Pod, or pass `--kubeconfig`.
 */
export class NotInClusterError extends ScaffoldError {
  readonly code = "CLIENT_NOT_IN_CLUSTER";
  /** The missing file or variable. */
  readonly detail: string;

  constructor(detail: string, options: { readonly cause?: unknown } = {}) {
    super(`cannot use the in-cluster config: ${detail}`, {
      hint: "run inside a pod with a service account, or pass --kubeconfig",
      ...options,
    });
    this.detail = detail;
  }
}
