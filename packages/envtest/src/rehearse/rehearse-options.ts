import type { EmbeddedCluster } from "@kubescaffold/cluster";

import type { UpgradeFinding } from "./rehearsal-report.ts";

/** A version of an operator. */
export interface OperatorVersion {
  /** The folder of the project, with its generated manifests. */
  readonly project: string;
  /** The name of the version in messages, such as `v1.2.0`. */
  readonly name: string;
  /** A program that takes the flags of a manager, with its first arguments. Default: the manager of the project. */
  readonly command?: readonly [string, ...string[]];
}

/** The upgrade to rehearse, and how. */
export interface RehearseOptions {
  /** The version that is installed first. */
  readonly former: OperatorVersion;
  /** The version that replaces it. */
  readonly present: OperatorVersion;
  /** Files and folders of the objects that a user creates with the former version. Default: those in `config/samples` of the former version. */
  readonly samples?: readonly string[];
  /** Files and folders of further objects of a user. Default: none. */
  readonly objects?: readonly string[];
  /** Further variables of both processes, which get no others of this process but those that programs need. */
  readonly env?: Readonly<Record<string, string>>;
  /** The condition of an object that is true when the operator has done its work. Default: `Ready`, or else `Available`; without one, rest. */
  readonly readyCondition?: string;
  /** Oracles whose violations are intended, such as `restarted-pod`: they become notes. Default: none. */
  readonly accepted?: readonly string[];
  /** Repeats a rehearsal that has findings, and rehearses an upgrade of the former version to itself: what is not in the first, or in the second, becomes a note. Default: true. */
  readonly confirms?: boolean;
  /** Prepares the cluster before the former version is installed, such as the behavior of images. Default: nothing. */
  readonly prepare?: (cluster: EmbeddedCluster) => Promise<void> | void;
  /** The minor version of Kubernetes. Default: that of the project or of the variable. */
  readonly kubernetesVersion?: string;
  /** Determines uids and generated names. Default: 1. */
  readonly seed?: number;
  /** How long nothing must be written at rest, in milliseconds. Default: 500. */
  readonly quietMs?: number;
  /** How long the operator has to reach a state, in milliseconds. Default: 20000. */
  readonly settleMs?: number;
  /** How long both versions run together, and how long a new leader has before it may be at rest, in milliseconds. Default: 3000. */
  readonly overlapMs?: number;
  /** Receives progress and findings as they come. Default: nobody. */
  readonly report?: (event: RehearseEvent) => void;
  /** Ends the run early. Default: nothing does. */
  readonly signal?: AbortSignal;
}

/** The progress of a run. */
export type RehearseEvent =
  /** A rehearsal starts. */
  | { readonly event: "rehearsal"; readonly what: string }
  | { readonly event: "step"; readonly step: string }
  | { readonly event: "suspected"; readonly message: string }
  | { readonly event: "finding"; readonly finding: UpgradeFinding };
