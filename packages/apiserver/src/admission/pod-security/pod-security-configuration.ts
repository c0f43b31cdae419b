import {
  aggregateFieldErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  duplicateField,
  type FieldError,
  invalidField,
  ScaffoldError,
} from "@kubescaffold/k8s";

import { repeatedIndexes } from "../../resources/repeated-indexes.ts";
import {
  DEFAULT_POLICY,
  isPrivileged,
  isSameLevel,
  levelText,
  parseLevel,
  type PodSecurityPolicy,
} from "./pod-security-levels.ts";

/** The configuration of Pod security, as `PodSecurityConfiguration` of `pod-security.admission.config.k8s.io/v1` states it. */
export interface PodSecurityOptions {
  /** The levels and versions of namespaces that do not state them. Default: `privileged` in the version `latest`. */
  readonly defaults?: {
    /** The level that is enforced. */
    readonly enforce?: string;
    /** Its version. */
    readonly "enforce-version"?: string;
    /** The level whose violations are added to audit events. */
    readonly audit?: string;
    /** Its version. */
    readonly "audit-version"?: string;
    /** The level whose violations are warned about. */
    readonly warn?: string;
    /** Its version. */
    readonly "warn-version"?: string;
  };
  /** What is not checked. */
  readonly exemptions?: {
    /** Names of users. */
    readonly usernames?: readonly string[];
    /** Names of RuntimeClasses. */
    readonly runtimeClasses?: readonly string[];
    /** Names of namespaces. */
    readonly namespaces?: readonly string[];
  };
}

/** A configuration that has been read. */
export interface PodSecurityConfiguration {
  readonly defaults: PodSecurityPolicy;
  readonly usernames: ReadonlySet<string>;
  readonly runtimeClasses: ReadonlySet<string>;
  readonly namespaces: ReadonlySet<string>;
}

/** The configuration of servers without one. */
export const DEFAULT_CONFIGURATION: PodSecurityConfiguration = {
  defaults: DEFAULT_POLICY,
  usernames: new Set(),
  runtimeClasses: new Set(),
  namespaces: new Set(),
};

/**
 * Thrown when the configuration of Pod security is not valid.
 *
 * Fix: Correct the fields that the message names: levels are `privileged`, `baseline`, and `restricted`; versions are `latest` and `v1.x`.
 */
export class PodSecurityConfigurationError extends ScaffoldError {
  readonly code = "APISERVER_POD_SECURITY_CONFIGURATION";
}

/** Reads a configuration. Fails: PodSecurityConfigurationError. */
export function readConfiguration({ defaults = {}, exemptions = {} }: PodSecurityOptions): PodSecurityConfiguration {
  const { usernames = [], runtimeClasses = [], namespaces = [] } = exemptions;
  const errors: readonly FieldError[] = [
    ...MODES.flatMap((mode) => modeErrors(mode, defaults)),
    ...nameErrors("exemptions.namespaces", namespaces, dns1123LabelErrors),
    ...nameErrors("exemptions.runtimeClasses", runtimeClasses, dns1123SubdomainErrors),
    ...nameErrors("exemptions.usernames", usernames, (name) => (name === "" ? ["username must not be empty"] : [])),
  ];
  if (errors.length > 0) {
    throw new PodSecurityConfigurationError(`invalid configuration of PodSecurity: ${aggregateFieldErrors(errors)}`);
  }
  const [enforce, warn, audit] = MODES.map((mode) => parseLevel(...modeOf(mode, defaults)));
  return {
    defaults: { ...DEFAULT_POLICY, ...(enforce && { enforce }), ...(audit && { audit }), ...(warn && { warn }) },
    usernames: new Set(usernames),
    runtimeClasses: new Set(runtimeClasses),
    namespaces: new Set(namespaces),
  };
}

const MODES = ["enforce", "warn", "audit"] as const;

type Mode = (typeof MODES)[number];
type Defaults = NonNullable<PodSecurityOptions["defaults"]>;

function modeOf(mode: Mode, defaults: Defaults): readonly [level: string, version: string] {
  return [defaults[mode] ?? "privileged", defaults[`${mode}-version`] ?? "latest"];
}

function modeErrors(mode: Mode, defaults: Defaults): readonly FieldError[] {
  const [level, version] = modeOf(mode, defaults);
  return [
    ...(parseLevel(level, "latest") === undefined
      ? [invalidField(`defaults.${mode}`, level, "must be one of privileged, baseline, restricted")]
      : []),
    ...(parseLevel("privileged", version) === undefined
      ? [invalidField(`defaults.${mode}-version`, version, 'must be "latest" or "v1.x"')]
      : []),
  ];
}

function nameErrors(
  field: string,
  names: readonly string[],
  problemsOf: (name: string) => readonly string[],
): readonly FieldError[] {
  const repeated = repeatedIndexes(names);
  return names.flatMap((name, index) => {
    const place = `${field}[${String(index)}]`;
    const problems = problemsOf(name);
    if (problems.length > 0) return [invalidField(place, name, problems.join(", "))];
    return repeated.has(index) ? [duplicateField(place, name)] : [];
  });
}

/** Returns the warning for an exempt namespace whose labels state levels that have no effect. */
export function exemptNamespaceWarning(
  name: string,
  {
    policy,
    labels,
    defaults,
  }: {
    readonly policy: PodSecurityPolicy;
    readonly labels: Readonly<Record<string, string>>;
    readonly defaults: PodSecurityPolicy;
  },
): string | undefined {
  const isDefault = MODES.every((mode) => isSameLevel(policy[mode], defaults[mode]));
  if (isPrivileged(policy) || isDefault) return undefined;
  const stated = (["enforce", "audit", "warn"] as const).filter((mode) => {
    const label = `pod-security.kubernetes.io/${mode}`;
    return (
      policy[mode].level !== "privileged" && (Object.hasOwn(labels, label) || Object.hasOwn(labels, `${label}-version`))
    );
  });
  const text = stated.map((mode) => `${mode}=${levelText(policy[mode])}`).join(", ");
  return `namespace ${JSON.stringify(name)} is exempt from Pod Security, and the policy (${text}) will be ignored`;
}
