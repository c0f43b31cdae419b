/*
Copyright <year> Acme.
*/

import { newWebhookManagedBy, type WebhookHost } from "@kubescaffold/runtime";
import { firstMateConverter as firstMateV2Converter } from "../../../api/v2/firstmate_conversion.ts";
import { firstMateConverter as firstMateV3Converter } from "../../../api/v3/firstmate_conversion.ts";
// +kubebuilder:scaffold:imports

import { FirstMate } from "../../../api/v1/firstmate_types.ts";

/** Registers the webhooks of FirstMate with the manager. */
export function setupFirstMateWebhookWithManager(mgr: WebhookHost): void {
  newWebhookManagedBy(mgr)
    .for(FirstMate)
    .withConversion(firstMateV2Converter)
    .withConversion(firstMateV3Converter)
    // +kubebuilder:scaffold:webhookbuilder
    .complete();
}

// +kubebuilder:scaffold:webhookclass
