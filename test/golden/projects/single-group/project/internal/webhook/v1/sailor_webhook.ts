/*
Copyright <year> Acme.
*/

import { log, newWebhookManagedBy, type WebhookHost } from "@kubescaffold/runtime";
import type { Defaulter } from "@kubescaffold/runtime";
import type { Validator, Warnings } from "@kubescaffold/runtime";
// +kubebuilder:scaffold:imports

import { Sailor } from "../../../api/v1/sailor_types.ts";

const webhookLog = log.withName("sailor-resource");

/** Registers the webhooks of Sailor with the manager. */
export function setupSailorWebhookWithManager(mgr: WebhookHost): void {
  newWebhookManagedBy(mgr)
    .for(Sailor)
    .withDefaulter(new SailorCustomDefaulter())
    .withDefaulterCustomPath("/custom-mutate-sailor")
    .withValidator(new SailorCustomValidator())
    .withValidatorCustomPath("/custom-validate-sailor")
    // +kubebuilder:scaffold:webhookbuilder
    .complete();
}

/**
 * SailorCustomDefaulter sets default values on a Sailor when it is created or updated.
 * +kubebuilder:webhook:path=/custom-mutate-sailor,mutating=true,failurePolicy=fail,sideEffects=None,groups=crew.example.com,resources=sailors,verbs=create;update,versions=v1,name=msailor-v1.kb.io,admissionReviewVersions=v1
 */
export class SailorCustomDefaulter implements Defaulter<Sailor> {
  /** Sets defaults in place; the object is a copy for this call. The second argument, an AdmissionContext, has the request. */
  default(sailor: Sailor): void {
    webhookLog.info("Defaulting Sailor", { name: sailor.metadata.name });
    // TODO(user): set the defaults.
  }
}

/**
 * SailorCustomValidator validates a Sailor when it is created, updated, or deleted. Throwing an error denies the request.
 * Each method also gets an AdmissionContext, with the request, as its last argument.
 *
 * TODO(user): to validate deletions, add delete to the verbs of the marker.
 * +kubebuilder:webhook:path=/custom-validate-sailor,mutating=false,failurePolicy=fail,sideEffects=None,groups=crew.example.com,resources=sailors,verbs=create;update,versions=v1,name=vsailor-v1.kb.io,admissionReviewVersions=v1
 */
export class SailorCustomValidator implements Validator<Sailor> {
  /** Returns warnings, or throws an error to deny the request. */
  validateCreate(sailor: Sailor): Warnings {
    webhookLog.info("Validating the creation of Sailor", { name: sailor.metadata.name });
    // TODO(user): validate the creation.
    return [];
  }

  /** Returns warnings, or throws an error to deny the request. */
  validateUpdate(_old: Sailor, sailor: Sailor): Warnings {
    webhookLog.info("Validating the update of Sailor", { name: sailor.metadata.name });
    // TODO(user): validate the update.
    return [];
  }

  /** Returns warnings, or throws an error to deny the request. */
  validateDelete(sailor: Sailor): Warnings {
    webhookLog.info("Validating the deletion of Sailor", { name: sailor.metadata.name });
    // TODO(user): validate the deletion.
    return [];
  }
}

// +kubebuilder:scaffold:webhookclass
