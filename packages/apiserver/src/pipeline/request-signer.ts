/** What a certificate request asks for. */
export interface ReadRequest {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly uris: readonly string[];
}

/** What a signer adds to a certificate. */
export interface CertificateTerms {
  /** The bits of the key usage. */
  readonly usages: readonly number[];
  /** The object identifiers of the extended key usage. */
  readonly extendedUsages: readonly string[];
  /** When the certificate becomes valid. */
  readonly notBefore: Date;
  /** When the certificate expires; with that of the authority at the latest. */
  readonly notAfter: Date;
}

/** Reads and signs certificate requests, in PEM. */
export interface RequestSigner {
  /** Returns undefined for a text that is no request, and for one whose signature is invalid. */
  read(request: string): Promise<ReadRequest | undefined>;
  sign(request: string, terms: CertificateTerms): Promise<string>;
}
