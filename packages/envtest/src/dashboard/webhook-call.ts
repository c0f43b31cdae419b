import { isRecord, printServerJson } from "@kubescaffold/k8s";
import type { WebhookCalled } from "@kubescaffold/runtime";

import type { WebhookCall } from "./protocol.ts";

const MOST_BYTES = 64 * 1024;

type Fields = Readonly<Record<string, unknown>>;

/** Returns the message of an observed call of a webhook; reviews that are large are left out. */
export function webhookCallOf({ at, durationMs, path, purpose, request, response }: WebhookCalled): WebhookCall {
  const asked = recordOf(request);
  const answered = recordOf(response);
  const isConversion = purpose === "convert";
  const object = recordOf(
    isConversion ? (asked["objects"] as readonly unknown[] | undefined)?.[0] : (asked["object"] ?? asked["oldObject"]),
  );
  const metadata = recordOf(object["metadata"]);
  const patch = Array.isArray(answered["patches"]) && answered["patches"].length > 0 ? answered["patches"] : undefined;
  const status = recordOf(isConversion ? answered["result"] : answered["status"]);
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
    kind: textOf(object["kind"]) || textOf(recordOf(asked["kind"])["kind"]),
    namespace: textOf(asked["namespace"]) || textOf(metadata["namespace"]),
    name: textOf(asked["name"]) || textOf(metadata["name"]),
    user: textOf(recordOf(asked["userInfo"])["username"]),
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

function recordOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}
