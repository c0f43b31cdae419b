import { ScaffoldError } from "@kubescaffold/k8s";

/** Is thrown when the server, asked again, does not know a kind or resource. */
export class NoMatchError extends ScaffoldError {
  readonly code = "CLIENT_NO_MATCH";

  constructor(what: string) {
    super(`the server does not know ${what}`, {
      hint: "install its CustomResourceDefinition, or check group, version and kind",
    });
  }
}

/** Says whether an error means that the server does not know the kind. */
export function isNoMatch(error: unknown): error is NoMatchError {
  return error instanceof NoMatchError;
}

/** Is thrown when the server could not say which resources some group versions have. */
export class DiscoveryError extends ScaffoldError {
  readonly code = "CLIENT_DISCOVERY";
  /** What went wrong, by `group/version`. */
  readonly failures: ReadonlyMap<string, unknown>;

  constructor(failures: ReadonlyMap<string, unknown>) {
    const [first] = failures.values();
    const list = [...failures].map(([groupVersion, error]) => `${groupVersion} (${messageOf(error)})`);
    super(`cannot find out the resources of ${list.join(", ")}`, {
      hint: "check the APIService of the group and the server behind it",
      cause: first,
    });
    this.failures = failures;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
