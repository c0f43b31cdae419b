import { ScaffoldError } from "@kubescaffold/k8s";

/** Thrown when a binary of the control plane is not found. */
export class AssetMissingError extends ScaffoldError {
  readonly code = "ENVTEST_ASSET_MISSING";

  constructor(program: string, searched: readonly string[]) {
    super(`cannot find ${program} in ${searched.length === 0 ? "any folder" : searched.join(", ")}`, {
      hint: "set KUBEBUILDER_ASSETS to a folder with etcd and kube-apiserver, or use the embedded backend",
    });
  }
}

/** Thrown when a program of the control plane exits or is not ready in time; the message ends with its last output. */
export class ControlPlaneStartError extends ScaffoldError {
  readonly code = "ENVTEST_START_FAILED";

  constructor(program: string, why: string, options: { readonly output?: string; readonly cause?: unknown } = {}) {
    super(`cannot start ${program}: ${why}${options.output ? `\n${options.output}` : ""}`, {
      cause: options.cause,
      hint: "set KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT=true to see all of its output",
    });
  }
}

/** Thrown when a program of the control plane had to be killed. */
export class ControlPlaneStopError extends ScaffoldError {
  readonly code = "ENVTEST_STOP_FAILED";

  constructor(program: string, timeoutMs: number) {
    super(`cannot stop ${program} within ${String(timeoutMs)} ms: it was killed`);
  }
}

/** Thrown when the API server does not reach an expected state in time. */
export class EnvironmentTimeoutError extends ScaffoldError {
  readonly code = "ENVTEST_TIMEOUT";

  constructor(what: string, timeoutMs: number, cause?: unknown) {
    super(
      `timed out waiting for ${what} after ${String(timeoutMs)} ms${cause instanceof ScaffoldError ? `: ${cause.message}` : ""}`,
      { cause },
    );
  }
}

/** Thrown when an environment is used before its start, or started twice. */
export class EnvironmentStateError extends ScaffoldError {
  readonly code = "ENVTEST_STATE";
}

/** Thrown when a folder or file of manifests does not exist. */
export class ManifestPathMissingError extends ScaffoldError {
  readonly code = "ENVTEST_PATH_MISSING";

  constructor(what: string, path: string) {
    super(`cannot read ${what} from ${path}: no such file or folder`);
  }
}

/** Thrown when a backend does not support an operation. */
export class BackendUnsupportedError extends ScaffoldError {
  readonly code = "ENVTEST_UNSUPPORTED";
}

/** Thrown when the options or variables of an environment are invalid. */
export class EnvironmentOptionsError extends ScaffoldError {
  readonly code = "ENVTEST_OPTIONS";
}

/** Thrown when binaries cannot be found, downloaded, or verified. */
export class DownloadError extends ScaffoldError {
  readonly code = "ENVTEST_DOWNLOAD";
}

/** Thrown when an object changes in a conversion to another version and back. */
export class ConversionLossError extends ScaffoldError {
  readonly code = "ENVTEST_CONVERSION_LOSS";

  constructor(object: object, there: object, back: object) {
    const [before, between, after] = [object, there, back].map((each) => JSON.stringify(each));
    super(
      `an object changed in a conversion and back: ${String(before)} became ${String(between)}, and that ${String(after)}`,
      {
        hint: "convert every field in both directions, and store values without a field in the other version in an annotation",
      },
    );
  }
}

/** Thrown when an API server does not call the webhooks of a kind as configured. */
export class AdmissionNotAskedError extends ScaffoldError {
  readonly code = "ENVTEST_NOT_ASKED";

  constructor(reasons: readonly string[]) {
    super(reasons.join("; "), {
      hint: "fix the +kubebuilder:webhook marker above the webhook (path, verbs, groups, resources, versions), and run `npm run manifests`",
    });
  }
}

/** Returns the message of an error, or the text of any other thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
