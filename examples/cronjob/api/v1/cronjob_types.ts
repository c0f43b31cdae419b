import { defineKind, type int32, type int64, type Kind } from "@kubescaffold/k8s";
import type { JobTemplateSpec } from "@kubescaffold/k8s/batch/v1";
import type { ObjectReference } from "@kubescaffold/k8s/core/v1";
import type { Condition, NamespacedObject, Time } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change, run `npm run manifests` and `npm run generate` to regenerate the CRD and the schemas.

/**
 * ConcurrencyPolicy determines what happens if a run is due while Jobs of earlier runs are active: "Allow" starts another Job, "Forbid" skips the
 * run, "Replace" deletes the active Jobs first.
 * +kubebuilder:validation:Enum=Allow;Forbid;Replace
 */
export type ConcurrencyPolicy = "Allow" | "Forbid" | "Replace";

/** CronJobSpec defines the desired state of CronJob. */
export interface CronJobSpec {
  /**
   * schedule is a cron expression with five fields, or a nickname such as "@hourly". Its time zone is UTC.
   * +kubebuilder:validation:MinLength=1
   */
  schedule: string;

  /**
   * startingDeadlineSeconds is the time in seconds after which a run that has not started is skipped. Without it, a missed run has no deadline.
   * +kubebuilder:validation:Minimum=0
   */
  startingDeadlineSeconds?: int64;

  /** concurrencyPolicy is "Allow", "Forbid", or "Replace"; the webhook sets the default "Allow". */
  concurrencyPolicy?: ConcurrencyPolicy;

  /** suspend stops further runs; active Jobs continue. The webhook sets the default false. */
  suspend?: boolean;

  /** jobTemplate is the template of the Job of each run. */
  jobTemplate: JobTemplateSpec;

  /**
   * successfulJobsHistoryLimit is the number of successful Jobs to keep; the webhook sets the default 3.
   * +kubebuilder:validation:Minimum=0
   */
  successfulJobsHistoryLimit?: int32;

  /**
   * failedJobsHistoryLimit is the number of failed Jobs to keep; the webhook sets the default 1.
   * +kubebuilder:validation:Minimum=0
   */
  failedJobsHistoryLimit?: int32;
}

/** CronJobStatus defines the observed state of CronJob. */
export interface CronJobStatus {
  /**
   * active refers to the Jobs that have not finished.
   * +listType=atomic
   */
  active?: ObjectReference[];

  /** lastScheduleTime is the scheduled time of the last run that started. */
  lastScheduleTime?: Time;

  /**
   * conditions describe the state of the CronJob: "Available" is True if further runs are scheduled, "Progressing" is True while Jobs are active,
   * and "Degraded" is True if the last finished Job failed, or if runs cannot be scheduled.
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * CronJob is the schema of the cronjobs API.
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 * +kubebuilder:printcolumn:name="Schedule",type=string,JSONPath=".spec.schedule"
 * +kubebuilder:printcolumn:name="Suspend",type=boolean,JSONPath=".spec.suspend"
 * +kubebuilder:printcolumn:name="Last schedule",type=date,JSONPath=".status.lastScheduleTime"
 * +kubebuilder:printcolumn:name="Available",type=string,JSONPath=".status.conditions[?(@.type=='Available')].status"
 * +kubebuilder:printcolumn:name="Age",type=date,JSONPath=".metadata.creationTimestamp"
 */
export interface CronJob extends NamespacedObject {
  /** spec defines the desired state of CronJob. */
  spec: CronJobSpec;

  /** status defines the observed state of CronJob. */
  status?: CronJobStatus;
}

export const CronJob: Kind<CronJob> = defineKind<CronJob>(GroupVersion, "CronJob");
