import { messageOf, ScaffoldError, type StatusError } from "@kubescaffold/k8s";

/**
 * Thrown when a binary of the local control plane (etcd, kube-apiserver, …) was not found.
 *
 * Fix: Set `KUBEBUILDER_ASSETS` to a folder with the binaries, build them with `node scripts/build-control-plane.mjs`, or use the embedded backend.
 */
export class AssetMissingError extends ScaffoldError {
  readonly code = "ENVTEST_ASSET_MISSING";

  constructor(program: string, searched: readonly string[]) {
    super(`cannot find ${program} in ${searched.length === 0 ? "any folder" : searched.join(", ")}`, {
      hint: "set KUBEBUILDER_ASSETS to a folder with etcd and kube-apiserver, or use the embedded backend",
    });
  }
}

/**
 * Thrown when a control plane process exited or was not ready in time.
 *
 * Fix: Read its output in the message; set `KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT=true` to see all of it, or increase
 * `KUBEBUILDER_CONTROLPLANE_START_TIMEOUT`.
 */
export class ControlPlaneStartError extends ScaffoldError {
  readonly code = "ENVTEST_START_FAILED";

  constructor(program: string, why: string, options: { readonly output?: string; readonly cause?: unknown } = {}) {
    super(`cannot start ${program}: ${why}${options.output ? `\n${options.output}` : ""}`, {
      cause: options.cause,
      hint: "set KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT=true to see all of its output",
    });
  }
}

/**
 * Thrown when a control plane process did not exit in time and was killed.
 *
 * Fix: No process is left running; increase `KUBEBUILDER_CONTROLPLANE_STOP_TIMEOUT`.
 */
export class ControlPlaneStopError extends ScaffoldError {
  readonly code = "ENVTEST_STOP_FAILED";

  constructor(program: string, timeoutMs: number) {
    super(`cannot stop ${program} within ${String(timeoutMs)} ms: it was killed`);
  }
}

/**
 * Thrown when the API server did not complete an asynchronous operation in time, such as serving a new CustomResourceDefinition.
 *
 * Fix: Check the conditions of the object in the message.
 */
export class EnvironmentTimeoutError extends ScaffoldError {
  readonly code = "ENVTEST_TIMEOUT";

  constructor(what: string, timeoutMs: number, cause?: unknown) {
    super(
      `timed out waiting for ${what} after ${String(timeoutMs)} ms${cause instanceof ScaffoldError ? `: ${cause.message}` : ""}`,
      { cause },
    );
  }
}

/**
 * Thrown when an environment was used before it was started, or started twice.
 *
 * Fix: Call `start()` once, before all other calls.
 */
export class EnvironmentStateError extends ScaffoldError {
  readonly code = "ENVTEST_STATE";
}

/**
 * Thrown when a path of manifests does not exist.
 *
 * Fix: Generate the manifests (`npm run manifests`), or fix the path.
 */
export class ManifestPathMissingError extends ScaffoldError {
  readonly code = "ENVTEST_PATH_MISSING";

  constructor(what: string, path: string) {
    super(`cannot read ${what} from ${path}: no such file or folder`);
  }
}

/**
 * Thrown when the backend does not support an operation, such as adding a user to an existing cluster.
 *
 * Fix: Use another backend, or follow the hint.
 */
export class BackendUnsupportedError extends ScaffoldError {
  readonly code = "ENVTEST_UNSUPPORTED";
}

/**
 * Thrown when options or variables of an environment are invalid.
 *
 * Fix: Fix the value in the message.
 */
export class EnvironmentOptionsError extends ScaffoldError {
  readonly code = "ENVTEST_OPTIONS";
}

/**
 * Thrown when a server in another process is not of the version of Kubernetes that was requested.
 *
 * Fix: Install binaries of the requested version, for example with `setupBinaries`, or request that of the server.
 */
export class KubernetesVersionMismatchError extends ScaffoldError {
  readonly code = "ENVTEST_KUBERNETES_VERSION";

  constructor(minor: string, serverVersion: string, source: "option" | "variable" | "project") {
    super(
      `cannot use the server: Kubernetes ${minor} was requested by ${SOURCES[source]}, and it is ${serverVersion}`,
      {
        hint: `use a server of ${minor}, such as the binaries of setupBinaries({ version: "${minor}.x" }), or request another version`,
      },
    );
  }
}

const SOURCES = {
  option: "the option kubernetesVersion",
  variable: "the variable KUBESCAFFOLD_KUBERNETES_VERSION",
  project: "PROJECT",
} as const;

/**
 * Thrown when a flag of the stand-in for kube-apiserver is none of kube-apiserver.
 *
 * Fix: Use the flag that the hint names, or remove the flag.
 */
export class UnknownServerFlagError extends ScaffoldError {
  readonly code = "ENVTEST_UNKNOWN_SERVER_FLAG";
}

/**
 * Thrown when a flag of kube-apiserver or etcd is invalid, or not simulated by the embedded API server.
 *
 * Fix: Remove the flag in the message, or use the binaries of a real control plane.
 */
export class ServerFlagError extends ScaffoldError {
  readonly code = "ENVTEST_SERVER_FLAG";
}

