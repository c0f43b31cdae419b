import { ScaffoldError } from "@kubescaffold/k8s";

/** Is thrown when two finalizers are registered under one key. */
export class FinalizerRegisteredError extends ScaffoldError {
  readonly code = "CONTROLLER_FINALIZER_REGISTERED";

  constructor(key: string) {
    super(`cannot register the finalizer ${key}: there is one of that key`);
  }
}

/** Is thrown when finalizers of an object failed; those that succeeded are off the object that it carries. */
export class FinalizeError extends ScaffoldError {
  readonly code = "CONTROLLER_FINALIZE";
  /** What went wrong, by key. */
  readonly failures: ReadonlyMap<string, unknown>;

  constructor(failures: ReadonlyMap<string, unknown>) {
    const [first] = failures.values();
    const list = [...failures].map(
      ([key, error]) => `${key}: ${error instanceof Error ? error.message : String(error)}`,
    );
    super(`cannot finalize the object: ${list.join("; ")}`, { cause: first });
    this.failures = failures;
  }
}
