import type { AdmissionReview } from "@kubescaffold/k8s/admission/v1";

import { WebhookCallError } from "../../http/errors.ts";
import { readWebhookReview, STATUS_STRUCT, type ReviewType, wrongType } from "../../http/webhook-review.ts";
import { corruptBase64Byte } from "../../request/corrupt-base64.ts";

const STRUCT = "AdmissionResponse";

/** Returns the kind of the answers of admission webhooks. */
function reviewType(version: string): ReviewType {
  return {
    group: "admission.k8s.io",
    version,
    kind: "AdmissionReview",
    response: {
      name: STRUCT,
      fields: {
        uid: { type: "types.UID", shape: "text" },
        allowed: { type: "bool", shape: "bool" },
        status: { type: "v1.Status", shape: "object", fields: STATUS_STRUCT },
        warnings: { type: "[]string", shape: "list" },
        auditAnnotations: { type: "map[string]string", shape: "object" },
        patchType: { type: `${version}.PatchType`, shape: "text" },
      },
    },
  };
}

/** Reads the answer of an admission webhook, which is JSON or YAML. Fails: {@link WebhookCallError}, with upstream's messages. */
export async function readReview(text: string, version: string): Promise<Partial<AdmissionReview>> {
  const review: Partial<AdmissionReview> = await readWebhookReview(text, reviewType(version));
  const { warnings, patch } = review.response ?? {};
  for (const warning of (warnings ?? []) as readonly unknown[]) {
    if (typeof warning !== "string" && warning !== null)
      throw wrongType(warning, `${STRUCT}.response.warnings`, "string");
  }
  checkPatch(patch ?? undefined);
  return review;
}

function checkPatch(patch: unknown): void {
  if (patch === undefined) return;
  const field = `${STRUCT}.response.patch`;
  if (typeof patch !== "string") {
    const [first] = Array.isArray(patch) ? (patch as readonly unknown[]) : [patch];
    throw Array.isArray(patch) ? wrongType(first, field, "uint8") : wrongType(patch, field, "[]uint8");
  }
  const position = corruptBase64Byte(patch);
  if (position !== undefined) {
    throw new WebhookCallError(`illegal base64 data at input byte ${String(position)}`);
  }
}