/**
 * Thrown when the stand-ins for the binaries of the control plane cannot be written.
 *
 * Fix: Follow the hint: stand-ins are shell scripts, which need Linux or macOS, and a writable folder.
 */
export class StandInError extends ScaffoldError {
  readonly code = "ENVTEST_STAND_IN";
}

/**
 * Thrown for invalid arguments of the program `envtest`.
 *
 * Fix: Follow the hint, or run `envtest --help`.
 */
export class InvalidArgumentsError extends ScaffoldError {
  readonly code = "ENVTEST_ARGUMENTS";
}

/**
 * Thrown when binaries could not be found, downloaded, verified, or unpacked.
 *
 * Fix: Check the URL and the reason in the message; without a network, use the embedded backend or set `KUBEBUILDER_ASSETS`.
 */
export class DownloadError extends ScaffoldError {
  readonly code = "ENVTEST_DOWNLOAD";
}

/**
 * Thrown when an object changed when it was converted to another version and back.
 *
 * Fix: Convert every field in both directions; store fields that the other version lacks in an annotation.
 */
export class ConversionLossError extends ScaffoldError {
  readonly code = "ENVTEST_CONVERSION_LOSS";

  /** `changes` are the lines of a diff; `there` is the object in the other version. */
  constructor(changes: readonly string[], there: object) {
    super(
      `an object changed in a round-trip conversion:\n${changes.join("\n")}\nin the other version, it was ${JSON.stringify(there)}`,
      {
        hint: "convert every field in both directions, and store values without a field in the other version in an annotation",
      },
    );
  }
}

/**
 * Thrown when the API server does not call a webhook when an object is created or updated: no webhook configuration has its path, or the rules do not match.
 *
 * Fix: Fix path, verbs, groups, resources, and versions of the `+kubebuilder:webhook` marker, then run `npm run manifests`.
 */
export class AdmissionNotAskedError extends ScaffoldError {
  readonly code = "ENVTEST_NOT_ASKED";

  constructor(reasons: readonly string[]) {
    super(reasons.join("; "), {
      hint: "fix the +kubebuilder:webhook marker above the webhook (path, verbs, groups, resources, versions), and run `npm run manifests`",
    });
  }
}

/**
 * Thrown when options or scripted faults of a chaos proxy are invalid.
 *
 * Fix: Fix the value in the message, or follow the hint.
 */
export class ChaosOptionsError extends ScaffoldError {
  readonly code = "ENVTEST_CHAOS_OPTIONS";
}

/**
 * Thrown when options of a fake client contradict each other or a definition.
 *
 * Fix: Fix the value in the message, or follow the hint.
 */
export class FakeClientOptionsError extends ScaffoldError {
  readonly code = "ENVTEST_FAKE_CLIENT_OPTIONS";
}

/**
 * Thrown when a call of `eventually` did not succeed in time.
 *
 * Fix: Fix the last error in the message, or increase `timeoutMs`.
 */
export class EventuallyTimeoutError extends ScaffoldError {
  readonly code = "ENVTEST_EVENTUALLY_TIMEOUT";

  constructor(what: string, timeoutMs: number, cause: unknown) {
    const last = cause === undefined ? "no response" : messageOf(cause);
    super(`timed out waiting for ${what} after ${String(timeoutMs)} ms: ${last}`, { cause });
  }
}

/**
 * Thrown when the manager of a test lacks a permission; the message has the marker to add.
 *
 * Fix: Add the marker to the controller, and run `npm run manifests`.
 */
export class ManagerForbiddenError extends ScaffoldError {
  readonly code = "ENVTEST_MANAGER_FORBIDDEN";

  constructor(cause: StatusError) {
    super(`the manager lacks a permission: ${cause.message}; ${cause.hint ?? ""}`, { cause });
  }
}

/**
 * Thrown when a matcher of clients was called on another value, or with `.not`.
 *
 * Fix: Pass a client to `expect`; use `toEventuallyNotHave` or `toConsistentlyNotHave` for absent objects and fields.
 */
export class MatcherUsageError extends ScaffoldError {
  readonly code = "ENVTEST_MATCHER_USAGE";
}

/**
 * Thrown when the options of `verifyOperator` do not name an operator with CRDs and samples.
 *
 * Fix: Set the project, or the command with `crds` and `samples`.
 */
export class VerifyOptionsError extends ScaffoldError {
  readonly code = "ENVTEST_VERIFY_OPTIONS";

  constructor(reason: string, hint: string) {
    super(`cannot verify the operator: ${reason}`, { hint });
  }
}

/**
 * Thrown when the options of `rehearseUpgrade` lead to no objects that an upgrade could harm, or accept an oracle that does not exist.
 *
 * Fix: Set `samples` or `objects` to files or folders with objects that the former version accepts, and `accepted` to names of oracles.
 */
export class RehearseOptionsError extends ScaffoldError {
  readonly code = "ENVTEST_REHEARSE_OPTIONS";

  constructor(reason: string, hint: string) {
    super(`cannot rehearse the upgrade: ${reason}`, { hint });
  }
}
