import type { GateName } from "./gate-names.ts";
import { defaultRelease, type MinorVersion, type Release } from "./release.ts";

let current: Release = defaultRelease;

/**
 * Runs a rule with the conditions of a release: {@link isEnabled} and {@link since} answer for it until the rule returns.
 *
 * Rules of all kinds share their parts, in which Kubernetes, too, looks up a gate where it is needed. What runs after an `await` is outside: such a rule
 * takes the release as a parameter.
 */
export function inRelease<Result>(release: Release, rule: () => Result): Result {
  const outer = current;
  current = release;
  try {
    return rule();
  } finally {
    current = outer;
  }
}

/** Returns an object whose functions run with the conditions of a release; the object itself for the default one, whose conditions hold everywhere else. */
export function rulesIn<Rules extends object>(release: Release, rules: Rules): Rules {
  if (release === defaultRelease) return rules;
  const entries = Object.entries(rules).map(([name, rule]: [string, unknown]) => [
    name,
    typeof rule === "function" ? (...args: readonly unknown[]) => inRelease(release, () => rule(...args)) : rule,
  ]);
  return Object.fromEntries(entries) as Rules;
}

/** Reports whether a feature is enabled on the server whose rule runs. */
export function isEnabled(gate: GateName): boolean {
  return current.isEnabled(gate);
}

/** Reports whether the server whose rule runs is of a minor version or a newer one; for changes that have no feature gate. */
export function since(minor: MinorVersion): boolean {
  return current.since(minor);
}
