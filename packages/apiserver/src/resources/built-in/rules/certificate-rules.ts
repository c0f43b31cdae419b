import { deepClone, duplicateField, type FieldError, invalidField, requiredField } from "@kubescaffold/k8s";

import type { ApiObject, MutableJsonObject } from "../../../storage/api-object.ts";
import { ensureObject, numberIn, objectIn, textIn, textsIn } from "../../fields.ts";
import { repeatedIndexes } from "../../repeated-indexes.ts";
import type { StrategyContext } from "../../strategy.ts";
import type { BuiltInRules } from "./built-in-rules.ts";
import { conditionsOf, DECISIONS, ofType, signingRequestStatusErrors } from "./certificate-status-errors.ts";
import { eachItem, supportedText } from "./checks/field-checks.ts";
import { signerNameErrors } from "./checks/signer-name-errors.ts";

/** Rules of CertificateSigningRequests beyond their schema: the server states who requests, and `approval` changes the decision alone. */
export const signingRequestRules: BuiltInRules = {
  nameRule: "any",
  selectableFields: { "spec.signerName": (request) => textIn(objectIn(request, "spec"), "signerName") },
  prepareForCreate: (request, { user }) => {
    const spec = ensureObject(request, "spec");
    for (const field of ["username", "uid", "groups", "extra"]) delete spec[field];
    spec["username"] = user.name;
    spec["groups"] = [...user.groups];
    if (user.uid !== undefined) spec["uid"] = user.uid;
    if (user.extra !== undefined) spec["extra"] = deepClone(user.extra);
  },
  prepareForUpdate: (request, old, context) => {
    if (context.subresource === "approval") approve(request, old, context);
    else if (context.subresource === "status") prepareStatus(request, old, context);
    else request["spec"] = old["spec"];
  },
  checksEveryField: true,
  validate: (request, _context, old) => (old === undefined ? requestErrors(request) : []),
  validateUpdate: (request, old, { subresource }) =>
    subresource === "approval" ? signingRequestStatusErrors(request, old, subresource) : [],
  validateStatus: (request, old) => signingRequestStatusErrors(request, old, "status"),
};

/** Rules of ClusterTrustBundles beyond their schema. */
export const trustBundleRules: BuiltInRules = {
  nameRule: "any",
  allowsUnconditionalUpdate: false,
  selectableFields: { "spec.signerName": (bundle) => textIn(objectIn(bundle, "spec"), "signerName") },
  checksEveryField: true,
  loadChecks: async () => {
    const { trustBundleChecks } = await import("./certificates/trust-bundle-errors.ts");
    return trustBundleChecks;
  },
};

/** Rules of PodCertificateRequests beyond their schema: they never change, and are issued, denied, or failed once. */
export const podCertificateRules: BuiltInRules = {
  allowsUnconditionalUpdate: false,
  keepsMetadataForStatus: true,
  selectableFields: {
    "spec.signerName": (request) => textIn(objectIn(request, "spec"), "signerName"),
    "spec.podName": (request) => textIn(objectIn(request, "spec"), "podName"),
    "spec.nodeName": (request) => textIn(objectIn(request, "spec"), "nodeName"),
  },
  checksEveryField: true,
  loadChecks: async () => {
    const { podCertificateChecks } = await import("./certificates/pod-certificate-errors.ts");
    return podCertificateChecks;
  },
};

const BEGIN = /-----BEGIN CERTIFICATE REQUEST-----\r?\n/u;
const END = "-----END CERTIFICATE REQUEST-----";

// In one expression, each further beginning would be searched for its end.
function isPemRequest(text: string): boolean {
  const begin = BEGIN.exec(text);
  return begin !== null && text.includes(END, begin.index + begin[0].length);
}

function requestErrors(request: ApiObject): readonly FieldError[] {
  const encoded = textIn(objectIn(request, "spec"), "request");
  const isRequest = isPemRequest(Buffer.from(encoded, "base64").toString("latin1"));
  const spec = objectIn(request, "spec");
  const usages = textsIn(spec, "usages");
  const seconds = numberIn(spec, "expirationSeconds");
  const repeated = repeatedIndexes(usages);
  const short = "may not specify a duration less than 600 seconds (10 minutes)";
  return [
    ...(isRequest
      ? []
      : [
          invalidField(
            "spec.request",
            objectIn(request, "spec")?.["request"] ?? null,
            "PEM block type must be CERTIFICATE REQUEST",
          ),
        ]),
    ...(usages.length === 0 ? [requiredField("spec.usages")] : []),
    ...eachItem(usages, "spec.usages", (usage, place) => supportedText(place, usage, USAGES)),
    ...eachItem(usages, "spec.usages", (usage, place, index) =>
      repeated.has(index) ? [duplicateField(place, usage)] : [],
    ),
    ...signerErrors(textIn(spec, "signerName"), "spec.signerName"),
    ...(seconds !== undefined && seconds < 600 ? [invalidField("spec.expirationSeconds", seconds, short)] : []),
  ];
}

const USAGES = [
  "any",
  "cert sign",
  "client auth",
  "code signing",
  "content commitment",
  "crl sign",
  "data encipherment",
  "decipher only",
  "digital signature",
  "email protection",
  "encipher only",
  "ipsec end system",
  "ipsec tunnel",
  "ipsec user",
  "key agreement",
  "key encipherment",
  "microsoft sgc",
  "netscape sgc",
  "ocsp signing",
  "s/mime",
  "server auth",
  "signing",
  "timestamping",
] as const;

function signerErrors(name: string, field: string): readonly FieldError[] {
  if (name === "kubernetes.io/legacy-unknown") {
    return [invalidField(field, name, "the legacy signerName is not allowed via this API version")];
  }
  return signerNameErrors(name, field);
}

function approve(request: ApiObject, old: ApiObject, { now }: StrategyContext): void {
  const conditions = conditionsOf(request).map((condition) => withTimes(condition, old, now));
  request["status"] = { ...objectIn(old, "status"), conditions };
}

// The status endpoint is that of the signer: decisions stay as they are, unless their number changes, which is refused.
function prepareStatus(request: ApiObject, old: ApiObject, { now }: StrategyContext): void {
  const kept = DECISIONS.map((type) => {
    const former = ofType(conditionsOf(old), type);
    return { type, former: former.length === ofType(conditionsOf(request), type).length ? [...former] : [] };
  });
  const conditions = conditionsOf(request).map((condition) => {
    const before = kept.find(({ type }) => type === condition["type"])?.former.shift();
    return withTimes(before ?? condition, old, now);
  });
  const { conditions: _given, ...status } = objectIn(request, "status") ?? {};
  request["status"] = { ...status, ...(conditions.length === 0 ? {} : { conditions }) };
}

function withTimes(condition: MutableJsonObject, old: ApiObject, now: string): MutableJsonObject {
  const before = conditionsOf(old).find(
    (each) => each["type"] === condition["type"] && each["status"] === condition["status"],
  );
  return {
    ...condition,
    lastUpdateTime: condition["lastUpdateTime"] ?? now,
    lastTransitionTime: condition["lastTransitionTime"] ?? before?.["lastTransitionTime"] ?? now,
  };
}
