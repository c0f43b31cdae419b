/*
Copyright <year>.

SPDX-License-Identifier: Apache-2.0
*/

import { newWebhookManagedBy, type WebhookHost } from "@kubescaffold/runtime";
import { firstMateConverter as firstMateV2Converter } from "../../../api/v2/firstmate_conversion.ts";
// +kubebuilder:scaffold:imports

import { FirstMate } from "../../../api/v1/firstmate_types.ts";

/** Registers the webhooks of FirstMate with the manager. */
export function setupFirstMateWebhookWithManager(mgr: WebhookHost): void {
  newWebhookManagedBy(mgr)
    .for(FirstMate)
    .withConversion(firstMateV2Converter)
    // +kubebuilder:scaffold:webhookbuilder
    .complete();
}

// +kubebuilder:scaffold:webhookclass
