/*
 * Of the Acme lagoon office. All rights reserved.
 */

import { log, newWebhookManagedBy, type WebhookHost } from "@kubescaffold/runtime";
import type { Validator, Warnings } from "@kubescaffold/runtime";
// +kubebuilder:scaffold:imports

import { Memcached } from "../../../api/v1alpha1/memcached_types.ts";

const webhookLog = log.withName("memcached-resource");

/** Registers the webhooks of Memcached with the manager. */
export function setupMemcachedWebhookWithManager(mgr: WebhookHost): void {
  newWebhookManagedBy(mgr)
    .for(Memcached)
    .withValidator(new MemcachedCustomValidator())
    // +kubebuilder:scaffold:webhookbuilder
    .complete();
}

/**
 * MemcachedCustomValidator validates a Memcached when it is created, updated, or deleted. Throwing an error denies the request.
 * Each method also gets an AdmissionContext, with the request, as its last argument.
 *
 * TODO(user): to validate deletions, add delete to the verbs of the marker.
 * +kubebuilder:webhook:path=/validate-reef-example-com-v1alpha1-memcached,mutating=false,failurePolicy=fail,sideEffects=None,groups=reef.example.com,resources=memcacheds,verbs=create;update,versions=v1alpha1,name=vmemcached-v1alpha1.kb.io,admissionReviewVersions=v1
 */
export class MemcachedCustomValidator implements Validator<Memcached> {
  /** Returns warnings, or throws an error to deny the request. */
  validateCreate(memcached: Memcached): Warnings {
    webhookLog.info("Validating the creation of Memcached", { name: memcached.metadata.name });
    // TODO(user): validate the creation.
    return [];
  }

  /** Returns warnings, or throws an error to deny the request. */
  validateUpdate(_old: Memcached, memcached: Memcached): Warnings {
    webhookLog.info("Validating the update of Memcached", { name: memcached.metadata.name });
    // TODO(user): validate the update.
    return [];
  }

  /** Returns warnings, or throws an error to deny the request. */
  validateDelete(memcached: Memcached): Warnings {
    webhookLog.info("Validating the deletion of Memcached", { name: memcached.metadata.name });
    // TODO(user): validate the deletion.
    return [];
  }
}

// +kubebuilder:scaffold:webhookclass
