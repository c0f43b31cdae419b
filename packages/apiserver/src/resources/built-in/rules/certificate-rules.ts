import { type FieldError, invalidField } from "@kubescaffold/k8s";

import type { ApiObject, MutableJsonObject } from "../../../storage/api-object.ts";
import { ensureObject, objectIn, objectsIn, textIn } from "../../fields.ts";
import type { StrategyContext } from "../../strategy.ts";
import type { BuiltInRules } from "./built-in-rules.ts";

const DECISIONS: ReadonlySet<string> = new Set(["Approved", "Denied"]);

/** Rules of CertificateSigningRequests beyond their schema: the server states who requests, and `approval` changes the decision alone. */
export const signingRequestRules: BuiltInRules = {
  selectableFields: { "spec.signerName": (request) => textIn(objectIn(request, "spec"), "signerName") },
  prepareForCreate: (request, { user }) => {
    const spec = ensureObject(request, "spec");
    for (const field of ["username", "uid", "groups", "extra"]) delete spec[field];
    spec["username"] = user.name;
    spec["groups"] = [...user.groups];
    if (user.uid !== undefined) spec["uid"] = user.uid;
    if (user.extra !== undefined) spec["extra"] = structuredClone(user.extra);
  },
  prepareForUpdate: (request, old, context) => {
    if (context.subresource === "approval") approve(request, old, context);
    else if (context.subresource === "status") keepDecision(request, old, context);
    else request["spec"] = old["spec"];
  },
  validate: requestErrors,
};

const PEM_REQUEST = /-----BEGIN CERTIFICATE REQUEST-----\r?\n[\s\S]*?-----END CERTIFICATE REQUEST-----/u;

function requestErrors(request: ApiObject): readonly FieldError[] {
  const encoded = textIn(objectIn(request, "spec"), "request");
  return PEM_REQUEST.test(Buffer.from(encoded, "base64").toString("latin1"))
    ? []
    : [invalidField("spec.request", encoded, "PEM block type must be CERTIFICATE REQUEST")];
}

function approve(request: ApiObject, old: ApiObject, { now }: StrategyContext): void {
  const conditions = conditionsOf(request).map((condition) => withTimes(condition, old, now));
  request["status"] = { ...objectIn(old, "status"), conditions };
}

// The status endpoint is that of the signer.
function keepDecision(request: ApiObject, old: ApiObject, { now }: StrategyContext): void {
  const isDecision = (condition: MutableJsonObject): boolean => DECISIONS.has(textIn(condition, "type"));
  const others = conditionsOf(request).filter((condition) => !isDecision(condition));
  const conditions = [...conditionsOf(old).filter(isDecision), ...others.map((each) => withTimes(each, old, now))];
  request["status"] = { ...objectIn(request, "status"), ...(conditions.length === 0 ? {} : { conditions }) };
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

function conditionsOf(request: ApiObject): readonly MutableJsonObject[] {
  return objectsIn(objectIn(request, "status"), "conditions");
}
