/*
Copyright 2026 The Kubescaffold authors.

SPDX-License-Identifier: Apache-2.0
*/

import { type FieldError, invalidField, newInvalid } from "@kubescaffold/k8s";
import { log, newWebhookManagedBy, type WebhookHost } from "@kubescaffold/runtime";
import type { Defaulter } from "@kubescaffold/runtime";
import type { Validator, Warnings } from "@kubescaffold/runtime";
// +kubebuilder:scaffold:imports

import { CronJob } from "../../../api/v1/cronjob_types.ts";
import { DEFAULT_LIMITS } from "../../controller/cronjob_jobs.ts";
import { InvalidScheduleError, Schedule } from "../../schedule/schedule.ts";

const webhookLog = log.withName("cronjob-resource");

// A Job's name has at most 63 characters, and 11 of them are a hyphen and the scheduled time in seconds.
const LONGEST_NAME = 52;

/** Registers the webhooks of CronJob with the manager. */
export function setupCronJobWebhookWithManager(mgr: WebhookHost): void {
  newWebhookManagedBy(mgr)
    .for(CronJob)
    .withDefaulter(new CronJobCustomDefaulter())
    .withValidator(new CronJobCustomValidator())
    // +kubebuilder:scaffold:webhookbuilder
    .complete();
}

/**
 * CronJobCustomDefaulter sets default values on a CronJob when it is created or updated.
 * +kubebuilder:webhook:path=/mutate-batch-demo-v1-cronjob,mutating=true,failurePolicy=fail,sideEffects=None,groups=batch.demo,resources=cronjobs,verbs=create;update,versions=v1,name=mcronjob-v1.kb.io,admissionReviewVersions=v1
 */
export class CronJobCustomDefaulter implements Defaulter<CronJob> {
  /** Sets defaults in place; the object is a copy for this call. */
  default(cronJob: CronJob): void {
    webhookLog.info("Defaulting CronJob", { name: cronJob.metadata.name });
    cronJob.spec.concurrencyPolicy ??= "Allow";
    cronJob.spec.suspend ??= false;
    cronJob.spec.successfulJobsHistoryLimit ??= DEFAULT_LIMITS.successful;
    cronJob.spec.failedJobsHistoryLimit ??= DEFAULT_LIMITS.failed;
  }
}

/**
 * CronJobCustomValidator validates a CronJob when it is created or updated. Throwing an error denies the request.
 * +kubebuilder:webhook:path=/validate-batch-demo-v1-cronjob,mutating=false,failurePolicy=fail,sideEffects=None,groups=batch.demo,resources=cronjobs,verbs=create;update,versions=v1,name=vcronjob-v1.kb.io,admissionReviewVersions=v1
 */
export class CronJobCustomValidator implements Validator<CronJob> {
  /** Returns warnings, or throws an error to deny the request. */
  validateCreate(cronJob: CronJob): Warnings {
    webhookLog.info("Validating the creation of CronJob", { name: cronJob.metadata.name });
    return validate(cronJob);
  }

  /** Returns warnings, or throws an error to deny the request. */
  validateUpdate(_old: CronJob, cronJob: CronJob): Warnings {
    webhookLog.info("Validating the update of CronJob", { name: cronJob.metadata.name });
    return validate(cronJob);
  }

  /** Never called: the verbs of the marker do not include delete. */
  validateDelete(): Warnings {
    return [];
  }
}

// +kubebuilder:scaffold:webhookclass

function validate(cronJob: CronJob): Warnings {
  const { name = "" } = cronJob.metadata;
  const schedule = parsed(cronJob.spec.schedule);
  const errors = [...nameErrors(name), ...(schedule instanceof Schedule ? [] : [schedule])];
  if (errors.length > 0) throw newInvalid({ group: CronJob.group, kind: CronJob.kind }, name, errors);
  const isUseless = schedule instanceof Schedule && schedule.next(new Date()) === undefined;
  return isUseless ? [`spec.schedule ${JSON.stringify(cronJob.spec.schedule)} has no further run`] : [];
}

function nameErrors(name: string): readonly FieldError[] {
  if (name.length <= LONGEST_NAME) return [];
  return [invalidField("metadata.name", name, `must have at most ${String(LONGEST_NAME)} characters`)];
}

function parsed(schedule: string): Schedule | FieldError {
  try {
    return Schedule.parse(schedule);
  } catch (error) {
    if (!(error instanceof InvalidScheduleError)) throw error;
    return invalidField("spec.schedule", schedule, error.message);
  }
}
