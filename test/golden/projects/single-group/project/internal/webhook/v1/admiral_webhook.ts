/*
Copyright <year>.

SPDX-License-Identifier: Apache-2.0
*/

import { type AdmissionContext, log, newWebhookManagedBy, type WebhookHost } from "@kubescaffold/runtime";
import type { Defaulter } from "@kubescaffold/runtime";
// +kubebuilder:scaffold:imports

import { Admiral } from "../../../api/v1/admiral_types.ts";

const webhookLog = log.withName("admiral-resource");

/** Registers the webhooks of Admiral with the manager. */
export function setupAdmiralWebhookWithManager(mgr: WebhookHost): void {
  newWebhookManagedBy(mgr)
    .for(Admiral)
    .withDefaulter(new AdmiralCustomDefaulter())
    // +kubebuilder:scaffold:webhookbuilder
    .complete();
}

/**
 * AdmiralCustomDefaulter fills in what a Admiral leaves out, when it is created or updated.
 * +kubebuilder:webhook:path=/mutate-crew-example-com-v1-admiral,mutating=true,failurePolicy=fail,sideEffects=None,groups=crew.example.com,resources=admirales,verbs=create;update,versions=v1,name=madmiral-v1.kb.io,admissionReviewVersions=v1
 */
export class AdmiralCustomDefaulter implements Defaulter<Admiral> {
  /** Changes the object in place: it is a copy made for this call. */
  default(admiral: Admiral, _context: AdmissionContext): void {
    webhookLog.info("Defaulting Admiral", { name: admiral.metadata.name });
    // TODO(user): fill in what is left out.
  }
}

// +kubebuilder:scaffold:webhookclass
