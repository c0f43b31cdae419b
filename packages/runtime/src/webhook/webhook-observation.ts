import { isRecord } from "@kubescaffold/platform";
import type { Clock } from "@kubescaffold/platform/clock";

import type { Observer } from "../observe/observer.ts";
import { redactPatch, redactSecrets } from "../observe/redact-secrets.ts";
import type { WebhookServing } from "./webhook-handler.ts";

/** Starts the observation of a call, and returns what completes it with the review. */
export function observeWebhook(observer: Observer, path: string, clock: Clock): NonNullable<WebhookServing["observe"]> {
  const at = clock.now();
  const startedAt = clock.monotonic();
  return ({ purpose, request, response }) => {
    observer.observe({
      kind: "webhook",
      at,
      durationMs: clock.monotonic() - startedAt,
      path,
      purpose,
      request: redactSecrets(request),
      response: isAboutSecret(request) ? withoutPatchValues(response) : redactSecrets(response),
    });
  };
}

function isAboutSecret(request: unknown): boolean {
  return isRecord(request) && isRecord(request["kind"]) && request["kind"]["kind"] === "Secret";
}

function withoutPatchValues(response: unknown): unknown {
  if (!isRecord(response) || !Array.isArray(response["patches"])) return response;
  return { ...response, patches: redactPatch(response["patches"]) };
}
