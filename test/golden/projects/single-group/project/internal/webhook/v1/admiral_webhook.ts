/*
Copyright <year> Acme.
*/

import { log, newWebhookManagedBy, type WebhookHost } from "@kubescaffold/runtime";
import type { Defaulter } from "@kubescaffold/runtime";
import type { Validator, Warnings } from "@kubescaffold/runtime";
// +kubebuilder:scaffold:imports

import { Admiral } from "../../../api/v1/admiral_types.ts";

const webhookLog = log.withName("admiral-resource");

/** Registers the webhooks of Admiral with the manager. */
export function setupAdmiralWebhookWithManager(mgr: WebhookHost): void {
  newWebhookManagedBy(mgr)
    .for(Admiral)
    .withDefaulter(new AdmiralCustomDefaulter())
    .withValidator(new AdmiralCustomValidator())
    .withValidatorCustomPath("/custom-validate-admiral")
    // +kubebuilder:scaffold:webhookbuilder
    .complete();
}

/**
 * AdmiralCustomDefaulter sets default values on a Admiral when it is created or updated.
 * +kubebuilder:webhook:path=/mutate-crew-example-com-v1-admiral,mutating=true,failurePolicy=fail,sideEffects=None,groups=crew.example.com,resources=admirales,verbs=create;update,versions=v1,name=madmiral-v1.kb.io,admissionReviewVersions=v1
 */
export class AdmiralCustomDefaulter implements Defaulter<Admiral> {
  /** Sets defaults in place; the object is a copy for this call. The second argument, an AdmissionContext, has the request. */
  default(admiral: Admiral): void {
    webhookLog.info("Defaulting Admiral", { name: admiral.metadata.name });
    // TODO(user): set the defaults.
  }
}

/**
 * AdmiralCustomValidator validates a Admiral when it is created, updated, or deleted. Throwing an error denies the request.
 * Each method also gets an AdmissionContext, with the request, as its last argument.
 *
 * TODO(user): to validate deletions, add delete to the verbs of the marker.
 * +kubebuilder:webhook:path=/custom-validate-admiral,mutating=false,failurePolicy=fail,sideEffects=None,groups=crew.example.com,resources=admirales,verbs=create;update,versions=v1,name=vadmiral-v1.kb.io,admissionReviewVersions=v1
 */
export class AdmiralCustomValidator implements Validator<Admiral> {
  /** Returns warnings, or throws an error to deny the request. */
  validateCreate(admiral: Admiral): Warnings {
    webhookLog.info("Validating the creation of Admiral", { name: admiral.metadata.name });
    // TODO(user): validate the creation.
    return [];
  }

  /** Returns warnings, or throws an error to deny the request. */
  validateUpdate(_old: Admiral, admiral: Admiral): Warnings {
    webhookLog.info("Validating the update of Admiral", { name: admiral.metadata.name });
    // TODO(user): validate the update.
    return [];
  }

  /** Returns warnings, or throws an error to deny the request. */
  validateDelete(admiral: Admiral): Warnings {
    webhookLog.info("Validating the deletion of Admiral", { name: admiral.metadata.name });
    // TODO(user): validate the deletion.
    return [];
  }
}

// +kubebuilder:scaffold:webhookclass
