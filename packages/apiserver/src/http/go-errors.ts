import { headProblem } from "./malformed-answers.ts";

/** An error of a connection, of its TLS handshake, or of the parser of its answers. */
export interface ConnectionError extends NodeJS.ErrnoException {
  readonly rawPacket?: Uint8Array;
  readonly cert?: { readonly subjectaltname?: string };
}

/** The server that could not be reached, as messages name it. */
export interface FailedEndpoint {
  /** Host and port. */
  readonly address: string;
  /** The name that its certificate should have. */
  readonly serverName: string;
}

/** Returns the message that Go's HTTP client has for an error. */
export function goMessage(error: ConnectionError, { address, serverName }: FailedEndpoint): string {
  const { code, message, cert } = error;
  switch (code) {
    case "ECONNREFUSED":
      return `dial tcp ${address}: connect: connection refused`;
    case "ECONNRESET":
      return "EOF";
    case "ENOTFOUND":
      return `dial tcp: lookup ${address.replace(/:\d+$/u, "")}: no such host`;
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return `tls: failed to verify certificate: x509: certificate is valid for ${namesIn(cert, serverName)}, not ${serverName}`;
    case "CERT_HAS_EXPIRED":
      return "tls: failed to verify certificate: x509: certificate has expired or is not yet valid";
    case "CERT_SIGNATURE_FAILURE":
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
      return "tls: failed to verify certificate: x509: certificate signed by unknown authority";
    default:
      return headProblem(error) ?? message;
  }
}

// Only names of the kind that was looked for are listed.
function namesIn(cert: ConnectionError["cert"], wanted: string): string {
  const prefix = isAddress(wanted) ? "IP Address:" : "DNS:";
  const names = (cert?.subjectaltname ?? "").split(", ").filter((name) => name.startsWith(prefix));
  return names.map((name) => name.slice(prefix.length)).join(", ");
}

/** Reports whether a host is an IP address. */
export function isAddress(host: string): boolean {
  return /^[\d.]+$|:/u.test(host);
}
