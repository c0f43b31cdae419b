import { goQuote } from "@kubescaffold/k8s";
import { requestUrlHost } from "@kubescaffold/schema/values";

import type { CrdCondition, CrdObject } from "./crd-object.ts";

const PROTECTED_GROUP = /(^|\.)(k8s|kubernetes)\.io$/;

/** The annotation that names where the API of a protected group was approved. */
export const APPROVAL_ANNOTATION = "api-approved.kubernetes.io";

/** Whether the API of a definition was approved, as its condition states it. */
export interface ApiApproval {
  readonly reason: "ApprovedAnnotation" | "UnapprovedAnnotation" | "InvalidAnnotation" | "MissingAnnotation";
  readonly message: string;
}

/** Returns the approval of a definition; undefined for groups that need none. */
export function apiApproval({ metadata, spec }: CrdObject): ApiApproval | undefined {
  if (!PROTECTED_GROUP.test(spec.group ?? "")) return undefined;
  const annotation = metadata.annotations?.[APPROVAL_ANNOTATION] ?? "";
  const required = `protected groups must have approval annotation ${goQuote(APPROVAL_ANNOTATION)}`;
  const source = "see https://github.com/kubernetes/enhancements/pull/1111";
  if (annotation === "") return { reason: "MissingAnnotation", message: `${required}, ${source}` };
  if (annotation.startsWith("unapproved")) {
    return { reason: "UnapprovedAnnotation", message: `not approved: ${goQuote(annotation)}` };
  }
  if ((requestUrlHost(annotation) ?? "") !== "") {
    return { reason: "ApprovedAnnotation", message: `approved in ${annotation}` };
  }
  const detail = 'with either a URL or a reason starting with "unapproved"';
  return { reason: "InvalidAnnotation", message: `${required} ${detail}, ${source}` };
}

/** Returns the condition of a definition about its approval; undefined for groups that need none. */
export function approvalCondition(crd: CrdObject): CrdCondition | undefined {
  const approval = apiApproval(crd);
  if (approval === undefined) return undefined;
  const status = approval.reason === "ApprovedAnnotation" ? "True" : "False";
  return { type: "KubernetesAPIApprovalPolicyConformant", status, ...approval };
}
