import { ScaffoldError } from "../failures/errors.ts";

/**
 * Thrown when a certificate cannot contain a name or an address as it is given.
 *
 * Fix: Write texts without unpaired surrogates, host names in ASCII (IDNs in their `xn--` form), and valid IP addresses.
 */
export class CertificateNameError extends ScaffoldError {
  readonly code = "CLIENT_CERTIFICATE_NAME";

  constructor(kind: string, value: string, rule: string) {
    super(`invalid ${kind} ${JSON.stringify(value)} of a certificate: ${rule}`, {
      hint: "use well-formed text, host names in ASCII, and valid IP addresses",
    });
  }
}

const UNPAIRED = /\p{Surrogate}/u;
const HOST_NAME = /^[-\w.*]+$/u;

/**
 * Checks that a certificate can contain the texts of a subject and host names exactly: encoders replace or cut characters that they cannot write, so that a
 * certificate would have another name than the one that was checked.
 *
 * Fails: {@link CertificateNameError}.
 */
export function checkCertificateNames(texts: readonly string[], hostNames: readonly string[]): void {
  for (const text of texts) {
    if (UNPAIRED.test(text)) throw new CertificateNameError("subject", text, "the text has an unpaired surrogate");
  }
  for (const name of hostNames) {
    if (!HOST_NAME.test(name)) {
      throw new CertificateNameError(
        "host name",
        name,
        "only ASCII letters, digits, and the characters - _ . * are allowed",
      );
    }
  }
}
