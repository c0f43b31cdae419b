// cspell:ignore notafter notbefore
import { X509Certificate } from "node:crypto";

import {
  type FieldError,
  invalidField,
  OMITTED_VALUE,
  requiredField,
  tooLongField,
  unsupportedField,
} from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { numberIn, objectIn, objectsIn, textIn } from "../../../fields.ts";
import type { StrategyContext } from "../../../strategy.ts";
import { conditionErrors } from "../checks/condition-errors.ts";
import { type PemBlock, pemBlocks } from "../checks/pem-blocks.ts";
import { readCertificateRequest } from "./certificate-request.ts";

const STATUS = "status";
const CONDITIONS = "status.conditions";
const CHAIN = "status.certificateChain";
const RESULTS = ["Denied", "Failed", "Issued"] as const;
const KNOWN = ["Issued", "Denied", "Failed"] as const;

/** Returns what is wrong with the status of a PodCertificateRequest: one result, once, and a chain of certificates that suits the request. */
export function podCertificateStatusErrors(
  request: ApiObject,
  old: ApiObject,
  { now }: StrategyContext,
): readonly FieldError[] {
  const [status, former] = [objectIn(request, "status") ?? {}, objectIn(old, "status") ?? {}];
  const conditions = objectsIn(status, "conditions");
  const errors = [...resultErrors(conditions), ...conditionErrors(conditions, CONDITIONS)];
  if (errors.length > 0) return errors;
  if (RESULTS.some((type) => has(objectsIn(former, "conditions"), type)))
    return sameStatus(status, former, "immutable after PodCertificateRequest is issued, denied, or failed");
  if (has(conditions, "Denied") || has(conditions, "Failed")) {
    const rule = "non-condition status fields must be empty when denying or failing the PodCertificateRequest";
    return sameStatus(status, { conditions: status["conditions"] ?? null }, rule);
  }
  if (has(conditions, "Issued")) return issuedErrors(status, objectIn(old, "spec") ?? {}, Date.parse(now));
  return sameStatus(status, former, 'status is immutable unless transitioning to "Issued", "Denied", or "Failed"');
}

function has(conditions: readonly MutableJsonObject[], type: string): boolean {
  return conditions.some((condition) => textIn(condition, "type") === type && textIn(condition, "status") === "True");
}

function resultErrors(conditions: readonly MutableJsonObject[]): readonly FieldError[] {
  const first = conditions.findIndex((condition) => isResult(textIn(condition, "type")));
  return conditions.flatMap((condition, index) => {
    // Upstream joins the index as if it were a name.
    const at = `${CONDITIONS}.[${String(index)}]`;
    const [type, status] = [textIn(condition, "type"), textIn(condition, "status")];
    if (!isResult(type)) return [unsupportedField(`${at}.type`, type, KNOWN)];
    return [
      ...(index === first
        ? []
        : [
            invalidField(
              `${at}.type`,
              type,
              'There may be at most one condition with type "Issued", "Denied", or "Failed"',
            ),
          ]),
      ...(status === "True" ? [] : [unsupportedField(`${at}.status`, status, ["True"])]),
    ];
  });
}

function isResult(type: string): boolean {
  return (KNOWN as readonly string[]).includes(type);
}

function sameStatus(status: MutableJsonObject, other: MutableJsonObject, rule: string): readonly FieldError[] {
  return deepEqual(status, other) ? [] : [invalidField(STATUS, OMITTED_VALUE, rule)];
}

const LONGEST_CHAIN = 100 * 1024;

