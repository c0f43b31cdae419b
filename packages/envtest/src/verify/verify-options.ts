import type { EmbeddedCluster } from "@kubescaffold/cluster";

import type { KnownViolation } from "./baseline.ts";
import type { Finding } from "./finding.ts";

/** An operator to verify, and how. Either `project`, or `command` with `crds` and `samples`, is required. */
export interface VerifyOptions {
  /** The folder of an operator project, whose manager, CRDs, samples, roles, and webhooks are used. Default: none. */
  readonly project?: string;
  /** The command that starts the operator, in any language, for the shell; `KUBECONFIG` is the kubeconfig of the cluster. Default: the manager of the project. */
  readonly command?: string;
  /** The folder that the command runs in. Default: the current folder. */
  readonly directory?: string;
  /** Files and folders of CRDs. Default: those of the project. */
  readonly crds?: readonly string[];
  /** Files and folders of the objects that a user creates. Default: those in `config/samples` of the project. */
  readonly samples?: readonly string[];
  /** Files and folders of objects that exist before the operator starts, such as a Secret that a sample names; `prepare` precedes them. Default: none. */
  readonly objects?: readonly string[];
  /** Files and folders of roles: the operator has their permissions, and no others. Default: those of the project; without one, all permissions. */
  readonly roles?: readonly string[];
  /** Further variables of the operator's process, which gets no others of this process but those that programs need. */
  readonly env?: Readonly<Record<string, string>>;
  /** The condition of a sample that is true when the operator has done its work. Default: `Ready`, or else `Available`; without one, rest. */
  readonly readyCondition?: string;
  /** Fields that are not compared, such as `secrets:data.password`, or `configmaps` for whole objects. Default: none. */
  readonly ignore?: readonly string[];
  /** Violations that are known: they are listed in the notes, and are no findings. Default: none. */
  readonly baseline?: readonly KnownViolation[];
  /** Prepares each cluster before the operator starts, such as the behavior of images. Default: nothing. */
  readonly prepare?: (cluster: EmbeddedCluster) => Promise<void> | void;
  /** The minor version of Kubernetes. Default: that of the project or of the variable. */
  readonly kubernetesVersion?: string;
  /** The budget in milliseconds; a schedule that has started is completed. Default: 300000. */
  readonly timeMs?: number;
  /** Determines uids and generated names. Default: 1. */
  readonly seed?: number;
  /** How long nothing must be written at rest, in milliseconds. Default: 500. */
  readonly quietMs?: number;
  /** How long the operator has to reach a state, in milliseconds. Default: 20000. */
  readonly settleMs?: number;
  /** Receives progress and findings as they come. Default: nobody. */
  readonly report?: (event: VerifyEvent) => void;
  /** Ends the run early. Default: nothing does. */
  readonly signal?: AbortSignal;
}

/** The progress of a run. */
export type VerifyEvent =
  | { readonly event: "reference"; readonly run: number }
  | { readonly event: "planned"; readonly schedules: number }
  | { readonly event: "schedule"; readonly number: number; readonly of: number; readonly description: string }
  | { readonly event: "suspected"; readonly description: string; readonly messages: readonly string[] }
  | { readonly event: "dropped"; readonly description: string; readonly reason: string }
  | { readonly event: "finding"; readonly finding: Finding };
