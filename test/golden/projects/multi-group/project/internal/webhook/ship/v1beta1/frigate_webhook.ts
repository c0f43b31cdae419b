import { log, newWebhookManagedBy, type WebhookHost } from "@kubescaffold/runtime";
import type { Validator, Warnings } from "@kubescaffold/runtime";
// +kubebuilder:scaffold:imports

import { Frigate } from "../../../../api/ship/v1beta1/frigate_types.ts";

const webhookLog = log.withName("frigate-resource");

/** Registers the webhooks of Frigate with the manager. */
export function setupFrigateWebhookWithManager(mgr: WebhookHost): void {
  newWebhookManagedBy(mgr)
    .for(Frigate)
    .withValidator(new FrigateCustomValidator())
    // +kubebuilder:scaffold:webhookbuilder
    .complete();
}

/**
 * FrigateCustomValidator validates a Frigate when it is created, updated, or deleted. Throwing an error denies the request.
 * Each method also gets an AdmissionContext, with the request, as its last argument.
 *
 * TODO(user): to validate deletions, add delete to the verbs of the marker.
 * +kubebuilder:webhook:path=/validate-ship-example-com-v1beta1-frigate,mutating=false,failurePolicy=fail,sideEffects=None,groups=ship.example.com,resources=frigates,verbs=create;update,versions=v1beta1,name=vfrigate-v1beta1.kb.io,admissionReviewVersions=v1
 */
export class FrigateCustomValidator implements Validator<Frigate> {
  /** Returns warnings, or throws an error to deny the request. */
  validateCreate(frigate: Frigate): Warnings {
    webhookLog.info("Validating the creation of Frigate", { name: frigate.metadata.name });
    // TODO(user): validate the creation.
    return [];
  }

  /** Returns warnings, or throws an error to deny the request. */
  validateUpdate(_old: Frigate, frigate: Frigate): Warnings {
    webhookLog.info("Validating the update of Frigate", { name: frigate.metadata.name });
    // TODO(user): validate the update.
    return [];
  }

  /** Returns warnings, or throws an error to deny the request. */
  validateDelete(frigate: Frigate): Warnings {
    webhookLog.info("Validating the deletion of Frigate", { name: frigate.metadata.name });
    // TODO(user): validate the deletion.
    return [];
  }
}

// +kubebuilder:scaffold:webhookclass
