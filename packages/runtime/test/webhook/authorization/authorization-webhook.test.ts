import type { SubjectAccessReview } from "@kubescaffold/k8s/authorization/v1";
import { describe, expect, it } from "vitest";

import { createRecordingLogger, silentLogger } from "../../../src/log/logger.ts";
import { createMetricsRegistry } from "../../../src/metrics/registry.ts";
import {
  allowed,
  type AuthorizationHandler,
  denied,
  errored,
  noOpinion,
} from "../../../src/webhook/authorization/authorization-response.ts";
import { authorizationWebhook } from "../../../src/webhook/authorization/authorization-webhook.ts";

const V1 = "authorization.k8s.io/v1";
const ATTRIBUTES = { verb: "get", version: "v1", resource: "pods", namespace: "default", name: "web" };
const SPEC = { user: "ann", groups: ["staff"], extra: { team: ["x"] }, uid: "7", resourceAttributes: ATTRIBUTES };
const REVIEW = { kind: "SubjectAccessReview", apiVersion: V1, metadata: { uid: "u-1" }, spec: SPEC };

async function post(
  handler: unknown,
  body: unknown = REVIEW,
): Promise<{ readonly status: number; readonly review: SubjectAccessReview }> {
  const serve = authorizationWebhook({ handler: handler as AuthorizationHandler, log: silentLogger });
  const headers = { "content-type": "application/json" };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await serve(new Request("https://localhost/x", { method: "POST", body: text, headers }), {
    registry: createMetricsRegistry(),
  });
  return { status: response.status, review: (await response.json()) as SubjectAccessReview };
}

describe("authorizationWebhook", () => {
  it.each([
    ["allowed", allowed(), { allowed: true }],
    ["allowed with a reason", allowed("is staff"), { allowed: true, reason: "is staff" }],
    ["denied", denied("left"), { allowed: false, denied: true, reason: "left" }],
    ["no opinion", noOpinion(), { allowed: false }],
    ["an error", errored(new Error("no connection")), { allowed: false, evaluationError: "no connection" }],
  ])("answers %s in the version of the review", async (_, response, expected) => {
    for (const apiVersion of [V1, "authorization.k8s.io/v1beta1"]) {
      const { status, review } = await post(() => response, { ...REVIEW, apiVersion });
      expect(status).toBe(200);
      expect(review).toEqual({ ...REVIEW, apiVersion, spec: {}, status: expected });
    }
  });

  it("reads the groups of v1beta1, and gives the handler a review of v1", async () => {
    const { groups, ...spec } = SPEC;
    const body = { ...REVIEW, apiVersion: "authorization.k8s.io/v1beta1", spec: { ...spec, group: groups } };
    let given: unknown;
    await post((review: unknown) => {
      given = review;
      return allowed();
    }, body);
    expect(given).toEqual(REVIEW);
  });

  it("reads requests that are about no resource", async () => {
    const nonResourceAttributes = { path: "/healthz", verb: "get" };
    const handler: AuthorizationHandler = ({ spec }) => allowed(spec.nonResourceAttributes?.path);
    const { review } = await post(handler, { ...REVIEW, spec: { user: "ann", nonResourceAttributes } });
    expect(review.status).toEqual({ allowed: true, reason: "/healthz" });
  });

  it.each([
    ["throws an error", () => Promise.reject(new Error("no connection")), "no connection"],
    ["returns nothing", () => undefined, "the handler failed"],
    ["returns no status", () => ({}), "the handler failed"],
    ["returns a truthy value", () => ({ status: { allowed: "yes" } }), "invalid response"],
    ["returns both", () => ({ status: { allowed: true, denied: true } }), "invalid response"],
  ])("allows and denies nothing if the handler %s", async (_, handler, error) => {
    const { status, review } = await post(handler);
    expect(status).toBe(200);
    expect(review.status).toEqual({ allowed: false, evaluationError: expect.stringContaining(error) as string });
  });

  it.each([
    ["nothing", ""],
    ["broken JSON", "{"],
    ["a list", []],
    ["another kind", { ...REVIEW, kind: "TokenReview" }],
    ["another version", { ...REVIEW, apiVersion: "authorization.k8s.io/v2" }],
    ["no spec", { ...REVIEW, spec: undefined }],
    ["both kinds of attributes", { ...REVIEW, spec: { ...SPEC, nonResourceAttributes: {} } }],
    ["a spec that is a list", { ...REVIEW, spec: [] }],
    ["a user that is a number", { ...REVIEW, spec: { ...SPEC, user: 7 } }],
    ["a uid that is a number", { ...REVIEW, spec: { ...SPEC, uid: 7 } }],
    ["groups that are a text", { ...REVIEW, spec: { ...SPEC, groups: "staff" } }],
    ["extra that is no list", { ...REVIEW, spec: { ...SPEC, extra: { team: "x" } } }],
    ["attributes that are a text", { ...REVIEW, spec: { ...SPEC, resourceAttributes: "pods" } }],
    ["an attribute that is a list", { ...REVIEW, spec: { ...SPEC, resourceAttributes: { verb: ["get"] } } }],
  ])("has no opinion about %s, and does not call the handler", async (_, body) => {
    let calls = 0;
    const { status, review } = await post(() => {
      calls += 1;
      return allowed();
    }, body);
    expect({ status, calls }).toEqual({ status: 200, calls: 0 });
    expect(review.status).toEqual({ allowed: false, evaluationError: expect.any(String) as string });
  });

  it("counts a defect, logs it, and does not send its message", async () => {
    const log = createRecordingLogger();
    const registry = createMetricsRegistry();
    const handler: AuthorizationHandler = () => (undefined as unknown as { allow: () => never }).allow();
    const serve = authorizationWebhook({ handler, log });
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify(REVIEW);
    const response = await serve(new Request("https://h/", { method: "POST", body, headers }), { registry });
    expect(await response.text()).not.toContain("undefined");
    expect(await registry.metrics()).toContain("controller_runtime_webhook_panics_total 1");
    expect(log.records).toMatchObject([{ message: "the authorization handler failed", fields: { requestID: "u-1" } }]);
  });
});
