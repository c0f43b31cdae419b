import { type FieldError, invalidField } from "@kubescaffold/k8s";

/** The levels of the Pod security standards, from the least to the most restricted. */
const LEVELS = ["privileged", "baseline", "restricted"] as const;

/** A level of the Pod security standards. */
type PodSecurityLevel = (typeof LEVELS)[number];

/** A level in the version of a minor release of Kubernetes. */
export interface LevelVersion {
  readonly level: PodSecurityLevel;
  /** The minor version; Infinity for the latest. */
  readonly minor: number;
}

/** The levels of a namespace. */
export interface PodSecurityPolicy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

const LATEST = Number.POSITIVE_INFINITY;
const PRIVILEGED: LevelVersion = { level: "privileged", minor: LATEST };

/** The levels of namespaces without labels, unless they are configured. */
export const DEFAULT_POLICY: PodSecurityPolicy = { enforce: PRIVILEGED, audit: PRIVILEGED, warn: PRIVILEGED };

const PREFIX = "pod-security.kubernetes.io/";

/**
 * Reads the levels of a namespace from its labels; those that it does not state are the defaults. Those that cannot be read are restricted when enforced,
 * else privileged.
 */
export function levelsOf(
  labels: Readonly<Record<string, string>>,
  defaults: PodSecurityPolicy,
): {
  readonly policy: PodSecurityPolicy;
  readonly errors: readonly FieldError[];
} {
  if (!Object.keys(labels).some((key) => key.startsWith(PREFIX))) return { policy: defaults, errors: [] };
  const read = (mode: keyof PodSecurityPolicy, levelOfErrors: PodSecurityLevel): Mode =>
    readMode(labels, { mode, levelOfErrors, standard: defaults[mode] });
  const enforce = read("enforce", "restricted");
  const audit = read("audit", "privileged");
  const warn = read("warn", "privileged");
  const errors = [...enforce.errors, ...audit.errors, ...warn.errors];
  const isRaised = !warn.hasLevel && enforce.hasLevel && enforce.isValid && compareLevels(enforce, warn) > 0;
  const raised = isRaised
    ? { level: enforce.level, minor: warn.hasVersion ? warn.minor : enforce.minor }
    : levelVersion(warn);
  return { policy: { enforce: levelVersion(enforce), audit: levelVersion(audit), warn: raised }, errors };
}

interface Mode extends LevelVersion {
  readonly hasLevel: boolean;
  readonly hasVersion: boolean;
  readonly isValid: boolean;
  readonly errors: readonly FieldError[];
}

function readMode(
  labels: Readonly<Record<string, string>>,
  {
    mode,
    levelOfErrors,
    standard,
  }: {
    readonly mode: keyof PodSecurityPolicy;
    readonly levelOfErrors: PodSecurityLevel;
    readonly standard: LevelVersion;
  },
): Mode {
  const [levelLabel, versionLabel] = [`${PREFIX}${mode}`, `${PREFIX}${mode}-version`];
  const [level, version] = [labels[levelLabel], labels[versionLabel]];
  const isValid = level === undefined || isLevel(level);
  const minor = version === undefined ? standard.minor : minorOf(version);
  return {
    level: level === undefined ? standard.level : isLevel(level) ? level : levelOfErrors,
    minor: minor ?? LATEST,
    hasLevel: level !== undefined,
    hasVersion: version !== undefined,
    isValid,
    errors: [
      ...(isValid ? [] : [labelError(levelLabel, level, `must be one of ${LEVELS.join(", ")}`)]),
      ...(minor === undefined ? [labelError(versionLabel, version ?? "", 'must be "latest" or "v1.x"')] : []),
    ],
  };
}

/** Reads a level and a version as a configuration states them; undefined if they cannot be read. */
export function parseLevel(level: string, version: string): LevelVersion | undefined {
  const minor = minorOf(version);
  return isLevel(level) && minor !== undefined ? { level, minor } : undefined;
}

function labelError(label: string, value: string, detail: string): FieldError {
  return invalidField(`metadata.labels[${label}]`, value, detail);
}

function isLevel(text: string): text is PodSecurityLevel {
  return (LEVELS as readonly string[]).includes(text);
}

function minorOf(version: string): number | undefined {
  if (version === "latest") return LATEST;
  const minor = /^v1\.(\d|[1-9]\d*)$/.exec(version)?.[1];
  return minor === undefined ? undefined : Number(minor);
}

function levelVersion({ level, minor }: LevelVersion): LevelVersion {
  return { level, minor };
}

/** Compares levels by strictness. */
export function compareLevels(left: LevelVersion, right: LevelVersion): number {
  return LEVELS.indexOf(left.level) - LEVELS.indexOf(right.level);
}

/** Reports whether two levels are the same, in the same version. */
export function isSameLevel(left: LevelVersion, right: LevelVersion): boolean {
  return left.level === right.level && left.minor === right.minor;
}

/** Reports whether a policy restricts nothing. */
export function isPrivileged({ enforce, audit, warn }: PodSecurityPolicy): boolean {
  return [enforce, audit, warn].every(({ level }) => level === "privileged");
}

/** Prints a level with its version: `restricted:latest`, `baseline:v1.25`. */
export function levelText({ level, minor }: LevelVersion): string {
  return `${level}:${minor === LATEST ? "latest" : `v1.${String(minor)}`}`;
}
