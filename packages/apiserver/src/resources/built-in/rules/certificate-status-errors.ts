import { X509Certificate } from "node:crypto";

import {
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
} from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import { since } from "../../../release/rule-release.ts";
import type { ApiObject, MutableJsonObject } from "../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../../fields.ts";
import { repeatedIndexes } from "../../repeated-indexes.ts";
import { eachItem } from "./checks/field-checks.ts";

const CONDITIONS = "status.conditions";
const CERTIFICATE = "status.certificate";
/** The conditions that decide on a request. */
export const DECISIONS = ["Approved", "Denied"] as const;
// Conditions that are only ever true, and stay.
const LASTING = [...DECISIONS, "Failed"] as const;

/** Returns what is wrong with a change of the status of a CertificateSigningRequest: only `approval` decides, and only `status` issues. */
export function signingRequestStatusErrors(
  request: ApiObject,
  old: ApiObject,
  subresource: string,
): readonly FieldError[] {
  const [conditions, former] = [conditionsOf(request), conditionsOf(old)];
  const [certificate, issued] = [request, old].map((each) => textIn(objectIn(each, "status"), "certificate"));
  const isChanged = certificate !== issued;
  return [
    ...conditionErrors(conditions, former),
    ...(isChanged ? certificateErrors(certificate ?? "", issued ?? "") : []),
    ...LASTING.filter((type) => ofType(conditions, type).length < ofType(former, type).length).map((type) =>
      forbiddenField(CONDITIONS, `updates may not remove a condition of type "${type}"`),
    ),
    ...(subresource === "approval" ? [] : DECISIONS.flatMap((type) => decisionErrors(conditions, former, type))),
    ...(isChanged && issued !== ""
      ? [forbiddenField(CERTIFICATE, "updates may not modify existing certificate content")]
      : []),
    ...(since("1.37") && hasBoth(conditions) && !hasBoth(former) ? [EXCLUSIVE] : []),
  ];
}

const MEMBERS = DECISIONS.map((type) => `conditions[{"type": "${type}"}]`);
const EXCLUSIVE = invalidField(
  CONDITIONS,
  `{${MEMBERS.join(", ")}}`,
  `must specify at most one of: ${MEMBERS.map((member) => `\`${member}\``).join(", ")}`,
);

function hasBoth(conditions: readonly MutableJsonObject[]): boolean {
  return DECISIONS.every((type) => ofType(conditions, type).length > 0);
}

/** Returns the conditions of a CertificateSigningRequest. */
export function conditionsOf(request: ApiObject): readonly MutableJsonObject[] {
  return objectsIn(objectIn(request, "status"), "conditions");
}

/** Returns the conditions of one type. */
export function ofType(conditions: readonly MutableJsonObject[], type: string): readonly MutableJsonObject[] {
  return conditions.filter((condition) => textIn(condition, "type") === type);
}

// What was wrong before is accepted.
function conditionErrors(
  conditions: readonly MutableJsonObject[],
  former: readonly MutableJsonObject[],
): readonly FieldError[] {
  const [types, formerTypes] = [conditions, former].map((list) => list.map((condition) => textIn(condition, "type")));
  const [own = [], before = []] = [types, formerTypes];
  const repeated = repeatedIndexes(own);
  const [approvedAt, deniedAt] = [own.indexOf("Approved"), own.indexOf("Denied")];
  const allowsRepeats = new Set(before).size < before.length;
  // A declared rule of the status since 1.37.
  const allowsBoth = since("1.37") || hasBoth(former);
  return eachItem(conditions, CONDITIONS, (condition, at, index) => {
    const type = own[index] ?? "";
    const other = type === "Approved" ? "Denied" : type === "Denied" ? "Approved" : undefined;
    const otherAt = type === "Approved" ? deniedAt : approvedAt;
    const isBoth = other !== undefined && otherAt >= 0 && otherAt < index;
    return [
      ...(type === "" && !before.includes("") ? [requiredField(`${at}.type`)] : []),
      ...statusErrors(textIn(condition, "status"), type, `${at}.status`),
      ...(isBoth && !allowsBoth
        ? [invalidField(CONDITIONS, type, "Approved and Denied conditions are mutually exclusive")]
        : []),
      ...(repeated.has(index) && !allowsRepeats ? [duplicateField(`${at}.type`, type)] : []),
    ];
  });
}

function statusErrors(status: string, type: string, field: string): readonly FieldError[] {
  const supported = (LASTING as readonly string[]).includes(type) ? ["True"] : ["False", "True", "Unknown"];
  if (status === "") return [requiredField(field)];
  return supported.includes(status) ? [] : [unsupportedField(field, status, supported)];
}

function decisionErrors(
  conditions: readonly MutableJsonObject[],
  former: readonly MutableJsonObject[],
  type: string,
): readonly FieldError[] {
  const [own, before] = [ofType(conditions, type), ofType(former, type)];
  if (own.length > before.length)
    return [forbiddenField(CONDITIONS, `updates may not add a condition of type "${type}"`)];
  return own.length < before.length || deepEqual(own, before)
    ? []
    : [forbiddenField(CONDITIONS, `updates may not modify a condition of type "${type}"`)];
}

function certificateErrors(encoded: string, former: string): readonly FieldError[] {
  const problem = certificateProblem(encoded);
  return problem === undefined || certificateProblem(former) !== undefined
    ? []
    : [invalidField(CERTIFICATE, "<certificate data>", problem)];
}

const MALFORMED = "x509: malformed certificate";

function certificateProblem(encoded: string): string | undefined {
  if (encoded === "") return undefined;
  const blocks = blocksOf(Buffer.from(encoded, "base64").toString("latin1"));
  if (blocks.length === 0) return "must contain at least one CERTIFICATE PEM block";
  return blocks.map(blockProblem).find((problem) => problem !== undefined);
}

interface Block {
  readonly type: string;
  readonly content: string;
}

function blocksOf(text: string): readonly Block[] {
  const [, ...parts] = text.split("-----BEGIN ");
  return parts.flatMap((part) => {
    const [type = ""] = part.split("-----", 1);
    const end = part.indexOf(`-----END ${type}-----`);
    return end < 0 ? [] : [{ type, content: part.slice(type.length + 5, end) }];
  });
}

function blockProblem({ type, content }: Block): string | undefined {
  if (type !== "CERTIFICATE") return `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(type)}`;
  if (content.includes(":")) return "no PEM block headers are permitted";
  try {
    const certificate = new X509Certificate(Buffer.from(content, "base64"));
    return certificate.raw.length > 0 ? undefined : MALFORMED;
  } catch {
    return MALFORMED;
  }
}
