import { log, newWebhookManagedBy, type WebhookHost } from "@kubescaffold/runtime";
import type { Defaulter } from "@kubescaffold/runtime";
import type { Validator, Warnings } from "@kubescaffold/runtime";
import { coralConverter as coralV2Converter } from "../../../api/v2/coral_conversion.ts";
// +kubebuilder:scaffold:imports

import { Coral } from "../../../api/v1/coral_types.ts";

const webhookLog = log.withName("coral-resource");

/** Registers the webhooks of Coral with the manager. */
export function setupCoralWebhookWithManager(mgr: WebhookHost): void {
  newWebhookManagedBy(mgr)
    .for(Coral)
    .withDefaulter(new CoralCustomDefaulter())
    .withValidator(new CoralCustomValidator())
    .withConversion(coralV2Converter)
    // +kubebuilder:scaffold:webhookbuilder
    .complete();
}

/**
 * CoralCustomDefaulter sets default values on a Coral when it is created or updated.
 * +kubebuilder:webhook:path=/mutate-reef-example-com-v1-coral,mutating=true,failurePolicy=fail,sideEffects=None,groups=reef.example.com,resources=corals,verbs=create;update,versions=v1,name=mcoral-v1.kb.io,admissionReviewVersions=v1
 */
export class CoralCustomDefaulter implements Defaulter<Coral> {
  /** Sets defaults in place; the object is a copy for this call. The second argument, an AdmissionContext, has the request. */
  default(coral: Coral): void {
    webhookLog.info("Defaulting Coral", { name: coral.metadata.name });
    // TODO(user): set the defaults.
  }
}

/**
 * CoralCustomValidator validates a Coral when it is created, updated, or deleted. Throwing an error denies the request.
 * Each method also gets an AdmissionContext, with the request, as its last argument.
 *
 * TODO(user): to validate deletions, add delete to the verbs of the marker.
 * +kubebuilder:webhook:path=/validate-reef-example-com-v1-coral,mutating=false,failurePolicy=fail,sideEffects=None,groups=reef.example.com,resources=corals,verbs=create;update,versions=v1,name=vcoral-v1.kb.io,admissionReviewVersions=v1
 */
export class CoralCustomValidator implements Validator<Coral> {
  /** Returns warnings, or throws an error to deny the request. */
  validateCreate(coral: Coral): Warnings {
    webhookLog.info("Validating the creation of Coral", { name: coral.metadata.name });
    // TODO(user): validate the creation.
    return [];
  }

  /** Returns warnings, or throws an error to deny the request. */
  validateUpdate(_old: Coral, coral: Coral): Warnings {
    webhookLog.info("Validating the update of Coral", { name: coral.metadata.name });
    // TODO(user): validate the update.
    return [];
  }

  /** Returns warnings, or throws an error to deny the request. */
  validateDelete(coral: Coral): Warnings {
    webhookLog.info("Validating the deletion of Coral", { name: coral.metadata.name });
    // TODO(user): validate the deletion.
    return [];
  }
}

// +kubebuilder:scaffold:webhookclass
