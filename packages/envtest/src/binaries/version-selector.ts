import { EnvironmentOptionsError } from "../failures/errors.ts";

/** A released version, without `v`. */
export interface ReleasedVersion {
  /** The major version. */
  readonly major: number;
  /** The minor version. */
  readonly minor: number;
  /** The patch version. */
  readonly patch: number;
}

/** Selects one version, the newest of a series, or the newest of all; `isLatestWanted` reads the index even if the store has a match, which an exact version never needs. */
export type VersionSelector =
  | { readonly kind: "exact"; readonly version: ReleasedVersion }
  | {
      readonly kind: "range";
      readonly accepts: (version: ReleasedVersion) => boolean;
      readonly isLatestWanted: boolean;
    }
  | { readonly kind: "latest"; readonly isLatestWanted: true }
  | { readonly kind: "latest-on-disk"; readonly isLatestWanted: false };

const PATTERN = /^(?<operator>~|<=|<)?v?(?<major>\d+)\.(?<minor>\d+)(?:\.(?<patch>\d+|x|\*))?$/u;

/**
 * Parses a selector of setup-envtest's grammar: `1.31.2`, `1.31`, `1.31.x`, `1.31.*`, `~1.31.1`, `<1.31`, `<=1.31`, each with an optional final
 * `!` that reads the index even if the store has a match; `latest`, `latest-on-disk`.
 *
 * Fails: {@link EnvironmentOptionsError} for any other text.
 */
export function parseVersionSelector(text: string): VersionSelector {
  if (text === "latest" || text === "latest!") return { kind: "latest", isLatestWanted: true };
  if (text === "latest-on-disk") return { kind: "latest-on-disk", isLatestWanted: false };
  const isLatestWanted = text.endsWith("!");
  const groups = PATTERN.exec(isLatestWanted ? text.slice(0, -1) : text)?.groups;
  if (groups === undefined) {
    throw new EnvironmentOptionsError(`cannot read ${text} as a version`, {
      hint: "use a form such as 1.31.2, 1.31.x, ~1.31.1, <1.31, latest, or latest-on-disk",
    });
  }
  const { operator, patch } = groups;
  const hasPatch = patch !== undefined && patch !== "x" && patch !== "*";
  const version = {
    major: Number(groups["major"]),
    minor: Number(groups["minor"]),
    patch: hasPatch ? Number(patch) : 0,
  };
  if (operator === undefined && hasPatch) return { kind: "exact", version };
  return { kind: "range", accepts: acceptsOf(operator, version, hasPatch), isLatestWanted };
}

/** Parses a version with or without `v`; returns undefined for any other text, including prereleases. */
export function parseReleasedVersion(text: string): ReleasedVersion | undefined {
  const match = /^v?(\d+)\.(\d+)\.(\d+)$/u.exec(text);
  return match === null ? undefined : { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3]) };
}

/** Orders versions, oldest first. */
export function compareVersions(a: ReleasedVersion, b: ReleasedVersion): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch;
}

/** Prints a version without a `v`. */
export function printVersion({ major, minor, patch }: ReleasedVersion): string {
  return `${String(major)}.${String(minor)}.${String(patch)}`;
}

/** Reports whether a selector accepts a version. */
export function isSelectedVersion(selector: VersionSelector, version: ReleasedVersion): boolean {
  if (selector.kind === "exact") return compareVersions(selector.version, version) === 0;
  return selector.kind !== "range" || selector.accepts(version);
}

// Without a patch `<1.31` means below 1.31.0, and `<=1.31` up to the last 1.31.
function acceptsOf(
  operator: string | undefined,
  wanted: ReleasedVersion,
  hasPatch: boolean,
): (version: ReleasedVersion) => boolean {
  const isSameSeries = (version: ReleasedVersion): boolean =>
    version.major === wanted.major && version.minor === wanted.minor;
  switch (operator) {
    case "<":
      return (version) => compareVersions(version, wanted) < 0;
    case "<=":
      return (version) => compareVersions(version, wanted) <= 0 || (!hasPatch && isSameSeries(version));
    case "~":
      return (version) => isSameSeries(version) && version.patch >= wanted.patch;
    default:
      return isSameSeries;
  }
}
