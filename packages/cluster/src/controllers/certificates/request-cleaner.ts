import { X509Certificate } from "node:crypto";

import type { CertificateSigningRequest } from "@kubescaffold/k8s/certificates/v1";

const HOUR_MS = 3_600_000;
const PENDING_MS = 24 * HOUR_MS;

/** Reports whether a request is deleted: an hour after its decision, a day after its creation or its approval without a certificate, or with an expired certificate. */
export function isOutdated({ metadata, status }: CertificateSigningRequest, now: number): boolean {
  const { conditions = [], certificate } = status ?? {};
  const isIssued = certificate !== undefined && certificate !== "";
  if (conditions.length === 0) return isOlder(metadata.creationTimestamp, PENDING_MS, now);
  return conditions.some(({ type, lastUpdateTime }) => {
    if (type === "Denied" || type === "Failed") return isOlder(lastUpdateTime, HOUR_MS, now);
    if (type !== "Approved") return false;
    if (!isIssued) return isOlder(lastUpdateTime, PENDING_MS, now);
    return isOlder(lastUpdateTime, HOUR_MS, now) || hasExpired(certificate, now);
  });
}

function isOlder(time: string | null | undefined, ageMs: number, now: number): boolean {
  return time !== undefined && time !== null && now - Date.parse(time) > ageMs;
}

function hasExpired(certificate: string, now: number): boolean {
  try {
    return now > Date.parse(new X509Certificate(Buffer.from(certificate, "base64")).validTo);
  } catch {
    // Signers may issue anything.
    return false;
  }
}
