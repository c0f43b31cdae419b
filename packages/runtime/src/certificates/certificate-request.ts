import { CertificateSigningRequest, type KeyUsage } from "@kubescaffold/k8s/certificates/v1";

import { createListWatch } from "../cache/list-watch.ts";
import type { LiveClient, WatchEvent } from "../client/client.ts";
import { signalOf } from "../client/requests.ts";
import { until } from "../watch-tools/until.ts";
import { ALGORITHM, alternativeNames, generateKeys, loadLibrary, pemOf, subjectName } from "./certificate-names.ts";
import { CertificateRefusedError } from "./errors.ts";

/** The subject of a certificate: whom it identifies. */
export interface CertificateSubject {
  /** The common name; the user name of a client certificate. */
  readonly commonName: string;
  /** The organizations; the groups of a client certificate. Default: none. */
  readonly organizations?: readonly string[];
  /** The host names of a server certificate. Default: none. */
  readonly dnsNames?: readonly string[];
  /** The addresses of a server certificate. Default: none. */
  readonly ipAddresses?: readonly string[];
}

/** A request for a certificate, and the private key that belongs to it, as PEM text. */
export interface CertificateRequestPair {
  /** The request (PKCS #10), which contains the public key. */
  readonly request: string;
  /** The private key. */
  readonly key: string;
}

/**
 * Creates a private key, and a request for a certificate of it.
 *
 * Guarantees: the request contains the texts of the subject exactly, regardless of their characters.
 *
 * Fails: `CertificateNameError` for unpaired surrogates, host names that are not ASCII, and invalid addresses.
 *
 * client-go: util/cert.MakeCSR
 */
export async function createCertificateRequest(subject: CertificateSubject): Promise<CertificateRequestPair> {
  const { commonName, organizations = [], dnsNames = [], ipAddresses = [] } = subject;
  const x509 = await loadLibrary();
  const keys = await generateKeys();
  const names = alternativeNames(dnsNames, ipAddresses);
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: subjectName(x509, [...organizations.map((each) => ["O", each] as const), ["CN", commonName]]),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension([...names])],
  });
  return { request: request.toString("pem"), key: await pemOf(keys.privateKey) };
}

/** Options of {@link requestCertificate}. */
export interface RequestCertificateOptions {
  /** The signer, such as `kubernetes.io/kube-apiserver-client`. */
  readonly signerName: string;
  /** The usages of the key, such as `digital signature` and `client auth`. */
  readonly usages: readonly KeyUsage[];
  /** The name of the CertificateSigningRequest. Default: a generated one. */
  readonly name?: string;
  /** The requested lifetime of the certificate in seconds, which the signer may shorten. Default: that of the signer. */
  readonly expirationSeconds?: number;
  /** Receives the stored request before the wait, so that it can be approved. Default: another client approves it. */
  readonly onCreated?: (request: CertificateSigningRequest) => void | Promise<void>;
  /** Ends the wait with its reason when it aborts. Default: the signal of the reconcile that calls. */
  readonly signal?: AbortSignal;
}

/**
 * Creates a CertificateSigningRequest, and waits until its certificate is issued. Returns the certificates as PEM text.
 *
 * Fails: {@link CertificateRefusedError}, `isAlreadyExists` for a name that is in use, or the signal's reason.
 *
 * client-go: util/certificate/csr.RequestCertificateWithContext
 *
 * @example
 * const { request, key } = await createCertificateRequest({ commonName: "backup", organizations: ["operators"] });
 * const certificate = await requestCertificate(client, request, {
 *   signerName: "kubernetes.io/kube-apiserver-client",
 *   usages: ["digital signature", "client auth"],
 * });
 */
export async function requestCertificate(
  client: LiveClient,
  request: string,
  options: RequestCertificateOptions,
): Promise<string> {
  const { signerName, usages, name, expirationSeconds, onCreated } = options;
  const call = signalOf(options);
  const created = await client.create(
    CertificateSigningRequest.create({
      metadata: name === undefined ? { generateName: "csr-" } : { name },
      spec: {
        request: Buffer.from(request).toString("base64"),
        signerName,
        usages: [...usages],
        ...(expirationSeconds === undefined ? {} : { expirationSeconds }),
      },
    }),
    call,
  );
  await onCreated?.(created);
  const { name: createdName, resourceVersion } = created.metadata;
  const watched = createListWatch(client, CertificateSigningRequest, { fieldSelector: `metadata.name=${createdName}` });
  const issued = await until(resourceVersion, watched, [isIssued], call);
  return Buffer.from((issued && certificateOf(issued)) ?? "", "base64").toString();
}

function isIssued(event: WatchEvent<CertificateSigningRequest>): boolean {
  if (event.type === "ERROR" || event.type === "BOOKMARK") return false;
  const { metadata, status } = event.object;
  if (event.type === "DELETED") throw new CertificateRefusedError(metadata.name ?? "", "the request was deleted");
  const refusal = status?.conditions?.find(({ type }) => type === "Denied" || type === "Failed");
  if (refusal !== undefined) {
    const reason = [refusal.type, refusal.reason, refusal.message].filter((each) => each !== undefined && each !== "");
    throw new CertificateRefusedError(metadata.name ?? "", reason.join(": "));
  }
  return (certificateOf(event) ?? "") !== "";
}

function certificateOf(event: WatchEvent<CertificateSigningRequest>): string | undefined {
  return event.type === "ERROR" || event.type === "BOOKMARK" ? undefined : event.object.status?.certificate;
}
