import type { OracleName, Violation } from "./oracles.ts";

/** The oracles of an upgrade, in addition to those of each run. */
const UPGRADE_ORACLES = [
  "install",
  "rollback",
  "webhook",
  "readable",
  "valid",
  "lost-field",
  "rewritten-object",
  "stored-version",
  "restarted-pod",
  "owner",
  "field-manager",
  "selector",
  "label",
  "refused-write",
  "election",
] as const;

/** The name of an oracle of an upgrade. */
export type UpgradeOracleName = (typeof UPGRADE_ORACLES)[number];

const RUN_ORACLES: readonly OracleName[] = [
  "leftover",
  "deletion",
  "replaced-object",
  "rest",
  "ready",
  "exit",
  "denied",
];

/** The names of all oracles that an upgrade is judged by. */
export const JUDGED_ORACLES: readonly (OracleName | UpgradeOracleName)[] = [...UPGRADE_ORACLES, ...RUN_ORACLES];

/** A statement about an upgrade that does not hold. */
export interface UpgradeViolation extends Omit<Violation, "oracle"> {
  /** The oracle that found it. */
  readonly oracle: OracleName | UpgradeOracleName;
}

/** The metadata of an object that the oracles of an upgrade read. */
export interface ObservedMetadata {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly uid?: string | undefined;
  readonly generation?: number | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly ownerReferences?:
    | readonly { readonly kind: string; readonly name: string; readonly uid: string }[]
    | undefined;
  readonly managedFields?: readonly ManagedFields[] | undefined;
}

/** The fields that one manager owns. */
export interface ManagedFields {
  readonly manager?: string | undefined;
  readonly subresource?: string | undefined;
  readonly fieldsV1?: unknown;
}

/** An object that the operator or the user has written, as it is stored. */
export interface ObservedObject {
  /** The object in messages, such as `deployments.apps default/web`. */
  readonly name: string;
  readonly metadata: ObservedMetadata;
  readonly spec?: unknown;
  /** Whether the user has created it, and not the operator. */
  readonly isOfUser: boolean;
}

/** A Pod of a workload. */
export interface ObservedPod {
  readonly uid: string;
  /** The workload, such as `deployments.apps default/web`. */
  readonly workload: string;
  /** How often its containers were started again. */
  readonly restarts: number;
  /** The template of the workload. */
  readonly template: unknown;
}

/** An object of the user in one of the served versions. */
export interface ServedObject {
  /** The object, such as `sites.example.com default/demo`. */
  readonly object: string;
  /** The name of the version. */
  readonly version: string;
  /** The content; undefined if it cannot be read. */
  readonly content?: Readonly<Record<string, unknown>> | undefined;
  /** Why it cannot be read. */
  readonly unreadable?: string | undefined;
  /** Why the server refuses to create it again; undefined if it does not. */
  readonly invalid?: string | undefined;
  /** Why the server refuses to update it without a change; undefined if it does not. */
  readonly immutable?: string | undefined;
}

/** The versions of a CustomResourceDefinition. */
export interface ObservedDefinition {
  readonly name: string;
  readonly served: readonly string[];
  readonly stored: readonly string[];
}

/** What oracles see of a cluster at one step of an upgrade. */
export interface UpgradeRecord {
  /** The step in messages, such as `apply the new manifests`. */
  readonly step: string;
  /** The objects by their uids. */
  readonly objects: ReadonlyMap<string, ObservedObject>;
  readonly pods: readonly ObservedPod[];
  readonly served: readonly ServedObject[];
  readonly definitions: readonly ObservedDefinition[];
}
