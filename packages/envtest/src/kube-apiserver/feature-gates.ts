import type { FeatureGate, FeatureGates, ServerRelease } from "@kubescaffold/apiserver";

import { ServerFlagError } from "../failures/errors.ts";

// The gates that can differ from their default.
const SIMULATED: readonly (keyof FeatureGates)[] = ["CBORServingAndStorage", "MutatingAdmissionPolicy"];

/**
 * Reads feature gates of a release, of the form `name=true`; the last value of a gate counts.
 *
 * Fails: ServerFlagError for an unknown gate, and one that differs from its default and is not simulated.
 */
export function readFeatureGates(gates: readonly string[], release: ServerRelease): FeatureGates {
  const known = gates.length === 0 ? new Map<string, FeatureGate>() : gatesOf(release);
  const stated: Partial<Record<keyof FeatureGates, boolean>> = {};
  for (const gate of gates) {
    const [name = "", value = ""] = gate.replace(/^kube:/u, "").split("=");
    const found = known.get(name);
    if (found === undefined) {
      throw new ServerFlagError(`unknown feature gate "${name}"`, {
        hint: `remove the gate, which kube-apiserver ${release.minor} does not have either`,
      });
    }
    if (value !== "true" && value !== "false")
      throw new ServerFlagError(`invalid value "${value}" of the feature gate ${name}`);
    // A feature that is generally available cannot be turned off.
    const simulated = found.stage === "" ? undefined : SIMULATED.find((each) => each === name);
    if (simulated !== undefined) {
      stated[simulated] = value === "true";
    } else if (found.isOn !== (value === "true")) {
      throw new ServerFlagError(
        `cannot set the feature gate ${name} to ${value}: the embedded API server has the defaults of ${release.minor}`,
        {
          hint: "remove the gate, or use the binaries of a real control plane",
        },
      );
    }
  }
  return stated;
}

function gatesOf(release: ServerRelease): ReadonlyMap<string, FeatureGate> {
  return new Map(release.gates().map((gate) => [gate.name, gate]));
}
