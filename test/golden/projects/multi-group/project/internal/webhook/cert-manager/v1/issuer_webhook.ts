import { log, newWebhookManagedBy, type WebhookHost } from "@kubescaffold/runtime";
import type { Defaulter } from "@kubescaffold/runtime";
// +kubebuilder:scaffold:imports

import { Issuer } from "../../../../api/external/cert-manager/v1/issuer_types.ts";

const webhookLog = log.withName("issuer-resource");

/** Registers the webhooks of Issuer with the manager. */
export function setupIssuerWebhookWithManager(mgr: WebhookHost): void {
  newWebhookManagedBy(mgr)
    .for(Issuer)
    .withDefaulter(new IssuerCustomDefaulter())
    // +kubebuilder:scaffold:webhookbuilder
    .complete();
}

/**
 * IssuerCustomDefaulter sets default values on a Issuer when it is created or updated.
 * +kubebuilder:webhook:path=/mutate-cert-manager-io-v1-issuer,mutating=true,failurePolicy=fail,sideEffects=None,groups=cert-manager.io,resources=issuers,verbs=create;update,versions=v1,name=missuer-v1.kb.io,admissionReviewVersions=v1
 */
export class IssuerCustomDefaulter implements Defaulter<Issuer> {
  /** Sets defaults in place; the object is a copy for this call. The second argument, an AdmissionContext, has the request. */
  default(issuer: Issuer): void {
    webhookLog.info("Defaulting Issuer", { name: issuer.metadata.name });
    // TODO(user): set the defaults.
  }
}

// +kubebuilder:scaffold:webhookclass
