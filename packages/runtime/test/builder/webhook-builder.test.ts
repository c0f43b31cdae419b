import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { defineSchema } from "@kubescaffold/schema";
import { describe, expect, it } from "vitest";

import { newWebhookManagedBy, type WebhookBuilder } from "../../src/builder/webhook-builder.ts";
import { loggerFromContext } from "../../src/log/call-scope.ts";
import { contextValues, withContextValues } from "../../src/log/context-values.ts";
import { createRecordingLogger, type RecordingLogger } from "../../src/log/logger.ts";
import type { WebhookHandler } from "../../src/webhook/webhook-handler.ts";
import { WebhookServer } from "../../src/webhook/webhook-server.ts";

interface Book extends KubernetesObject {
  spec: { size?: number; title?: string };
}

const Book: Kind<Book> = defineKind<Book>({ group: "builder.demo", version: "v1" }, "Book");
const BookSchema = defineSchema<Book>({ scope: "Namespaced" }, () => ({
  type: "object",
  properties: { spec: { type: "object", properties: { size: { type: "integer" }, title: { type: "string" } } } },
}));

interface ReviewResponse {
  readonly allowed: boolean;
  readonly patch?: string;
  readonly status?: { readonly message?: string };
}

async function call(
  build: (builder: WebhookBuilder<Book>) => WebhookBuilder<Book>,
  object: object,
): Promise<{ readonly response: ReviewResponse; readonly log: RecordingLogger; readonly patch: unknown }> {
  const log = createRecordingLogger();
  const server = new WebhookServer({ log });
  const handlers: WebhookHandler[] = [];
  server.register = (_path, handler) => void handlers.push(handler);
  build(newWebhookManagedBy({ getWebhookServer: () => server, getLogger: () => log }).for(Book)).complete();
  const request = { uid: "u-1", operation: "CREATE", name: "b", object, userInfo: { username: "ann" } };
  const body = JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request });
  const headers = { "content-type": "application/json", "x-tenant": "blue" };
  const [handler = () => Promise.reject(new TypeError("no webhook was registered"))] = handlers;
  const answer = await handler(new Request("https://h/path", { method: "POST", body, headers }));
  const { response } = (await answer.json()) as { readonly response: ReviewResponse };
  const patch = JSON.parse(Buffer.from(response.patch ?? "", "base64").toString() || "null") as unknown;
  return { response, log, patch };
}

const nothing = (): void => undefined;

describe("newWebhookManagedBy", () => {
  it("withContextFunc derives values from those of the manager and the HTTP request", async () => {
    const { response } = await withContextValues({ region: "eu" }, () =>
      call(
        (builder) =>
          builder
            .withContextFunc((values, { headers }) => ({ ...values, tenant: headers.get("x-tenant") }))
            .withValidator({
              validateCreate: async () => {
                await Promise.resolve();
                throw new Error(JSON.stringify(contextValues()));
              },
              validateUpdate: nothing,
              validateDelete: nothing,
            }),
        Book.create({ metadata: { name: "b" }, spec: {} }),
      ),
    );
    expect(JSON.parse(response.status?.message ?? "")).toEqual({ region: "eu", tenant: "blue" });
    expect(contextValues()).toEqual({});
  });

  it("withLogConstructor replaces the logger of handlers and of the functions that they call", async () => {
    const { log } = await call(
      (builder) =>
        builder
          .withLogConstructor((base, { userInfo }) => base.withValues({ by: userInfo.username }))
          .withDefaulter({
            default: (_book, context) => {
              context.log.info("defaulting");
              loggerFromContext().info("deeper");
            },
          }),
      Book.create({ metadata: { name: "b" }, spec: {} }),
    );
    const lines = log.records.filter(({ name }) => name === "admission");
    expect(lines.map(({ message, fields }) => [message, fields])).toEqual([
      ["defaulting", { webhookGroup: "builder.demo", webhookKind: "Book", by: "ann" }],
      ["deeper", { webhookGroup: "builder.demo", webhookKind: "Book", by: "ann" }],
    ]);
  });

  it("a defaulter preserves unknown fields, and removes them with removeUnknownFields", async () => {
    const object = { ...Book.create({ metadata: { name: "b" }, spec: { title: "t" } }), old: true };
    const defaulter = {
      default: (book: Book): void => {
        book.spec.size = Object.keys(book).includes("old") ? 1 : 2;
      },
    };
    const preserved = await call((builder) => builder.withDefaulter(defaulter), object);
    expect(preserved.patch).toEqual([{ op: "add", path: "/spec/size", value: 1 }]);
    const removed = await call(
      (builder) => builder.withDefaulter(defaulter, { removeUnknownFields: BookSchema }),
      object,
    );
    expect(removed.patch).toEqual([
      { op: "remove", path: "/old" },
      { op: "add", path: "/spec/size", value: 2 },
    ]);
    const unchanged = await call(
      (builder) => builder.withDefaulter({ default: nothing }, { removeUnknownFields: BookSchema }),
      object,
    );
    expect(unchanged.patch).toEqual([{ op: "remove", path: "/old" }]);
  });
});
