import { printServerJson } from "@kubescaffold/k8s";
import { asRecord } from "@kubescaffold/platform";
import type { WebhookCalled } from "@kubescaffold/runtime";

import type { WebhookCall } from "../contract/protocol.ts";

const MOST_BYTES = 64 * 1024;

/** Returns the message of an observed call of a webhook; reviews that are large are left out. */
export function webhookCallOf({ at, durationMs, path, purpose, request, response }: WebhookCalled): WebhookCall {
  const asked = asRecord(request);
  const answered = asRecord(response);
  const isConversion = purpose === "convert";
  const object = asRecord(
    isConversion ? (asked["objects"] as readonly unknown[] | undefined)?.[0] : (asked["object"] ?? asked["oldObject"]),
  );
  const metadata = asRecord(object["metadata"]);
  const patch = Array.isArray(answered["patches"]) && answered["patches"].length > 0 ? answered["patches"] : undefined;
  const status = asRecord(isConversion ? answered["result"] : answered["status"]);
  const isAllowed = isConversion ? status["status"] === "Success" : answered["allowed"] === true;
  const message = textOf(status["message"]);
  const warnings = Array.isArray(answered["warnings"]) ? (answered["warnings"] as readonly string[]) : [];
  return {
    type: "webhook",
    id: textOf(asked["uid"]),
    at,
    durationMs,
    path,
    purpose: purpose === "admit" ? (patch === undefined ? "validate" : "mutate") : purpose,
    operation: textOf(asked["operation"]),
    kind: textOf(object["kind"]) || textOf(asRecord(asked["kind"])["kind"]),
    namespace: textOf(asked["namespace"]) || textOf(metadata["namespace"]),
    name: textOf(asked["name"]) || textOf(metadata["name"]),
    user: textOf(asRecord(asked["userInfo"])["username"]),
    isDryRun: asked["dryRun"] === true,
    isAllowed,
    ...(message === "" || isAllowed ? {} : { message }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(patch === undefined || sizeOf(patch) > MOST_BYTES ? {} : { patch }),
    ...(sizeOf(request) + sizeOf(response) > MOST_BYTES ? {} : { request, response }),
  };
}

function sizeOf(value: unknown): number {
  return printServerJson(value)?.length ?? 0;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
