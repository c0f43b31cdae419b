import {
  dns1123SubdomainErrors,
  type FieldError,
  invalidField,
  qualifiedNameErrors,
  requiredField,
  tooLongField,
} from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { numberIn, objectIn, textIn, textOf } from "../../../fields.ts";
import { checkedText, fileUser, supportedText, unreservedPath } from "../checks/field-checks.ts";
import { labelSelectorErrors } from "../checks/label-selector-rules.ts";
import { signerNameErrors } from "../checks/signer-name-errors.ts";

/** Returns an error where another file of the volume has a path already. */
export type PathConflict = (path: string, shown: string) => readonly FieldError[];

/** Returns what is wrong with the bundle of trusted certificates that is a source of a projected volume. */
export function trustBundleErrors(
  bundle: MutableJsonObject,
  at: string,
  conflict: PathConflict,
): readonly FieldError[] {
  const path = textIn(bundle, "path");
  return [
    ...bundleReferenceErrors(bundle, at),
    ...(path === "" ? [requiredField(`${at}.path`)] : []),
    ...fileUser(bundle, `${at}.user`),
    ...unreservedPath(`${at}.path`, path),
    ...conflict(path, path),
  ];
}

function bundleReferenceErrors(bundle: MutableJsonObject, at: string): readonly FieldError[] {
  const { name, signerName: signer } = bundle;
  const selector = objectIn(bundle, "labelSelector");
  if (name !== undefined && signer !== undefined)
    return [invalidField(at, bundle, "only one of name and signerName may be used")];
  if (name !== undefined) {
    return [
      ...(name === "" ? [requiredField(`${at}.name`, "must be a valid object name")] : []),
      ...checkedText(`${at}.name`, textOf(name), bundleNameErrors),
      ...(selector === undefined
        ? []
        : [invalidField(`${at}.labelSelector`, selector, "labelSelector must be unset if name is specified")]),
    ];
  }
  return signer === undefined
    ? [requiredField(at, "either name or signerName must be specified")]
    : [
        ...(signer === "" ? [requiredField(`${at}.signerName`, "must be a valid signer name")] : []),
        ...signerNameErrors(textOf(signer), `${at}.signerName`),
        ...labelSelectorErrors(selector, `${at}.labelSelector`),
      ];
}

// What follows the last colon is the name among the bundles of a signer; the prefix always is that of the signer in it.
function bundleNameErrors(name: string): readonly string[] {
  return dns1123SubdomainErrors(name.slice(name.lastIndexOf(":") + 1)).map(
    (problem) => `not a valid clustertrustbundlename: ${problem}`,
  );
}

const KEY_TYPES = ["RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"] as const;
const PATHS = ["credentialBundlePath", "keyPath", "certificateChainPath"] as const;

/** Returns what is wrong with the certificate for a Pod that is a source of a projected volume. */
export function podCertificateErrors(
  certificate: MutableJsonObject,
  at: string,
  conflict: PathConflict,
): readonly FieldError[] {
  const signer = textIn(certificate, "signerName");
  const paths = PATHS.filter((name) => textIn(certificate, name) !== "");
  return [
    ...signerNameErrors(signer, `${at}.signerName`),
    ...userAnnotationErrors(objectIn(certificate, "userAnnotations"), `${at}.userAnnotations`),
    ...fileUser(certificate, `${at}.user`),
    ...supportedText(`${at}.keyType`, textIn(certificate, "keyType"), KEY_TYPES),
    ...expirationErrors(numberIn(certificate, "maxExpirationSeconds"), signer, `${at}.maxExpirationSeconds`),
    ...paths.flatMap((name) => {
      const path = textIn(certificate, name);
      return [...unreservedPath(`${at}.${name}`, path), ...conflict(path, path)];
    }),
    ...(paths.length === 0
      ? [requiredField(at, "specify at least one of credentialBundlePath, keyPath, and certificateChainPath")]
      : []),
  ];
}

const LEAST_SECONDS = 3600;
const DAY_SECONDS = 24 * 60 * 60;
const MOST_DAYS = 91;
/** The names of signers that Kubernetes itself has. */
export const KUBERNETES_SIGNERS: RegExp = /^(?:[^/]*\.)?kubernetes\.io(?:\/|$)/u;

function expirationErrors(seconds: number | undefined, signer: string, field: string): readonly FieldError[] {
  if (seconds === undefined) return [];
  const most = KUBERNETES_SIGNERS.test(signer) ? DAY_SECONDS : MOST_DAYS * DAY_SECONDS;
  return [
    ...(seconds < LEAST_SECONDS
      ? [invalidField(field, seconds, `if provided, maxExpirationSeconds must be >= ${LEAST_SECONDS}`)]
      : []),
    ...(seconds > most ? [invalidField(field, seconds, `if provided, maxExpirationSeconds must be <= ${most}`)] : []),
  ];
}

const MOST_BYTES = 256 * 1024;

/** Returns what is wrong with annotations that a signer of certificates for Pods reads. */
export function userAnnotationErrors(annotations: MutableJsonObject | undefined, at: string): readonly FieldError[] {
  const entries = Object.entries(annotations ?? {});
  const size = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(textOf(value)),
    0,
  );
  return [
    ...entries.flatMap(([key]) => domainKeyErrors(key.toLowerCase(), at)),
    ...(size > MOST_BYTES ? [tooLongField(at, MOST_BYTES)] : []),
  ];
}

function domainKeyErrors(key: string, at: string): readonly FieldError[] {
  if (key === "") return [requiredField(at)];
  const errors = checkedText(at, key, qualifiedNameErrors);
  return errors.length > 0 || key.includes("/")
    ? errors
    : [invalidField(at, key, 'must be a domain-prefixed key (such as "acme.io/foo")')];
}
