/*
Copyright <year> Acme.
*/

import { type AdmissionContext, log, newWebhookManagedBy, type WebhookHost } from "@kubescaffold/runtime";
import type { Defaulter } from "@kubescaffold/runtime";
import type { Validator, Warnings } from "@kubescaffold/runtime";
// +kubebuilder:scaffold:imports

import { Captain } from "../../../api/v1/captain_types.ts";

const webhookLog = log.withName("captain-resource");

/** Registers the webhooks of Captain with the manager. */
export function setupCaptainWebhookWithManager(mgr: WebhookHost): void {
  newWebhookManagedBy(mgr)
    .for(Captain)
    .withDefaulter(new CaptainCustomDefaulter())
    .withValidator(new CaptainCustomValidator())
    // +kubebuilder:scaffold:webhookbuilder
    .complete();
}

/**
 * CaptainCustomDefaulter fills in what a Captain leaves out, when it is created or updated.
 * +kubebuilder:webhook:path=/mutate-crew-example-com-v1-captain,mutating=true,failurePolicy=fail,sideEffects=None,groups=crew.example.com,resources=captains,verbs=create;update,versions=v1,name=mcaptain-v1.kb.io,admissionReviewVersions=v1
 */
export class CaptainCustomDefaulter implements Defaulter<Captain> {
  /** Changes the object in place: it is a copy made for this call. */
  default(captain: Captain, _context: AdmissionContext): void {
    webhookLog.info("Defaulting Captain", { name: captain.metadata.name });
    // TODO(user): fill in what is left out.
  }
}

/**
 * CaptainCustomValidator decides whether a Captain may be created, updated or deleted. A thrown error refuses it.
 *
 * TODO(user): add delete to the verbs of the marker if deletions are to be decided on too.
 * +kubebuilder:webhook:path=/validate-crew-example-com-v1-captain,mutating=false,failurePolicy=fail,sideEffects=None,groups=crew.example.com,resources=captains,verbs=create;update,versions=v1,name=vcaptain-v1.kb.io,admissionReviewVersions=v1
 */
export class CaptainCustomValidator implements Validator<Captain> {
  /** Returns warnings, or throws to refuse. */
  validateCreate(captain: Captain, _context: AdmissionContext): Warnings {
    webhookLog.info("Validating the creation of Captain", { name: captain.metadata.name });
    // TODO(user): decide on the creation.
    return [];
  }

  /** Returns warnings, or throws to refuse. */
  validateUpdate(_old: Captain, captain: Captain, _context: AdmissionContext): Warnings {
    webhookLog.info("Validating the update of Captain", { name: captain.metadata.name });
    // TODO(user): decide on the update.
    return [];
  }

  /** Returns warnings, or throws to refuse. */
  validateDelete(captain: Captain, _context: AdmissionContext): Warnings {
    webhookLog.info("Validating the deletion of Captain", { name: captain.metadata.name });
    // TODO(user): decide on the deletion.
    return [];
  }
}

// +kubebuilder:scaffold:webhookclass
