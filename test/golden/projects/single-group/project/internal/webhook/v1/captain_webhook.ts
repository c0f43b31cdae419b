/*
Copyright <year> Acme.
*/

import { log, newWebhookManagedBy, type WebhookHost } from "@kubescaffold/runtime";
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
 * CaptainCustomDefaulter sets default values on a Captain when it is created or updated.
 * +kubebuilder:webhook:path=/mutate-crew-example-com-v1-captain,mutating=true,failurePolicy=fail,sideEffects=None,groups=crew.example.com,resources=captains,verbs=create;update,versions=v1,name=mcaptain-v1.kb.io,admissionReviewVersions=v1
 */
export class CaptainCustomDefaulter implements Defaulter<Captain> {
  /** Sets defaults in place; the object is a copy for this call. The second argument, an AdmissionContext, has the request. */
  default(captain: Captain): void {
    webhookLog.info("Defaulting Captain", { name: captain.metadata.name });
    // TODO(user): set the defaults.
  }
}

/**
 * CaptainCustomValidator validates a Captain when it is created, updated, or deleted. Throwing an error denies the request.
 * Each method also gets an AdmissionContext, with the request, as its last argument.
 *
 * TODO(user): to validate deletions, add delete to the verbs of the marker.
 * +kubebuilder:webhook:path=/validate-crew-example-com-v1-captain,mutating=false,failurePolicy=fail,sideEffects=None,groups=crew.example.com,resources=captains,verbs=create;update,versions=v1,name=vcaptain-v1.kb.io,admissionReviewVersions=v1
 */
export class CaptainCustomValidator implements Validator<Captain> {
  /** Returns warnings, or throws an error to deny the request. */
  validateCreate(captain: Captain): Warnings {
    webhookLog.info("Validating the creation of Captain", { name: captain.metadata.name });
    // TODO(user): validate the creation.
    return [];
  }

  /** Returns warnings, or throws an error to deny the request. */
  validateUpdate(_old: Captain, captain: Captain): Warnings {
    webhookLog.info("Validating the update of Captain", { name: captain.metadata.name });
    // TODO(user): validate the update.
    return [];
  }

  /** Returns warnings, or throws an error to deny the request. */
  validateDelete(captain: Captain): Warnings {
    webhookLog.info("Validating the deletion of Captain", { name: captain.metadata.name });
    // TODO(user): validate the deletion.
    return [];
  }
}

// +kubebuilder:scaffold:webhookclass
