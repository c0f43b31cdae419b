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
