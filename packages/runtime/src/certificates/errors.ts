import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when a certificate request was denied, failed, or was deleted before a certificate was issued.
 *
 * Fix: Read the conditions of the request, fix what they name, and create another request.
 */
export class CertificateRefusedError extends ScaffoldError {
  readonly code = "CLIENT_CERTIFICATE_REFUSED";

  constructor(name: string, reason: string) {
    super(`no certificate was issued for the request ${JSON.stringify(name)}: ${reason}`, {
      hint: "read the conditions of the CertificateSigningRequest",
    });
  }
}

/**
 * Thrown when options of self-managed certificates contradict each other, or name nothing that a certificate could be for.
 *
 * Fix: Change the option that the message names.
 */
export class CertificateOptionsError extends ScaffoldError {
  readonly code = "CERTIFICATES_OPTIONS";

  constructor(problem: string, hint: string) {
    super(`invalid options of self-managed certificates: ${problem}`, { hint });
  }
}

/**
 * Thrown when self-managed certificates have no namespace, and the process does not run in a pod, whose namespace would be the default.
 *
 * Fix: Set `namespace` of the option `certificates`.
 */
export class CertificateNamespaceError extends ScaffoldError {
  readonly code = "CERTIFICATES_NAMESPACE";

  constructor(secretName: string) {
    super(
      `cannot determine the namespace of the Secret ${JSON.stringify(secretName)}: the process does not run in a pod`,
      {
        hint: 'set the namespace: selfManaged({ namespace: "guestbook-system", … })',
      },
    );
  }
}

/**
 * Thrown when the Secret of self-managed certificates is used for something else: it is immutable, cert-manager writes it, or it has other keys.
 *
 * Fix: Choose another `secretName`, or delete the Secret if nothing else uses it.
 */
export class CertificateSecretTakenError extends ScaffoldError {
  readonly code = "CERTIFICATES_SECRET_TAKEN";

  constructor(secret: string, reason: string) {
    super(`cannot store certificates in the Secret ${secret}: ${reason}`, {
      hint: "choose another secretName, or delete the Secret if nothing else uses it",
    });
  }
}

/**
 * Thrown when cert-manager is asked to write the `caBundle` that a manager with self-managed certificates writes; both would overwrite each other.
 *
 * Fix: Remove the annotation that the message names from the object.
 */
export class CertificateInjectorError extends ScaffoldError {
  readonly code = "CERTIFICATES_OTHER_INJECTOR";

  constructor(target: string, annotation: string) {
    super(`cannot write the caBundle of ${target}: its annotation ${annotation} lets cert-manager overwrite it`, {
      hint: `remove the annotation ${annotation}, or the option certificates of the manager`,
    });
  }
}

/**
 * Thrown when self-managed certificates or a `caBundle` were replaced too often, so that they are left as they are for some minutes: something else replaces them as well.
 *
 * Fix: Give each installation its own `secretName`, correct clocks that are hours off, and find the other writer in `metadata.managedFields`.
 */
export class CertificateWritesError extends ScaffoldError {
  readonly code = "CERTIFICATES_TOO_MANY_WRITES";

  constructor(object: string) {
    super(`${object} was replaced too often within 10 minutes, waiting before the next write`, {
      hint: "look for another writer in metadata.managedFields, for installations with the same secretName, and for clocks that are hours off",
    });
  }
}

/**
 * Thrown by the readiness check of a manager whose certificates are not in use yet.
 *
 * Fix: See the reason, and the log of the manager; the check passes by itself when the cause is gone.
 */
export class CertificateNotReadyError extends ScaffoldError {
  readonly code = "CERTIFICATES_NOT_READY";

  constructor(reason: string) {
    super(`the serving certificate is not ready: ${reason}`);
  }
}
