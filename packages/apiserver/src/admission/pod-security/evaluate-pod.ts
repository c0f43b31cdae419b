import { BASELINE_CHECKS } from "./baseline-checks.ts";
import type { PodCheck, PodSubject, VersionedCheck, Violation } from "./check.ts";
import type { LevelVersion } from "./pod-security-levels.ts";
import { RESTRICTED_CHECKS } from "./restricted-checks.ts";

/** Returns the violations of a level; none for `privileged`. */
export function violationsOf({ level, minor }: LevelVersion, pod: PodSubject): readonly Violation[] {
  if (level === "privileged") return [];
  return checksOf(level, minor).flatMap((check) => check(pod) ?? []);
}

function checksOf(level: "baseline" | "restricted", minor: number): readonly PodCheck[] {
  const restricted = level === "baseline" ? [] : RESTRICTED_CHECKS.flatMap((check) => versionOf(check, minor) ?? []);
  const replaced = new Set(restricted.flatMap(({ replaces = [] }) => replaces));
  const baseline = BASELINE_CHECKS.filter(({ id }) => !replaced.has(id)).flatMap(
    (each) => versionOf(each, minor) ?? [],
  );
  return [...baseline, ...restricted].map(({ check }) => check);
}

function versionOf({ versions }: VersionedCheck, minor: number): VersionedCheck["versions"][number] | undefined {
  return versions.findLast(({ since }) => since <= minor);
}

/** Prints violations with their details. */
export function detailText(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => (detail === "" ? reason : `${reason} (${detail})`)).join(", ");
}

/** Prints violations without their details. */
export function reasonText(violations: readonly Violation[]): string {
  return violations.map(({ reason }) => reason).join(", ");
}
