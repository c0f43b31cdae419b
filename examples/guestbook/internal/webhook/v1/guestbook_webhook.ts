import { invalidField, newInvalid } from "@kubescaffold/k8s";
import {
  type Defaulter,
  log,
  newWebhookManagedBy,
  type Validator,
  type Warnings,
  type WebhookHost,
} from "@kubescaffold/runtime";
// +kubebuilder:scaffold:imports

import { Guestbook } from "../../../api/v1/guestbook_types.ts";

const webhookLog = log.withName("guestbook-resource");

const DEFAULT_IMAGE = "registry.k8s.io/guestbook:v3";

/** Registers the webhooks of Guestbook with the manager. */
export function setupGuestbookWebhookWithManager(mgr: WebhookHost): void {
  newWebhookManagedBy(mgr)
    .for(Guestbook)
    .withDefaulter(new GuestbookCustomDefaulter())
    .withValidator(new GuestbookCustomValidator())
    // +kubebuilder:scaffold:webhookbuilder
    .complete();
}

// +kubebuilder:scaffold:webhookclass
/**
 * GuestbookCustomDefaulter sets default values on a Guestbook when it is created or updated.
 * +kubebuilder:webhook:path=/mutate-webapp-demo-v1-guestbook,mutating=true,failurePolicy=fail,sideEffects=None,groups=webapp.demo,resources=guestbooks,verbs=create;update,versions=v1,name=mguestbook-v1.kb.io,admissionReviewVersions=v1
 */
export class GuestbookCustomDefaulter implements Defaulter<Guestbook> {
  /** Sets defaults in place; the object is a copy for this call. */
  default(guestbook: Guestbook): void {
    webhookLog.info("Defaulting Guestbook", { name: guestbook.metadata.name });
    guestbook.spec.image ??= DEFAULT_IMAGE;
  }
}

/**
 * GuestbookCustomValidator validates a Guestbook when it is created or updated. Throwing an error denies the request.
 * +kubebuilder:webhook:path=/validate-webapp-demo-v1-guestbook,mutating=false,failurePolicy=fail,sideEffects=None,groups=webapp.demo,resources=guestbooks,verbs=create;update,versions=v1,name=vguestbook-v1.kb.io,admissionReviewVersions=v1
 */
export class GuestbookCustomValidator implements Validator<Guestbook> {
  /** Returns warnings, or throws an error to deny the request. */
  validateCreate(guestbook: Guestbook): Warnings {
    webhookLog.info("Validating the creation of Guestbook", { name: guestbook.metadata.name });
    return validate(guestbook);
  }

  /** Returns warnings, or throws an error to deny the request. */
  validateUpdate(_old: Guestbook, guestbook: Guestbook): Warnings {
    webhookLog.info("Validating the update of Guestbook", { name: guestbook.metadata.name });
    return validate(guestbook);
  }

  /** Never called: the verbs of the marker do not include delete. */
  validateDelete(): Warnings {
    return [];
  }
}

function validate(guestbook: Guestbook): Warnings {
  const image = guestbook.spec.image ?? "";
  const tag = /(?::(?<tag>[^:/@]+))?(?<digest>@.+)?$/u.exec(image)?.groups;
  if (tag?.["tag"] === "latest" || (tag?.["tag"] === undefined && tag?.["digest"] === undefined)) {
    const error = invalidField("spec.image", image, "must name a version, and latest is none");
    throw newInvalid({ group: Guestbook.group, kind: Guestbook.kind }, guestbook.metadata.name ?? "", [error]);
  }
  return guestbook.spec.size === 1 ? ["spec.size is 1: the guestbook is away while its only Pod is replaced"] : [];
}
