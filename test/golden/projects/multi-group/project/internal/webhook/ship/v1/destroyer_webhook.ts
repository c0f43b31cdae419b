import { log, newWebhookManagedBy, type WebhookHost } from "@kubescaffold/runtime";
import type { Defaulter } from "@kubescaffold/runtime";
// +kubebuilder:scaffold:imports

import { Destroyer } from "../../../../api/ship/v1/destroyer_types.ts";

const webhookLog = log.withName("destroyer-resource");

/** Registers the webhooks of Destroyer with the manager. */
export function setupDestroyerWebhookWithManager(mgr: WebhookHost): void {
  newWebhookManagedBy(mgr)
    .for(Destroyer)
    .withDefaulter(new DestroyerCustomDefaulter())
    // +kubebuilder:scaffold:webhookbuilder
    .complete();
}

/**
 * DestroyerCustomDefaulter sets default values on a Destroyer when it is created or updated.
 * +kubebuilder:webhook:path=/mutate-ship-example-com-v1-destroyer,mutating=true,failurePolicy=fail,sideEffects=None,groups=ship.example.com,resources=destroyers,verbs=create;update,versions=v1,name=mdestroyer-v1.kb.io,admissionReviewVersions=v1
 */
export class DestroyerCustomDefaulter implements Defaulter<Destroyer> {
  /** Sets defaults in place; the object is a copy for this call. The second argument, an AdmissionContext, has the request. */
  default(destroyer: Destroyer): void {
    webhookLog.info("Defaulting Destroyer", { name: destroyer.metadata.name });
    // TODO(user): set the defaults.
  }
}

// +kubebuilder:scaffold:webhookclass
