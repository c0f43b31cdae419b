import { FakeClock } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import { silentLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import type { Observation } from "../../src/observe/observer.ts";
import { allowed, denied, patched } from "../../src/webhook/admission/admission-response.ts";
import { admissionWebhook, type AdmissionWebhookOptions } from "../../src/webhook/admission/admission-webhook.ts";
import { ConversionRegistry } from "../../src/webhook/conversion-registry.ts";
import { conversionWebhook } from "../../src/webhook/conversion/conversion-webhook.ts";
import type { WebhookHandler } from "../../src/webhook/webhook-handler.ts";
import { observeWebhook } from "../../src/webhook/webhook-observation.ts";

const SECRET = { apiVersion: "v1", kind: "Secret", metadata: { name: "a" }, data: { password: "aGlkZGVu" } };

async function call(handler: WebhookHandler, body: unknown): Promise<readonly Observation[]> {
  const observations: Observation[] = [];
  const observe = observeWebhook({ observe: (each) => void observations.push(each) }, "/path", new FakeClock());
  const request = new Request("https://localhost/path", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  await handler(request, { registry: createMetricsRegistry(), observe });
  return observations;
}

async function admit(options: Partial<AdmissionWebhookOptions>, request: object): Promise<readonly Observation[]> {
  const handler = admissionWebhook({ handler: async () => allowed(), log: silentLogger, ...options });
  return await call(handler, { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request });
}

const REQUEST = {
  uid: "u-1",
  operation: "CREATE",
  kind: { group: "", version: "v1", kind: "ConfigMap" },
  object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { a: "b" } },
  userInfo: { username: "jane" },
};

describe("an observed webhook call", () => {
  it("has the review's request and response", async () => {
    const observations = await admit({ role: "validating", handler: async () => denied("no") }, REQUEST);
    expect(observations).toMatchObject([
      {
        kind: "webhook",
        path: "/path",
        purpose: "validate",
        request: REQUEST,
        response: { uid: "u-1", allowed: false },
      },
    ]);
  });

  it("has the operations of the patch", async () => {
    const patch = [{ op: "add", path: "/data/c", value: "d" }] as const;
    const handler = async () => patched("defaulted", ...patch);
    const observations = await admit({ role: "mutating", handler }, REQUEST);
    expect(observations).toMatchObject([{ purpose: "mutate", response: { allowed: true, patches: patch } }]);
  });

  it("has no data of Secrets, also not in patches", async () => {
    const handler = async () => patched("", { op: "add", path: "/data/token", value: "aGlkZGVu" });
    const about = { ...REQUEST, kind: { group: "", version: "v1", kind: "Secret" }, object: SECRET, oldObject: SECRET };
    const observations = await admit({ handler }, about);
    expect(observations).toMatchObject([{ purpose: "admit" }]);
    expect(JSON.stringify(observations)).not.toContain("aGlkZGVu");
  });

  it("has a conversion with its failure", async () => {
    const handler = conversionWebhook({ registry: new ConversionRegistry(), log: silentLogger });
    const observations = await call(handler, {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "ConversionReview",
      request: { uid: "u-2", desiredAPIVersion: "a.example.com/v1", objects: [REQUEST.object] },
    });
    expect(observations).toMatchObject([
      { purpose: "convert", request: { uid: "u-2" }, response: { uid: "u-2", result: { status: "Failure" } } },
    ]);
  });
});
