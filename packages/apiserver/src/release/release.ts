import { type BuiltInApi, builtInApi, patchedBuiltInApi } from "@kubescaffold/k8s/schemas";

import type { GateName } from "./gate-names.ts";
import { readReleaseFiles } from "./release-files.ts";
import { baseTables, linesOf, lineStarting, patchedTables, type ReleaseTables } from "./release-tables.ts";
import { type ServerVersion, serverVersionOf } from "./server-version.ts";

/** The minor version of Kubernetes that a server is: all that differs between minor versions, or follows from it. */
export interface Release {
  /** The minor version, such as `1.35`. */
  readonly minor: string;
  /** The body of `/version`. */
  readonly version: ServerVersion;
  /** The built-in resources and their schemas. */
  readonly api: BuiltInApi;
  /** The lines of the table of roles that a server creates when it starts. */
  readonly roles: string;
  /** The lines of the table of bindings that a server creates when it starts. */
  readonly bindings: string;
  /** Returns the feature gates of the version, sorted by name. */
  readonly gates: () => readonly FeatureGate[];
  /** Reports whether a feature is enabled: also one that is generally available, and whose gate is gone. */
  readonly isEnabled: (gate: GateName) => boolean;
  /** Reports whether this is a minor version or a newer one; for changes that have no feature gate. */
  readonly since: (minor: MinorVersion) => boolean;
}

/** A minor version of Kubernetes. */
export type MinorVersion = `1.${number}`;

/** A feature gate, as the metrics of a server state it. */
export interface FeatureGate {
  /** The name. */
  readonly name: string;
  /** `ALPHA`, `BETA`, `DEPRECATED`, or empty for a feature that is generally available. */
  readonly stage: string;
  /** Whether it is enabled. */
  readonly isOn: boolean;
}

/** The release whose types `@kubescaffold/k8s` contains. */
export const defaultRelease: Release = createRelease(baseTables, builtInApi);

/**
 * Returns the release of a minor version, such as `1.37`, whose tables are read on first use; undefined for one without tables.
 *
 * Guarantees: the same object at each call, and for {@link defaultRelease} that one.
 */
export function loadRelease(minor: string): Release | undefined {
  if (minor === defaultRelease.minor) return defaultRelease;
  const known = loaded.get(minor);
  if (known !== undefined) return known;
  const files = readReleaseFiles(minor);
  if (files === undefined) return undefined;
  const release = createRelease(patchedTables(baseTables, files.server), patchedBuiltInApi(files.api));
  loaded.set(minor, release);
  return release;
}

const loaded = new Map<string, Release>();

/** Returns a release with some feature gates changed. */
export function withGates(release: Release, changed: Readonly<Record<string, boolean | undefined>>): Release {
  const entries = Object.entries(changed).filter(([, isOn]) => isOn !== undefined);
  if (entries.length === 0) return release;
  const states = new Map(entries);
  return {
    ...release,
    gates: () => release.gates().map((gate) => ({ ...gate, isOn: states.get(gate.name) ?? gate.isOn })),
    isEnabled: (gate) => states.get(gate) ?? release.isEnabled(gate),
  };
}

function createRelease(tables: ReleaseTables, api: BuiltInApi): Release {
  const { minor, version, roles, bindings } = tables;
  const own = numberOf(minor);
  let gates: readonly FeatureGate[] | undefined;
  const states = new Map<string, boolean>();
  const parsed = (): readonly FeatureGate[] => (gates ??= linesOf(tables.gates).map(gateOf));
  return {
    minor,
    version: serverVersionOf(version),
    api,
    roles,
    bindings,
    gates: parsed,
    isEnabled: (gate) => {
      const known = states.get(gate) ?? isOnIn(tables, gate);
      states.set(gate, known);
      return known;
    },
    since: (other) => own >= numberOf(other),
  };
}

// Servers ask for few gates when they start.
function isOnIn({ gates, retiredGates }: ReleaseTables, gate: GateName): boolean {
  const line = lineStarting(gates, `${gate} `);
  return line === undefined ? lineStarting(retiredGates, `${gate}\n`) !== undefined : gateOf(line).isOn;
}

function gateOf(line: string): FeatureGate {
  const [name = "", stage = "", value = "0"] = line.split(" ");
  return { name, stage, isOn: value === "1" };
}

function numberOf(minor: string): number {
  return Number(minor.slice(minor.indexOf(".") + 1));
}
