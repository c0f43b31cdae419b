import type { CertificateTerms, ReadRequest } from "@kubescaffold/apiserver/cluster-api";
import type { CertificateSigningRequest } from "@kubescaffold/k8s/certificates/v1";

import { kubeletClientProblem, kubeletServingProblem } from "./kubelet-requests.ts";

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
const LONGEST_MS = 365 * 24 * HOUR_MS;
const SHORTEST_MS = 600_000;
const BACKDATE_MS = 300_000;
// Certificates that are valid for less do not end earlier for being backdated.
const SHORT_MS = 8 * HOUR_MS;

/** The signer of the client certificates of kubelets. */
export const KUBELET_CLIENT_SIGNER = "kubernetes.io/kube-apiserver-client-kubelet";

type Check = (request: ReadRequest, usages: readonly string[]) => string | undefined;

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["kubernetes.io/kube-apiserver-client", (_request, usages) => clientProblem(usages)],
  [KUBELET_CLIENT_SIGNER, kubeletClientProblem],
  ["kubernetes.io/kubelet-serving", kubeletServingProblem],
  ["kubernetes.io/legacy-unknown", () => undefined],
]);

/** Reports whether requests for a signer are signed by the cluster. */
export function isOwnSigner(signerName: string): boolean {
  return CHECKS.has(signerName);
}

/** Returns why a signer refuses a request; undefined if it does not. */
export function signerProblem(
  { signerName, usages = [] }: NonNullable<CertificateSigningRequest["spec"]>,
  request: ReadRequest,
): string | undefined {
  return CHECKS.get(signerName)?.(request, usages);
}

function clientProblem(usages: readonly string[]): string | undefined {
  const others = usages.find((usage) => !["digital signature", "key encipherment", "client auth"].includes(usage));
  if (others !== undefined) return `invalid usage for client certificate: ${others}`;
  return usages.includes("client auth") ? undefined : "missing required usage for client certificate: client auth";
}

/** Returns the usages and the validity of a certificate: a year, or the requested time, at least 10 minutes. */
export function certificateTerms(
  { usages = [], expirationSeconds }: NonNullable<CertificateSigningRequest["spec"]>,
  now: number,
): CertificateTerms {
  const requestedMs = expirationSeconds === undefined ? LONGEST_MS : expirationSeconds * SECOND_MS;
  const durationMs = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, requestedMs));
  return {
    usages: usages.flatMap((usage) => KEY_USAGES.get(usage) ?? []),
    extendedUsages: [...EXTENDED_USAGES].flatMap(([identifier, names]) =>
      usages.some((usage) => names.includes(usage)) ? [identifier] : [],
    ),
    notBefore: new Date(now - BACKDATE_MS),
    notAfter: new Date(now + durationMs - (durationMs < SHORT_MS ? 0 : BACKDATE_MS)),
  };
}

const KEY_USAGES: ReadonlyMap<string, number> = new Map([
  ["signing", 0],
  ["digital signature", 0],
  ["content commitment", 1],
  ["key encipherment", 2],
  ["data encipherment", 3],
  ["key agreement", 4],
  ["cert sign", 5],
  ["crl sign", 6],
  ["encipher only", 7],
  ["decipher only", 8],
]);

// In the order of Go.
const EXTENDED_USAGES: ReadonlyMap<string, readonly string[]> = new Map([
  ["2.5.29.37.0", ["any"]],
  ["1.3.6.1.5.5.7.3.1", ["server auth"]],
  ["1.3.6.1.5.5.7.3.2", ["client auth"]],
  ["1.3.6.1.5.5.7.3.3", ["code signing"]],
  ["1.3.6.1.5.5.7.3.4", ["email protection", "s/mime"]],
  ["1.3.6.1.5.5.7.3.5", ["ipsec end system"]],
  ["1.3.6.1.5.5.7.3.6", ["ipsec tunnel"]],
  ["1.3.6.1.5.5.7.3.7", ["ipsec user"]],
  ["1.3.6.1.5.5.7.3.8", ["timestamping"]],
  ["1.3.6.1.5.5.7.3.9", ["ocsp signing"]],
  ["1.3.6.1.4.1.311.10.3.3", ["microsoft sgc"]],
  ["2.16.840.1.113730.4.1", ["netscape sgc"]],
]);