function issuedErrors(status: MutableJsonObject, spec: MutableJsonObject, nowMs: number): readonly FieldError[] {
  const chain = textIn(status, "certificateChain");
  if (Buffer.byteLength(chain) > LONGEST_CHAIN) return [tooLongField(CHAIN, LONGEST_CHAIN)];
  const invalid = (rule: string): readonly FieldError[] => [invalidField(CHAIN, chain, rule)];
  const [leafBlock, ...others] = pemBlocks(chain);
  if (leafBlock === undefined) return invalid("issued certificate chain must contain at least one certificate");
  if (leafBlock.type !== "CERTIFICATE")
    return invalid("issued certificate chain must consist entirely of CERTIFICATE PEM blocks");
  const leaf = readCertificate(leafBlock);
  if (leaf === undefined) return invalid("leaf certificate does not parse as valid X.509");
  if (!hasRequestedKey(leaf, spec)) return invalid("leaf certificate was not issued to the requested public key");
  const errors = timeErrors(status, { leaf, spec, nowMs });
  if (errors.length > 0) return errors;
  // The words are upstream's.
  // cspell:ignore CERTFICATE
  if (others.some(({ type }) => type !== "CERTIFICATE"))
    return invalid("issued certificate chain must consist entirely of CERTFICATE PEM blocks");
  return others.every((block) => readCertificate(block) !== undefined)
    ? []
    : invalid("intermediate certificate does not parse as valid X.509");
}

function readCertificate({ bytes }: PemBlock): X509Certificate | undefined {
  try {
    return new X509Certificate(bytes);
  } catch {
    return undefined;
  }
}

function hasRequestedKey(leaf: X509Certificate, spec: MutableJsonObject): boolean {
  const request = readCertificateRequest(Buffer.from(textIn(spec, "stubPKCS10Request"), "base64"));
  return request !== undefined && leaf.publicKey.equals(request.key);
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const TIMES = [
  ["notBefore", "must be present and consistent with the issued certificate"],
  ["notAfter", "must be present and consistent with the issued certificate"],
  ["beginRefreshAt", "must be present and in the range [notbefore+10min, notafter-10min]"],
] as const;

interface Issue {
  readonly leaf: X509Certificate;
  readonly spec: MutableJsonObject;
  readonly nowMs: number;
}

// The first rule that is broken is reported alone.
function timeErrors(status: MutableJsonObject, { leaf, spec, nowMs }: Issue): readonly FieldError[] {
  const missing = TIMES.filter(([name]) => textIn(status, name) === "");
  if (missing.length > 0) return missing.map(([name, rule]) => requiredField(`status.${name}`, rule));
  const [begin, end, refresh] = TIMES.map(([name]) => Date.parse(textIn(status, name))) as [number, number, number];
  const [leafBegin, leafEnd] = [Date.parse(leaf.validFrom), Date.parse(leaf.validTo)];
  const most = numberIn(spec, "maxExpirationSeconds") ?? 0;
  const invalid = (name: string, rule: string): readonly FieldError[] => [
    invalidField(`status.${name}`, textIn(status, name), rule),
  ];
  if (begin !== leafBegin)
    return invalid("notBefore", "must be set to the NotBefore time encoded in the leaf certificate");
  if (Math.abs(begin - nowMs) > 5 * MINUTE_MS)
    return invalid("notBefore", "must be set to within 5 minutes of kube-apiserver's current time");
  if (end !== leafEnd) return invalid("notAfter", "must be set to the NotAfter time encoded in the leaf certificate");
  const lifetime = leafEnd - leafBegin;
  if (lifetime < HOUR_MS) return [invalidField(CHAIN, lifetime, "leaf certificate lifetime must be >= 1 hour")];
  if (lifetime > most * 1000) {
    const rule = `leaf certificate lifetime must be <= spec.maxExpirationSeconds (${String(most)})`;
    return [invalidField(CHAIN, lifetime, rule)];
  }
  if (refresh < begin + 10 * MINUTE_MS)
    return invalid("beginRefreshAt", "must be at least 10 minutes after status.notBefore");
  return refresh > end - 10 * MINUTE_MS
    ? invalid("beginRefreshAt", "must be at least 10 minutes before status.notAfter")
    : [];
}
