import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { RestState } from "../oracles/compare-states.ts";
import type { RunRecord } from "../oracles/oracles.ts";
import type { OperatorWatch } from "./operator-requests.ts";
import type { FieldChange, ReferenceWrite } from "./schedule.ts";
import type { VerifyOptions } from "./verify-options.ts";

/** A run of a schedule. */
export interface PlayRecord extends RunRecord {
  /** The writes of the operator, in order. */
  readonly writes: readonly ReferenceWrite[];
  /** The watches that it opened. */
  readonly watches: readonly OperatorWatch[];
  /** A change of each field of the samples. */
  readonly fieldChanges: readonly FieldChange[];
  /** Whether the write of the perturbation occurred, and the operator did not observe what it should not; true without either. */
  readonly isReached: boolean;
  /** Why the run ended before its first step; undefined if it did not. */
  readonly failure: string | undefined;
  /** The end of the operator's output, without values of Secrets. */
  readonly output: readonly string[];
  /** Returns a JSON value without the values of the run's Secrets. */
  readonly redact: <T>(value: T) => T;
}

/** What is known of other runs of the operator. */
export interface PlayContext {
  readonly options: VerifyOptions;
  readonly samples: readonly KubernetesObject[];
  /** The watches of a running operator. Default: those of the samples. */
  readonly watches?: readonly OperatorWatch[];
  /** How long an operator at rest is observed, in milliseconds. Default: not at all. */
  readonly holdMs?: number;
  /** Reports whether the state after a step is the expected one: the operator gets time to reach it. Default: any state is. */
  readonly isExpected?: (state: RestState, step: number) => boolean;
}
