import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";

import { createCertificateAuthority } from "@kubescaffold/cluster";
import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { InMemorySpanExporter } from "@opentelemetry/sdk-trace-base";
import { afterEach, beforeEach, expect, it } from "vitest";

import { silentLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { type AdmissionHandler, allowed, denied } from "../../src/webhook/admission/admission-response.ts";
import { admissionWebhook } from "../../src/webhook/admission/admission-webhook.ts";
import { WebhookServer } from "../../src/webhook/webhook-server.ts";
import { installSdk, removeSdk } from "./recorded-spans.ts";

let exporter: InMemorySpanExporter;
let folder: string;
let stop: AbortController;

beforeEach(async () => {
  exporter = installSdk();
  folder = await mkdtemp(path.join(tmpdir(), "webhook-spans-"));
  stop = new AbortController();
});

afterEach(async () => {
  stop.abort();
  removeSdk();
  await rm(folder, { recursive: true, force: true });
});

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";

const REVIEW = {
  apiVersion: "admission.k8s.io/v1",
  kind: "AdmissionReview",
  request: {
    uid: "u-1",
    operation: "CREATE",
    kind: { group: "", version: "v1", kind: "Secret" },
    namespace: "team",
    name: "a",
    object: { kind: "Secret", data: { password: "hunter2" } },
    userInfo: { username: "jane" },
  },
};

// Serves a handler, and sends it one review with the headers of an API server that traces.
async function review(handler: AdmissionHandler, headers: Readonly<Record<string, string>> = {}) {
  const authority = await createCertificateAuthority("webhook-spans");
  const pair = await authority.issueServer({ dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] });
  await writeFile(path.join(folder, "tls.crt"), pair.cert);
  await writeFile(path.join(folder, "tls.key"), pair.key);
  const registry = createMetricsRegistry();
  const server = new WebhookServer({ host: "127.0.0.1", port: 0, certDir: folder, log: silentLogger, registry });
  server.register("/validate", admissionWebhook({ handler, log: silentLogger }));
  const running = server.start(stop.signal);
  await Promise.race([server.listening, running]);
  await new Promise<void>((resolve, reject) => {
    const target = { host: "127.0.0.1", port: server.port ?? 0, path: "/validate?timeout=10s&token=hunter2" };
    const sent = httpsRequest(
      {
        ...target,
        ca: authority.cert,
        method: "POST",
        agent: false,
        headers: { "content-type": "application/json", ...headers },
      },
      (response) => response.resume().on("end", resolve),
    );
    sent.once("error", reject);
    sent.end(JSON.stringify(REVIEW));
  });
  return exporter.getFinishedSpans().find(({ kind }) => kind === SpanKind.SERVER);
}

it("the span of a webhook is a child of the API server's span, and describes the request and the answer", async () => {
  let inHandler: string | undefined;
  const span = await review(
    async () => {
      await Promise.resolve();
      inHandler = trace.getActiveSpan()?.spanContext().spanId;
      return denied("hunter2 is too short");
    },
    { traceparent: `00-${TRACE}-${PARENT}-01` },
  );
  expect(span?.name).toBe("POST /validate");
  expect(span?.spanContext().traceId).toBe(TRACE);
  expect(span?.parentSpanContext?.spanId).toBe(PARENT);
  expect(inHandler).toBe(span?.spanContext().spanId);
  expect(span?.attributes).toEqual({
    "http.request.method": "POST",
    "http.route": "/validate",
    "url.path": "/validate",
    "url.scheme": "https",
    "http.response.status_code": 200,
    "kubescaffold.admission.uid": "u-1",
    "kubescaffold.admission.operation": "CREATE",
    "kubescaffold.admission.allowed": false,
    "kubescaffold.object.group": "",
    "kubescaffold.object.version": "v1",
    "kubescaffold.object.kind": "Secret",
    "kubescaffold.object.name": "a",
    "k8s.namespace.name": "team",
  });
});

it.each(["", "garbage", `00-${"0".repeat(32)}-${PARENT}-01`])(
  "traceparent %j starts a new trace",
  async (traceparent) => {
    const span = await review(async () => await Promise.resolve(allowed()), { traceparent });
    expect(span?.parentSpanContext).toBeUndefined();
    expect(span?.attributes["kubescaffold.admission.allowed"]).toBe(true);
  },
);

it("a defect of a handler fails the span, and bodies and queries are left out", async () => {
  const span = await review(() => {
    throw new TypeError("Cannot read properties of undefined (reading 'password')");
  });
  expect(span?.status.code).toBe(SpanStatusCode.ERROR);
  expect(span?.events).toHaveLength(1);
  expect(JSON.stringify([span?.attributes, span?.events, span?.status])).not.toContain("hunter2");
});
