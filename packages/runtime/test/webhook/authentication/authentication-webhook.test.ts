import { readFileSync } from "node:fs";

import type { TokenReview } from "@kubescaffold/k8s/authentication/v1";
import { describe, expect, it } from "vitest";

import { loggerFromContext } from "../../../src/log/call-scope.ts";
import { contextValues } from "../../../src/log/context-values.ts";
import { createRecordingLogger, silentLogger } from "../../../src/log/logger.ts";
import { createMetricsRegistry } from "../../../src/metrics/registry.ts";
import {
  authenticated,
  type AuthenticationHandler,
  errored,
  reviewResponse,
  unauthenticated,
} from "../../../src/webhook/authentication/authentication-response.ts";
import {
  authenticationWebhook,
  type AuthenticationWebhookOptions,
} from "../../../src/webhook/authentication/authentication-webhook.ts";

interface RecordedAnswer {
  readonly name: string;
  readonly body: string;
  /** The number of spaces that the body consists of. */
  readonly spaces?: number;
  readonly contentType: string;
  readonly handler: keyof typeof HANDLERS;
  readonly status: number;
  readonly answer: TokenReview;
}

const USER = { username: "ann", uid: "7", groups: ["a", "b"], extra: { team: ["x", "y"] } };

const HANDLERS = {
  authenticated: () => authenticated("", USER),
  reason: () => authenticated("known", USER),
  unauthenticated: () => unauthenticated("unknown token"),
  errored: () => errored(new Error("no connection")),
  audiences: ({ spec }) => reviewResponse(true, USER, "", ...(spec.audiences ?? [])),
} satisfies Record<string, AuthenticationHandler>;

// Recorded from controller-runtime v0.23.3, whose package is the same in v0.25.2.
const RECORDED = JSON.parse(
  readFileSync(new URL("upstream-answers.json", import.meta.url), "utf8"),
) as readonly RecordedAnswer[];

// Upstream answers a review of any kind, also with a part of it, and the API server then rejects the answer.
const STRICTER: ReadonlySet<string> = new Set(["another kind", "another kind of the group", "another version"]);
const COMPLETED: ReadonlySet<string> = new Set(["only a kind", "only a version"]);
// Our messages do not quote the body, which may contain a token.
const OWN_MESSAGE: ReadonlySet<string> = new Set([
  "broken JSON",
  "an array",
  "null",
  "a number",
  "a token that is a number",
  "audiences that are a string",
]);

function expectedAnswer({ name, answer }: RecordedAnswer): unknown {
  const message = expect.stringMatching(/^[a-zA-Z0-9 ./]+$/u) as string;
  if (STRICTER.has(name) || OWN_MESSAGE.has(name)) {
    return { metadata: {}, spec: {}, status: { user: {}, error: message } };
  }
  const apiVersion = expect.stringMatching(/^authentication\.k8s\.io\/v1/u) as string;
  return COMPLETED.has(name) ? { ...answer, kind: "TokenReview", apiVersion } : answer;
}

async function post(
  options: Partial<AuthenticationWebhookOptions>,
  { body, contentType = "application/json" }: { readonly body: string; readonly contentType?: string },
): Promise<{ readonly status: number; readonly review: TokenReview }> {
  const serve = authenticationWebhook({ handler: HANDLERS.authenticated, log: silentLogger, ...options });
  const headers = { "content-type": contentType };
  const response = await serve(new Request("https://localhost/x", { method: "POST", body, headers }), {
    registry: createMetricsRegistry(),
  });
  return { status: response.status, review: (await response.json()) as TokenReview };
}

const REVIEW = '{"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1","spec":{"token":"secret-token"}}';

describe("row 95: authenticationWebhook", () => {
  it.each(RECORDED)("answers $name like controller-runtime", async (recorded) => {
    const body = recorded.spaces === undefined ? recorded.body : " ".repeat(recorded.spaces);
    const { status, review } = await post(
      { handler: HANDLERS[recorded.handler] },
      { body, contentType: recorded.contentType },
    );
    expect(status).toBe(recorded.status);
    expect(review).toEqual(expectedAnswer(recorded));
  });

  it.each([
    ["throws an error", () => Promise.reject(new Error("no connection")), "no connection"],
    ["returns nothing", () => undefined, "the handler failed"],
    ["returns no status", () => ({}), "the handler failed"],
    ["returns a truthy value", () => ({ status: { authenticated: "yes", user: {} } }), "invalid response"],
    ["returns no user", () => ({ status: { authenticated: true } }), "invalid response"],
  ])("authenticates nobody if the handler %s", async (_, handler, error) => {
    const { status, review } = await post({ handler: handler as unknown as AuthenticationHandler }, { body: REVIEW });
    expect(status).toBe(200);
    expect(review.status).toEqual({ user: {}, error: expect.stringContaining(error) as string });
  });

  it("counts a defect, logs it, and does not send its message", async () => {
    const log = createRecordingLogger();
    const registry = createMetricsRegistry();
    const handler: AuthenticationHandler = () => (undefined as unknown as { user: () => never }).user();
    const serve = authenticationWebhook({ handler, log });
    const headers = { "content-type": "application/json" };
    const response = await serve(new Request("https://h/", { method: "POST", body: REVIEW, headers }), { registry });
    expect(await response.text()).not.toContain("undefined");
    expect(await registry.metrics()).toContain("controller_runtime_webhook_panics_total 1");
    expect(log.records.map(({ name, message }) => [name, message])).toEqual([
      ["authentication", "the authentication handler failed"],
    ]);
  });

  it("neither logs nor returns tokens, whatever the body is", async () => {
    const log = createRecordingLogger();
    const bodies = [REVIEW, `${REVIEW}}`, `[${REVIEW}]`, REVIEW.replace("v1", "v9"), '"secret-token"', "secret-token"];
    const answers = await Promise.all(bodies.map((body) => post({ log }, { body })));
    expect(JSON.stringify(answers)).not.toContain("secret-token");
    expect(JSON.stringify(log.records.map((record) => [record, String(record.error)]))).not.toContain("secret-token");
  });

  it("runs the handler with values of the request, and with its logger", async () => {
    const log = createRecordingLogger();
    const handler: AuthenticationHandler = () => {
      loggerFromContext().info("checking");
      return authenticated(String(contextValues()["path"]), USER);
    };
    const contextFunc: AuthenticationWebhookOptions["contextFunc"] = (values, { url }) => ({
      ...values,
      path: new URL(url).pathname,
    });
    const body = REVIEW.replace('"spec"', '"metadata":{"uid":"u-1"},"spec"');
    const { review } = await post({ log, handler, contextFunc }, { body });
    expect(review.status?.error).toBe("/x");
    expect(log.records).toMatchObject([{ message: "checking", fields: { requestID: "u-1" } }]);
  });
});
