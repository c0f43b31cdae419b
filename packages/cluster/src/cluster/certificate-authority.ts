import { generateKeyPair, type KeyObject, randomBytes } from "node:crypto";
import { promisify } from "node:util";

import type { CertificateTerms } from "@kubescaffold/apiserver/cluster-api";
import { checkCertificateNames, checkNumbers } from "@kubescaffold/k8s";

import {
  type CertificateContents,
  type CertificateExtension,
  NAME_ATTRIBUTES,
  type NamePart,
  signedCertificate,
} from "./certificate-encoding.ts";

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
  /** Issues a certificate for a server. Fails: `CertificateNameError`. */
  issueServer(options: ServerCertificateOptions): Promise<KeyPair>;
  /** Issues a certificate for a user, whose name and groups it contains exactly. Fails: `CertificateNameError`. */
  issueClient(options: ClientCertificateOptions): Promise<KeyPair>;
  /** Signs a certificate request in PEM, and returns the certificate in PEM. */
  signRequest(request: string, terms: CertificateTerms): Promise<string>;
}

/** Creates an authority with a fresh key. */
export async function createCertificateAuthority(commonName: string): Promise<CertificateAuthority> {
  const keys = await generateKeys();
  const times = validity(3650);
  const subject = [[COMMON_NAME, commonName]] as const;
  const cert = signedCertificate(
    {
      serialNumber: serialNumber(),
      issuer: subject,
      subject,
      ...times,
      publicKey: keys.publicKey,
      extensions: [{ kind: "authority" }, { kind: "key-usage", bits: [DIGITAL_SIGNATURE, CERTIFICATE_SIGN] }],
    },
    keys.privateKey,
  );
  const issuer: Issuer = { subject, key: keys.privateKey, notAfter: times.notAfter };
  return {
    cert,
    key: pemOf(keys.privateKey),
    issueServer: async (options) => await issueServer(issuer, options),
    issueClient: async (options) => await issueClient(issuer, options),
    signRequest: async (request, terms) => {
      const { signCertificateRequest } = await import("./certificate-requests.ts");
      return await signCertificateRequest(issuer, request, { ...terms, serialNumber: serialNumber() });
    },
  };
}

// Bits of the key usage.
const DIGITAL_SIGNATURE = 0;
const CERTIFICATE_SIGN = 5;

interface Issuer {
  readonly subject: readonly NamePart[];
  readonly key: KeyObject;
  readonly notAfter: Date;
}

const { commonName: COMMON_NAME, organization: ORGANIZATION } = NAME_ATTRIBUTES;
const SERVER_USAGE = "1.3.6.1.5.5.7.3.1";
const CLIENT_USAGE = "1.3.6.1.5.5.7.3.2";

async function issueServer(
  issuer: Issuer,
  { dnsNames, ipAddresses = [], validDays = 365 }: ServerCertificateOptions,
): Promise<KeyPair> {
  checkCertificateNames([], dnsNames);
  const subject = [[COMMON_NAME, dnsNames[0] ?? ipAddresses[0] ?? "server"]] as const;
  return await issue(issuer, subject, validDays, [
    { kind: "extended-key-usage", usages: [SERVER_USAGE] },
    { kind: "alternative-names", dnsNames, ipAddresses },
  ]);
}

async function issueClient(
  issuer: Issuer,
  { user, groups = [], validDays = 365 }: ClientCertificateOptions,
): Promise<KeyPair> {
  const subject = [...groups.map((group) => [ORGANIZATION, group] as const), [COMMON_NAME, user] as const];
  return await issue(issuer, subject, validDays, [{ kind: "extended-key-usage", usages: [CLIENT_USAGE] }]);
}

async function issue(
  issuer: Issuer,
  subject: readonly NamePart[],
  validDays: number,
  extensions: readonly CertificateExtension[],
): Promise<KeyPair> {
  checkNumbers("the certificate", { validDays }, { validDays: "finite" });
  const keys = await generateKeys();
  const contents: CertificateContents = {
    serialNumber: serialNumber(),
    issuer: issuer.subject,
    subject,
    ...validity(validDays),
    publicKey: keys.publicKey,
    extensions: [{ kind: "key-usage", bits: [DIGITAL_SIGNATURE] }, ...extensions],
  };
  return { cert: signedCertificate(contents, issuer.key), key: pemOf(keys.privateKey) };
}

async function generateKeys(): Promise<{ readonly publicKey: KeyObject; readonly privateKey: KeyObject }> {
  return await generateKeyPairAsync("ec", { namedCurve: "P-256" });
}

const generateKeyPairAsync = promisify(generateKeyPair);

function pemOf(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

function validity(days: number): { readonly notBefore: Date; readonly notAfter: Date } {
  const now = Date.now();
  return { notBefore: new Date(now - BACKDATE_MS), notAfter: new Date(now + days * DAY_MS) };
}

function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}
