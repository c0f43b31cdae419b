import { type CelType, structType } from "./cel-type.ts";
import { CelError, CelObject, type CelValue } from "./cel-value.ts";
import { noSuchOverload } from "./equality.ts";

const SEMVER_TYPE = structType("kubernetes.Semver");
const MAX_UINT = 2n ** 64n - 1n;

interface VersionParts {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: readonly string[];
  readonly build: readonly string[];
}

/** A semantic version. */
export class CelSemver extends CelObject {
  readonly type: CelType = SEMVER_TYPE;
  readonly parts: VersionParts;

  constructor(parts: VersionParts) {
    super();
    this.parts = parts;
  }

  /** Orders two versions; what is behind a `+` does not count. */
  compare(other: CelSemver): -1 | 0 | 1 {
    for (const name of ["major", "minor", "patch"] as const) {
      const [mine, theirs] = [this.parts[name], other.parts[name]];
      if (mine !== theirs) return mine < theirs ? -1 : 1;
    }
    return comparePrereleases(this.parts.prerelease, other.parts.prerelease);
  }

  equals(other: CelValue): boolean | CelError {
    return other instanceof CelSemver ? this.compare(other) === 0 : noSuchOverload();
  }

  override toString(): string {
    const { major, minor, patch, prerelease, build } = this.parts;
    const suffix = prerelease.length === 0 ? "" : `-${prerelease.join(".")}`;
    return `${String(major)}.${String(minor)}.${String(patch)}${suffix}${build.length === 0 ? "" : `+${build.join(".")}`}`;
  }
}

// A release comes after all of its prereleases.
function comparePrereleases(left: readonly string[], right: readonly string[]): -1 | 0 | 1 {
  if (left.length === 0 || right.length === 0) return left.length === right.length ? 0 : left.length === 0 ? 1 : -1;
  for (const [index, mine] of left.entries()) {
    const theirs = right[index];
    if (theirs === undefined) return 1;
    const order = compareIdentifiers(mine, theirs);
    if (order !== 0) return order;
  }
  return left.length === right.length ? 0 : -1;
}

// Numbers come before words.
function compareIdentifiers(left: string, right: string): -1 | 0 | 1 {
  const [isLeftNumber, isRightNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)];
  if (isLeftNumber !== isRightNumber) return isLeftNumber ? -1 : 1;
  if (left === right) return 0;
  return (isLeftNumber ? BigInt(left) < BigInt(right) : left < right) ? -1 : 1;
}

/** Reads a version; with `isNormalized` a leading `v`, leading zeros and missing parts are allowed. */
export function readSemver(text: string, isNormalized: boolean): CelSemver | CelError {
  const normal = isNormalized ? normalize(text) : text;
  if (normal instanceof CelError) return normal;
  if (normal === "") return new CelError("Version string empty");
  const [major, minor, ...rest] = normal.split(".");
  if (major === undefined || minor === undefined || rest.length === 0)
    return new CelError("No Major.Minor.Patch elements found");
  return readParts(major, minor, rest.join("."));
}

function readParts(majorText: string, minorText: string, rest: string): CelSemver | CelError {
  const {
    patch: patchText = "",
    prerelease,
    build,
  } = /^(?<patch>[^-+]*)(?:-(?<prerelease>[^+]*))?(?:\+(?<build>[^]*))?$/.exec(rest)?.groups ?? {};
  const major = readNumber(majorText, "major");
  if (major instanceof CelError) return major;
  const minor = readNumber(minorText, "minor");
  if (minor instanceof CelError) return minor;
  const patch = readNumber(patchText, "patch");
  if (patch instanceof CelError) return patch;
  const parts = { major, minor, patch, prerelease: prerelease?.split(".") ?? [], build: build?.split(".") ?? [] };
  return problemOf(parts.prerelease, parts.build) ?? new CelSemver(parts);
}

function readNumber(text: string, name: string): bigint | CelError {
  if (!/^\d*$/.test(text)) return new CelError(`Invalid character(s) found in ${name} number ${JSON.stringify(text)}`);
  if (/^0\d/.test(text)) {
    const title = name.slice(0, 1).toUpperCase() + name.slice(1);
    return new CelError(`${title} number must not contain leading zeroes ${JSON.stringify(text)}`);
  }
  if (text === "") return new CelError('strconv.ParseUint: parsing "": invalid syntax');
  const value = BigInt(text);
  return value > MAX_UINT
    ? new CelError(`strconv.ParseUint: parsing ${JSON.stringify(text)}: value out of range`)
    : value;
}

function problemOf(prerelease: readonly string[], build: readonly string[]): CelError | undefined {
  for (const part of prerelease) {
    if (part === "") return new CelError("Prerelease is empty");
    if (/^0\d+$/.test(part))
      return new CelError(`Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(part)}`);
    if (!/^[-0-9A-Za-z]+$/.test(part))
      return new CelError(`Invalid character(s) found in prerelease ${JSON.stringify(part)}`);
  }
  for (const part of build) {
    if (part === "") return new CelError("Build meta data is empty");
    if (!/^[-0-9A-Za-z]+$/.test(part))
      return new CelError(`Invalid character(s) found in build meta data ${JSON.stringify(part)}`);
  }
  return undefined;
}

function normalize(text: string): string | CelError {
  const [major = "", minor, ...rest] = text.replace(/^v/, "").split(".");
  const parts = [major, ...(minor === undefined ? [] : [minor]), ...(rest.length === 0 ? [] : [rest.join(".")])];
  const stripped = parts.map((part) => part.replace(/^0+(?=\d)/, ""));
  if (stripped.length < 3 && /[-+]/.test(stripped.at(-1) ?? "")) {
    return new CelError("short version cannot contain PreRelease/Build meta data");
  }
  return [...stripped, "0", "0"].slice(0, Math.max(3, stripped.length)).join(".");
}
