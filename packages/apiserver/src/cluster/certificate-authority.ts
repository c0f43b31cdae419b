import type { webcrypto } from "node:crypto";

import type { X509CertificateGenerator, X509Certificate } from "@peculiar/x509";

import type { CertificateTerms } from "../controllers/certificates/request-signer.ts";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const DAY_MS = 24 * 60 * 60 * 1000;
// A little in the past, for the sake of clocks that run late.
const BACKDATE_MS = 5 * 60 * 1000;

/** A certificate and its private key, as PEM text. */
export interface KeyPair {
  /** The certificate, as PEM text. */
  readonly cert: string;
  /** The private key, as PEM text. */
  readonly key: string;
}

/** The names and addresses of a server certificate. */
export interface ServerCertificateOptions {
  /** The host names of the server. */
  readonly dnsNames: readonly string[];
  /** The addresses of the server. Default: none. */
  readonly ipAddresses?: readonly string[];
  /** Days from now until it expires. */
  readonly validDays?: number;
}

/** The identity of a client certificate. */
export interface ClientCertificateOptions {
  /** The user name, which becomes the common name. */
  readonly user: string;
  /** The groups, which become organizations. Default: none. */
  readonly groups?: readonly string[];
  /** Days from now until it expires. */
  readonly validDays?: number;
}

/** Signs certificates for the servers and clients of one test environment or development cluster. */
export interface CertificateAuthority {
  /** The authority's own certificate, as PEM text. */
  readonly cert: string;
  /** The authority's private key, as PEM text. */
  readonly key: string;
  /** Issues a certificate for a server. */
  issueServer(options: ServerCertificateOptions): Promise<KeyPair>;
  /** Issues a certificate for a user. */
  issueClient(options: ClientCertificateOptions): Promise<KeyPair>;
  /** Signs a certificate request in PEM, and returns the certificate in PEM. */
  signRequest(request: string, terms: CertificateTerms): Promise<string>;
}

/** Creates an authority with a fresh key; the library that does it is loaded on the first call. */
export async function createCertificateAuthority(commonName: string): Promise<CertificateAuthority> {
  const { X509CertificateGenerator, BasicConstraintsExtension, KeyUsagesExtension, KeyUsageFlags } =
    await loadLibrary();
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: [{ CN: [commonName] }],
    ...validity(3650),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.digitalSignature, true),
    ],
  });
  const issuer: Issuer = { certificate, key: keys.privateKey };
  return {
    cert: certificate.toString("pem"),
    key: await exportKey(keys.privateKey),
    issueServer: async (options) => await issueServer(issuer, options),
    issueClient: async (options) => await issueClient(issuer, options),
    signRequest: async (request, terms) => {
      const { signCertificateRequest } = await import("./certificate-requests.ts");
      return await signCertificateRequest(issuer, request, { ...terms, serialNumber: serialNumber() });
    },
  };
}

interface Issuer {
  readonly certificate: X509Certificate;
  readonly key: webcrypto.CryptoKey;
}

async function issueServer(issuer: Issuer, options: ServerCertificateOptions): Promise<KeyPair> {
  const { SubjectAlternativeNameExtension } = await loadLibrary();
  const names = [
    ...options.dnsNames.map((value) => ({ type: "dns", value }) as const),
    ...(options.ipAddresses ?? []).map((value) => ({ type: "ip", value }) as const),
  ];
  return await issue(issuer, {
    name: [{ CN: [options.dnsNames[0] ?? options.ipAddresses?.[0] ?? "server"] }],
    usage: SERVER_USAGE,
    validDays: options.validDays ?? 365,
    extensions: [new SubjectAlternativeNameExtension(names)],
  });
}

async function issueClient(issuer: Issuer, options: ClientCertificateOptions): Promise<KeyPair> {
  const groups = (options.groups ?? []).map((group) => ({ O: [group] }));
  return await issue(issuer, {
    name: [...groups, { CN: [options.user] }],
    usage: CLIENT_USAGE,
    validDays: options.validDays ?? 365,
    extensions: [],
  });
}

// The object identifiers of extended key usage.
const SERVER_USAGE = "1.3.6.1.5.5.7.3.1";
const CLIENT_USAGE = "1.3.6.1.5.5.7.3.2";

interface LeafOptions {
  readonly name: NonNullable<Parameters<typeof X509CertificateGenerator.createSelfSigned>[0]["name"]>;
  readonly usage: string;
  readonly validDays: number;
  readonly extensions: NonNullable<Parameters<typeof X509CertificateGenerator.create>[0]["extensions"]>;
}

async function issue(issuer: Issuer, options: LeafOptions): Promise<KeyPair> {
  const { X509CertificateGenerator, ExtendedKeyUsageExtension, KeyUsagesExtension, KeyUsageFlags } =
    await loadLibrary();
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: options.name,
    issuer: issuer.certificate.subject,
    ...validity(options.validDays),
    signingKey: issuer.key,
    publicKey: keys.publicKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([options.usage]),
      ...options.extensions,
    ],
  });
  return { cert: certificate.toString("pem"), key: await exportKey(keys.privateKey) };
}

async function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await crypto.subtle.exportKey("pkcs8", key)).toString("base64");
  const lines = der.match(/.{1,64}/gu) ?? [];
  return `-----BEGIN PRIVATE KEY-----\n${lines.join("\n")}\n-----END PRIVATE KEY-----\n`;
}

function validity(days: number): { readonly notBefore: Date; readonly notAfter: Date } {
  const now = Date.now();
  return { notBefore: new Date(now - BACKDATE_MS), notAfter: new Date(now + days * DAY_MS) };
}

function serialNumber(): string {
  // The first bit stays clear, so that the number is positive and keeps its length.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[0] = (bytes[0] ?? 0) & 0x7f;
  return Buffer.from(bytes).toString("hex");
}

async function loadLibrary(): Promise<typeof import("@peculiar/x509")> {
  await import("reflect-metadata");
  return await import("@peculiar/x509");
}
