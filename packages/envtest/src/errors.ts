import { ScaffoldError } from "@kubescaffold/k8s";

/** Is thrown when a control plane program is in none of the folders where one is looked for. */
export class AssetMissingError extends ScaffoldError {
  readonly code = "ENVTEST_ASSET_MISSING";

  constructor(program: string, searched: readonly string[]) {
    super(`cannot find ${program} in ${searched.length === 0 ? "any folder" : searched.join(", ")}`, {
      hint: "set KUBEBUILDER_ASSETS to a folder with etcd and kube-apiserver, or use the embedded backend",
    });
  }
}

/** Is thrown when a program of the control plane ended or was not ready in time; the message ends with its last lines of output. */
export class ControlPlaneStartError extends ScaffoldError {
  readonly code = "ENVTEST_START_FAILED";

  constructor(program: string, why: string, options: { readonly output?: string; readonly cause?: unknown } = {}) {
    super(`cannot start ${program}: ${why}${options.output ? `\n${options.output}` : ""}`, {
      cause: options.cause,
      hint: "set KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT=true to see all of its output",
    });
  }
}

/** Is thrown when a program of the control plane had to be killed, since it did not end when it was asked to. */
export class ControlPlaneStopError extends ScaffoldError {
  readonly code = "ENVTEST_STOP_FAILED";

  constructor(program: string, timeoutMs: number) {
    super(`cannot stop ${program} within ${String(timeoutMs)} ms: it was killed`);
  }
}

/** Is thrown when something that the API server should do by itself did not happen in time. */
export class EnvironmentTimeoutError extends ScaffoldError {
  readonly code = "ENVTEST_TIMEOUT";

  constructor(what: string, timeoutMs: number, cause?: unknown) {
    super(
      `gave up waiting for ${what} after ${String(timeoutMs)} ms${cause instanceof ScaffoldError ? `: ${cause.message}` : ""}`,
      { cause },
    );
  }
}

/** Is thrown when an environment is used before it was started, or started twice. */
export class EnvironmentStateError extends ScaffoldError {
  readonly code = "ENVTEST_STATE";
}

/** Is thrown when a folder or file of manifests given to an environment does not exist. */
export class ManifestPathMissingError extends ScaffoldError {
  readonly code = "ENVTEST_PATH_MISSING";

  constructor(what: string, path: string) {
    super(`cannot read ${what} from ${path}: there is no such file or folder`);
  }
}

/** Is thrown when a backend cannot do what was asked of it. */
export class BackendUnsupportedError extends ScaffoldError {
  readonly code = "ENVTEST_UNSUPPORTED";
}

/** Is thrown when the options or the variables of an environment contradict themselves. */
export class EnvironmentOptionsError extends ScaffoldError {
  readonly code = "ENVTEST_OPTIONS";
}

/** Is thrown when binaries cannot be found, downloaded or trusted. */
export class DownloadError extends ScaffoldError {
  readonly code = "ENVTEST_DOWNLOAD";
}

/** Thrown when an object is not as it was after it was converted to another version and back. */
export class ConversionLossError extends ScaffoldError {
  readonly code = "ENVTEST_CONVERSION_LOSS";

  constructor(object: object, there: object, back: object) {
    const [before, between, after] = [object, there, back].map((each) => JSON.stringify(each));
    super(
      `an object is not the same after it was converted and converted back: ${String(before)} became ${String(between)}, and that ${String(after)}`,
      {
        hint: "convert every field both ways; keep what the other version has no field for in an annotation",
      },
    );
  }
}

/** Thrown when an API server does not ask the webhooks of a kind as their configurations should have it do. */
export class AdmissionNotAskedError extends ScaffoldError {
  readonly code = "ENVTEST_NOT_ASKED";

  constructor(reasons: readonly string[]) {
    super(reasons.join("; "), {
      hint: "correct the +kubebuilder:webhook marker above the webhook (path, verbs, groups, resources, versions), and run `npm run manifests`",
    });
  }
}

/** Returns the message of an error, or whatever else was thrown as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
