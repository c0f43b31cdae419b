// cspell:ignore secp
import type { KeyObject } from "node:crypto";

import {
  dns1123SubdomainErrors,
  type FieldError,
  invalidField,
  OMITTED_VALUE,
  requiredField,
  tooLongField,
} from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { numberIn, objectIn, textIn } from "../../../fields.ts";
import type { BuiltInChecks } from "../checks/built-in-checks.ts";
import { checkedText } from "../checks/field-checks.ts";
import { signerNameErrors } from "../checks/signer-name-errors.ts";
import { KUBERNETES_SIGNERS, userAnnotationErrors } from "../pod/credential-projection-errors.ts";
import { readCertificateRequest } from "./certificate-request.ts";
import { podCertificateStatusErrors } from "./pod-certificate-status-errors.ts";

/** Checks of PodCertificateRequests, which never change once they are made. */
export const podCertificateChecks: BuiltInChecks = {
  validate: (request, _context, old) => (old === undefined ? requestErrors(request) : []),
  validateUpdate: (request, old) =>
    deepEqual(request["spec"], old["spec"])
      ? []
      : [invalidField("spec", request["spec"] ?? null, "field is immutable")],
  validateStatus: podCertificateStatusErrors,
};

const LONGEST_UID = 128;
const NAMES = [
  ["podName", "podUID"],
  ["serviceAccountName", "serviceAccountUID"],
  ["nodeName", "nodeUID"],
] as const;

function requestErrors(request: ApiObject): readonly FieldError[] {
  const spec = objectIn(request, "spec") ?? {};
  const signer = textIn(spec, "signerName");
  return [
    ...signerNameErrors(signer, "spec.signerName"),
    ...userAnnotationErrors(objectIn(spec, "unverifiedUserAnnotations"), "spec.unverifiedUserAnnotations"),
    ...NAMES.flatMap(([name, uid]) => [
      ...checkedText(`spec.${name}`, textIn(spec, name), dns1123SubdomainErrors),
      ...uidErrors(`spec.${uid}`, textIn(spec, uid)),
    ]),
    ...durationErrors(numberIn(spec, "maxExpirationSeconds"), signer),
    ...(spec["maxExpirationSeconds"] === undefined ? [] : keyErrors(spec)),
  ];
}

function uidErrors(field: string, uid: string): readonly FieldError[] {
  if (uid === "") return [invalidField(field, uid, "must not be empty")];
  return Buffer.byteLength(uid) > LONGEST_UID ? [tooLongField(field, LONGEST_UID)] : [];
}

const LEAST_SECONDS = 3600;
const DAY_SECONDS = 24 * 60 * 60;
const MOST_DAYS = 91;

function durationErrors(seconds: number | undefined, signer: string): readonly FieldError[] {
  const field = "spec.maxExpirationSeconds";
  if (seconds === undefined) return [requiredField(field, "must be set")];
  const most = KUBERNETES_SIGNERS.test(signer) ? DAY_SECONDS : MOST_DAYS * DAY_SECONDS;
  return seconds >= LEAST_SECONDS && seconds <= most
    ? []
    : [invalidField(field, seconds, `must be in the range [${LEAST_SECONDS}, ${most}]`)];
}

const REQUEST = "spec.stubPKCS10Request";
const MOST_BYTES = 10 * 1024;

function keyErrors(spec: MutableJsonObject): readonly FieldError[] {
  const bytes = Buffer.from(textIn(spec, "stubPKCS10Request"), "base64");
  if (bytes.length === 0) return [omitted("spec", ONE_KEY)];
  if (bytes.length > MOST_BYTES) return [tooLongField(REQUEST, MOST_BYTES)];
  const request = readCertificateRequest(bytes);
  if (request === undefined) return [omitted(REQUEST, "must be a valid PKCS#10 CSR")];
  const problem = keyProblem(request.key);
  if (problem !== undefined) return [problem];
  return request.isSigned ? [] : [omitted(REQUEST, "invalid signature")];
}

// The other fields are those of a version that is not served.
const ONE_KEY = "exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set";

function omitted(field: string, rule: string): FieldError {
  return invalidField(field, OMITTED_VALUE, rule);
}

const CURVES: ReadonlySet<string> = new Set(["prime256v1", "secp384r1", "secp521r1"]);
const CURVE_RULE = "elliptic public keys must use curve P256, P384, or P521";
const RSA_BITS: ReadonlySet<number> = new Set([3072, 4096]);
const RSA_RULE = "RSA keys must have modulus size 3072 or 4096";

function keyProblem({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): FieldError | undefined {
  const { namedCurve = "", modulusLength = 0 } = asymmetricKeyDetails;
  switch (asymmetricKeyType) {
    case "ed25519":
      return undefined;
    case "ec":
      return CURVES.has(namedCurve) ? undefined : invalidField(REQUEST, `curve ${namedCurve}`, CURVE_RULE);
    case "rsa":
      return RSA_BITS.has(modulusLength)
        ? undefined
        : invalidField(REQUEST, `${String(modulusLength)}-bit modulus`, RSA_RULE);
    default:
      return omitted(REQUEST, "unknown public key type; supported types are Ed25519, ECDSA, and RSA");
  }
}
