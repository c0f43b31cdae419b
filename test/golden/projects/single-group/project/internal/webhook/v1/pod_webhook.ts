/*
Copyright <year> Acme.
*/

import { log, newWebhookManagedBy, type WebhookHost } from "@kubescaffold/runtime";
import type { Validator, Warnings } from "@kubescaffold/runtime";
// +kubebuilder:scaffold:imports

import { Pod } from "@kubescaffold/k8s/core/v1";

const webhookLog = log.withName("pod-resource");

/** Registers the webhooks of Pod with the manager. */
export function setupPodWebhookWithManager(mgr: WebhookHost): void {
  newWebhookManagedBy(mgr)
    .for(Pod)
    .withValidator(new PodCustomValidator())
    // +kubebuilder:scaffold:webhookbuilder
    .complete();
}

/**
 * PodCustomValidator validates a Pod when it is created, updated, or deleted. Throwing an error denies the request.
 * Each method also gets an AdmissionContext, with the request, as its last argument.
 *
 * TODO(user): to validate deletions, add delete to the verbs of the marker.
 * +kubebuilder:webhook:path=/validate--v1-pod,mutating=false,failurePolicy=fail,sideEffects=None,groups="",resources=pods,verbs=create;update,versions=v1,name=vpod-v1.kb.io,admissionReviewVersions=v1
 */
export class PodCustomValidator implements Validator<Pod> {
  /** Returns warnings, or throws an error to deny the request. */
  validateCreate(pod: Pod): Warnings {
    webhookLog.info("Validating the creation of Pod", { name: pod.metadata.name });
    // TODO(user): validate the creation.
    return [];
  }

  /** Returns warnings, or throws an error to deny the request. */
  validateUpdate(_old: Pod, pod: Pod): Warnings {
    webhookLog.info("Validating the update of Pod", { name: pod.metadata.name });
    // TODO(user): validate the update.
    return [];
  }

  /** Returns warnings, or throws an error to deny the request. */
  validateDelete(pod: Pod): Warnings {
    webhookLog.info("Validating the deletion of Pod", { name: pod.metadata.name });
    // TODO(user): validate the deletion.
    return [];
  }
}

// +kubebuilder:scaffold:webhookclass
