import { defineKind, type Kind, parseLosslessJson, printLosslessJson } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { FakeClock } from "@kubescaffold/platform/clock";
import { deepEqual } from "@kubescaffold/schema";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { silentLogger } from "../../src/log/logger.ts";
import { createPinoLogger } from "../../src/log/pino-logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import type { Observation } from "../../src/observe/observer.ts";
import { parentObserver, readObservationsMessage } from "../../src/observe/parent-process.ts";
import { redactSecrets } from "../../src/observe/redact-secrets.ts";
import { defaulterHandler } from "../../src/webhook/admission/admission-handlers.ts";
import { admissionWebhook } from "../../src/webhook/admission/admission-webhook.ts";
import { ConversionRegistry, type SpokeConverter } from "../../src/webhook/conversion-registry.ts";
import { conversionWebhook } from "../../src/webhook/conversion/conversion-webhook.ts";
import type { WebhookHandler } from "../../src/webhook/webhook-handler.ts";
import { observeWebhook } from "../../src/webhook/webhook-observation.ts";
import { LARGE_VALUES, widgetText } from "./large-objects.ts";

interface Widget extends KubernetesObject {
  spec: { value: unknown; size?: number };
}
const Hub: Kind<Widget> = defineKind<Widget>({ group: "demo", version: "v2" }, "Widget");
const Spoke: Kind<Widget> = defineKind<Widget>({ group: "demo", version: "v1" }, "Widget");
const registry = new ConversionRegistry();
const converter: SpokeConverter<Widget, Widget> = {
  spoke: Spoke,
  convertTo: ({ metadata, spec }) => Hub.create({ metadata, spec }),
  convertFrom: ({ metadata, spec }) => Spoke.create({ metadata, spec }),
};
registry.register(Hub, [converter]);

const values = Object.entries(LARGE_VALUES);

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Returns the answer to a review, and what the parent process reads about it. */
async function call(
  handler: WebhookHandler,
  body: string,
): Promise<{ answer: string; observed: readonly Observation[] }> {
  const messages: unknown[] = [];
  // As node:child_process, which serializes each message.
  const send = (message: unknown): boolean => messages.push(JSON.parse(JSON.stringify(message))) > 0;
  const observer = parentObserver({ env: { KUBESCAFFOLD_OBSERVE: "ipc" }, send });
  if (observer === undefined) throw new Error("there is a channel");
  const observe = observeWebhook(observer, "/path", new FakeClock());
  const headers = { "content-type": "application/json" };
  const request = new Request("https://localhost/path", { method: "POST", headers, body });
  const answer = await (await handler(request, { registry: createMetricsRegistry(), observe })).text();
  vi.advanceTimersByTime(50);
  return { answer, observed: messages.flatMap((each) => readObservationsMessage(each)?.observations ?? []) };
}

describe("an object that an API server stores", () => {
  it.each(values)("with %s is converted, and so are the others of the review", async (_, value) => {
    const objects = [widgetText("first", "1"), widgetText("large", value), widgetText("last", "1")];
    const request = `{"uid":"u","desiredAPIVersion":"demo/v2","objects":[${objects.join(",")}]}`;
    const review = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":${request}}`;
    const { answer, observed } = await call(conversionWebhook({ registry, log: silentLogger }), review);
    const converted = objects.map((text) => text.replace("demo/v1", "demo/v2"));
    const result = '"result":{"metadata":{},"status":"Success"}';
    const response = `"response":{"uid":"u","convertedObjects":[${converted.join(",")}],${result}}`;
    expect(answer === `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview",${response}}`).toBe(true);
    expect(printLosslessJson((observed[0] as { request?: unknown }).request) === request).toBe(true);
  });

  it.each(values)("with %s is defaulted, and observed without its Secrets", async (_, value) => {
    const handler = defaulterHandler<Widget>({
      default: async (object) => {
        object.spec.size = 1;
      },
    });
    const request = { uid: "u", operation: "CREATE", kind: { group: "demo", version: "v1", kind: "Widget" } };
    const object = `{"secret":{"kind":"Secret","data":{"password":"aGlkZGVu"}},${widgetText("large", value).slice(1)}`;
    const text = `${JSON.stringify(request).slice(0, -1)},"object":${object}}`;
    const review = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":${text}}`;
    const { answer, observed } = await call(admissionWebhook({ handler, log: silentLogger }), review);
    const { response } = JSON.parse(answer) as {
      readonly response: { readonly allowed: boolean; readonly patch: string };
    };
    expect(response.allowed).toBe(true);
    const patch = Buffer.from(response.patch, "base64").toString("utf8");
    expect(patch).toBe('[{"op":"add","path":"/spec/size","value":1}]');
    const printed = printLosslessJson((observed[0] as { request?: unknown }).request);
    expect(printed.includes(`"spec":{"value":${value}}`)).toBe(true);
    expect(printed.includes("aGlkZGVu")).toBe(false);
  });

  it.each(values)("with %s is logged in a line", (_, value) => {
    const lines: string[] = [];
    for (const encoder of ["json", "console"] as const) {
      const log = createPinoLogger({ encoder, destination: { write: (line) => void lines.push(line) } });
      const object = parseLosslessJson(widgetText("large", value)) as Widget;
      log.info("an object", { object, spec: object.spec, list: [object.spec.value] });
      log.error(new Error("failed"), "an object", { value: object.spec.value });
    }
    expect(lines.map((line) => line.includes("an object"))).toEqual([true, true, true, true]);
  });

  it.each(values)("with %s stays the same value without Secrets in it, and loses only their data", (_, value) => {
    const object = parseLosslessJson(widgetText("large", value)) as Widget;
    expect(redactSecrets(object) === object).toBe(true);
    const secret = { kind: "Secret", data: { password: "aGlkZGVu" } };
    const redacted = redactSecrets({ object, list: [secret], deep: { secret } });
    const shown = { kind: "Secret", data: { password: "REDACTED" } };
    expect(deepEqual(redacted, { object, list: [shown], deep: { secret: shown } })).toBe(true);
  });
});
