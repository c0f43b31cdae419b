import { log, newWebhookManagedBy, type WebhookHost } from "@kubescaffold/runtime";
import type { Validator, Warnings } from "@kubescaffold/runtime";
// +kubebuilder:scaffold:imports

import { Deployment } from "@kubescaffold/k8s/apps/v1";

const webhookLog = log.withName("deployment-resource");

/** Registers the webhooks of Deployment with the manager. */
export function setupDeploymentWebhookWithManager(mgr: WebhookHost): void {
  newWebhookManagedBy(mgr)
    .for(Deployment)
    .withValidator(new DeploymentCustomValidator())
    // +kubebuilder:scaffold:webhookbuilder
    .complete();
}

/**
 * DeploymentCustomValidator validates a Deployment when it is created, updated, or deleted. Throwing an error denies the request.
 * Each method also gets an AdmissionContext, with the request, as its last argument.
 *
 * TODO(user): to validate deletions, add delete to the verbs of the marker.
 * +kubebuilder:webhook:path=/validate-apps-v1-deployment,mutating=false,failurePolicy=fail,sideEffects=None,groups=apps,resources=deployments,verbs=create;update,versions=v1,name=vdeployment-v1.kb.io,admissionReviewVersions=v1
 */
export class DeploymentCustomValidator implements Validator<Deployment> {
  /** Returns warnings, or throws an error to deny the request. */
  validateCreate(deployment: Deployment): Warnings {
    webhookLog.info("Validating the creation of Deployment", { name: deployment.metadata.name });
    // TODO(user): validate the creation.
    return [];
  }

  /** Returns warnings, or throws an error to deny the request. */
  validateUpdate(_old: Deployment, deployment: Deployment): Warnings {
    webhookLog.info("Validating the update of Deployment", { name: deployment.metadata.name });
    // TODO(user): validate the update.
    return [];
  }

  /** Returns warnings, or throws an error to deny the request. */
  validateDelete(deployment: Deployment): Warnings {
    webhookLog.info("Validating the deletion of Deployment", { name: deployment.metadata.name });
    // TODO(user): validate the deletion.
    return [];
  }
}

// +kubebuilder:scaffold:webhookclass
