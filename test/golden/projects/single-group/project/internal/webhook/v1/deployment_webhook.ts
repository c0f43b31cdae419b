/*
Copyright <year> Acme.
*/

import { type AdmissionContext, log, newWebhookManagedBy, type WebhookHost } from "@kubescaffold/runtime";
import type { Defaulter } from "@kubescaffold/runtime";
import type { Validator, Warnings } from "@kubescaffold/runtime";
// +kubebuilder:scaffold:imports

import { Deployment } from "@kubescaffold/k8s/apps/v1";

const webhookLog = log.withName("deployment-resource");

/** Registers the webhooks of Deployment with the manager. */
export function setupDeploymentWebhookWithManager(mgr: WebhookHost): void {
  newWebhookManagedBy(mgr)
    .for(Deployment)
    .withDefaulter(new DeploymentCustomDefaulter())
    .withValidator(new DeploymentCustomValidator())
    // +kubebuilder:scaffold:webhookbuilder
    .complete();
}

/**
 * DeploymentCustomDefaulter fills in what a Deployment leaves out, when it is created or updated.
 * +kubebuilder:webhook:path=/mutate-apps-v1-deployment,mutating=true,failurePolicy=fail,sideEffects=None,groups=apps,resources=deployments,verbs=create;update,versions=v1,name=mdeployment-v1.kb.io,admissionReviewVersions=v1
 */
export class DeploymentCustomDefaulter implements Defaulter<Deployment> {
  /** Changes the object in place: it is a copy made for this call. */
  default(deployment: Deployment, _context: AdmissionContext): void {
    webhookLog.info("Defaulting Deployment", { name: deployment.metadata.name });
    // TODO(user): fill in what is left out.
  }
}

/**
 * DeploymentCustomValidator decides whether a Deployment may be created, updated or deleted. A thrown error refuses it.
 *
 * TODO(user): add delete to the verbs of the marker if deletions are to be decided on too.
 * +kubebuilder:webhook:path=/validate-apps-v1-deployment,mutating=false,failurePolicy=fail,sideEffects=None,groups=apps,resources=deployments,verbs=create;update,versions=v1,name=vdeployment-v1.kb.io,admissionReviewVersions=v1
 */
export class DeploymentCustomValidator implements Validator<Deployment> {
  /** Returns warnings, or throws to refuse. */
  validateCreate(deployment: Deployment, _context: AdmissionContext): Warnings {
    webhookLog.info("Validating the creation of Deployment", { name: deployment.metadata.name });
    // TODO(user): decide on the creation.
    return [];
  }

  /** Returns warnings, or throws to refuse. */
  validateUpdate(_old: Deployment, deployment: Deployment, _context: AdmissionContext): Warnings {
    webhookLog.info("Validating the update of Deployment", { name: deployment.metadata.name });
    // TODO(user): decide on the update.
    return [];
  }

  /** Returns warnings, or throws to refuse. */
  validateDelete(deployment: Deployment, _context: AdmissionContext): Warnings {
    webhookLog.info("Validating the deletion of Deployment", { name: deployment.metadata.name });
    // TODO(user): decide on the deletion.
    return [];
  }
}

// +kubebuilder:scaffold:webhookclass
