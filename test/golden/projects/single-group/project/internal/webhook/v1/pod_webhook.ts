/*
Copyright <year> Acme.
*/

import { type AdmissionContext, log, newWebhookManagedBy, type WebhookHost } from "@kubescaffold/runtime";
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
 * PodCustomValidator decides whether a Pod may be created, updated or deleted. A thrown error refuses it.
 *
 * TODO(user): add delete to the verbs of the marker if deletions are to be decided on too.
 * +kubebuilder:webhook:path=/validate--v1-pod,mutating=false,failurePolicy=fail,sideEffects=None,groups="",resources=pods,verbs=create;update,versions=v1,name=vpod-v1.kb.io,admissionReviewVersions=v1
 */
export class PodCustomValidator implements Validator<Pod> {
  /** Returns warnings, or throws to refuse. */
  validateCreate(pod: Pod, _context: AdmissionContext): Warnings {
    webhookLog.info("Validating the creation of Pod", { name: pod.metadata.name });
    // TODO(user): decide on the creation.
    return [];
  }

  /** Returns warnings, or throws to refuse. */
  validateUpdate(_old: Pod, pod: Pod, _context: AdmissionContext): Warnings {
    webhookLog.info("Validating the update of Pod", { name: pod.metadata.name });
    // TODO(user): decide on the update.
    return [];
  }

  /** Returns warnings, or throws to refuse. */
  validateDelete(pod: Pod, _context: AdmissionContext): Warnings {
    webhookLog.info("Validating the deletion of Pod", { name: pod.metadata.name });
    // TODO(user): decide on the deletion.
    return [];
  }
}

// +kubebuilder:scaffold:webhookclass
