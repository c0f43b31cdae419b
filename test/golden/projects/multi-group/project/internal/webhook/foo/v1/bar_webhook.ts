import { newWebhookManagedBy, type WebhookHost } from "@kubescaffold/runtime";
import { barConverter as barV2Converter } from "../../../../api/foo/v2/bar_conversion.ts";
// +kubebuilder:scaffold:imports

import { Bar } from "../../../../api/foo/v1/bar_types.ts";

/** Registers the webhooks of Bar with the manager. */
export function setupBarWebhookWithManager(mgr: WebhookHost): void {
  newWebhookManagedBy(mgr)
    .for(Bar)
    .withConversion(barV2Converter)
    // +kubebuilder:scaffold:webhookbuilder
    .complete();
}

// +kubebuilder:scaffold:webhookclass
