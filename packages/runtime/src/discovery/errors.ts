import {
  groupResourceToString,
  type GroupVersionKind,
  type GroupVersionResource,
  messageOf,
  ScaffoldError,
} from "@kubescaffold/k8s";

/**
 * Thrown when the API server does not serve a kind or resource, even after discovery was refreshed.
 *
 * Fix: Install its CustomResourceDefinition, or check group, version, and kind.
 *
 * apimachinery: pkg/api/meta.NoKindMatchError
 */
export class NoMatchError extends ScaffoldError {
  readonly code = "CLIENT_NO_MATCH";

  constructor(what: string) {
    super(`the server does not serve ${what}`, {
      hint: "install its CustomResourceDefinition and wait until it is established, or check the group, version, and kind",
    });
  }
}

/** Reports whether an error means that the server does not serve the kind. */
export function isNoMatch(error: unknown): error is NoMatchError {
  return error instanceof NoMatchError;
}

/**
 * Thrown when the discovery of the resources in a group version failed.
 *
 * Fix: Check the APIService of the group and its server.
 *
 * controller-runtime: pkg/client/apiutil.ErrResourceDiscoveryFailed
 */
export class DiscoveryError extends ScaffoldError {
  readonly code = "CLIENT_DISCOVERY";
  /** The failures by `group/version`. */
  readonly failures: ReadonlyMap<string, unknown>;

  constructor(failures: ReadonlyMap<string, unknown>) {
    const [first] = failures.values();
    const list = [...failures].map(([groupVersion, error]) => `${groupVersion} (${messageOf(error)})`);
    super(`cannot discover the resources of ${list.join(", ")}`, {
      hint: "check the APIService of the group and the server behind it",
      cause: first,
    });
    this.failures = failures;
  }
}

/**
 * Thrown when a resource without group or version matches several kinds or resources of a REST mapper.
 *
 * Fix: Name the group and the version: `events.v1.events.k8s.io`.
 *
 * apimachinery: pkg/api/meta.AmbiguousResourceError
 */
export class AmbiguousResourceError extends ScaffoldError {
  readonly code = "CLIENT_AMBIGUOUS_RESOURCE";
  /** The resources that match. */
  readonly matches: readonly GroupVersionResource[];

  constructor(what: string, matches: readonly GroupVersionResource[]) {
    const names = matches.map((each) => `${groupResourceToString(each)} (${each.version})`);
    super(`the resource ${what} matches ${names.join(", ")}`, { hint: "name the group and the version" });
    this.matches = matches;
  }
}

/**
 * Thrown when several REST mappers map a kind to different resources.
 *
 * Fix: Use `createFirstHitRestMapper`, or remove one of the mappings.
 *
 * apimachinery: pkg/api/meta.AmbiguousKindError
 */
export class AmbiguousKindError extends ScaffoldError {
  readonly code = "CLIENT_AMBIGUOUS_KIND";
  /** The resources that match. */
  readonly matches: readonly GroupVersionResource[];

  constructor({ kind, version, group }: GroupVersionKind, matches: readonly GroupVersionResource[]) {
    const names = matches.map((each) => `${groupResourceToString(each)} (${each.version})`);
    super(`the kind ${kind} in ${group === "" ? version : `${group}/${version}`} matches ${names.join(", ")}`, {
      hint: "use createFirstHitRestMapper, or remove one of the mappings",
    });
    this.matches = matches;
  }
}

/**
 * Reports whether an error means that a kind or resource matches several ones.
 *
 * apimachinery: pkg/api/meta.IsAmbiguousError
 */
export function isAmbiguousError(error: unknown): error is AmbiguousResourceError | AmbiguousKindError {
  return error instanceof AmbiguousResourceError || error instanceof AmbiguousKindError;
}

/**
 * Thrown when the server's list of OpenAPI documents is invalid.
 *
 * Fix: Check that the address is an API server.
 */
export class OpenApiError extends ScaffoldError {
  readonly code = "CLIENT_OPENAPI";

  constructor(detail: string) {
    super(`cannot use the list of OpenAPI documents of the server: ${detail}`, {
      hint: "check that the address is an API server",
    });
  }
}
