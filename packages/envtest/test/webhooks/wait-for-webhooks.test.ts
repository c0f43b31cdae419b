import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { prepareWebhookServing, type WebhookServing } from "../../src/install/webhook-serving.ts";
import { waitForWebhooks } from "../../src/webhooks/wait-for-webhooks.ts";

let folder: string;
let serving: WebhookServing;
let server: Server;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "wait-for-webhooks-"));
  serving = await prepareWebhookServing({}, folder);
  const [cert, key] = await Promise.all(["tls.crt", "tls.key"].map((name) => readFile(path.join(folder, name))));
  server = createServer({ cert, key });
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

test("resolves once the webhook server answers", async () => {
  let isReady = false;
  const waiting = waitForWebhooks(serving, { intervalMs: 5, timeoutMs: 60_000 }).then(() => {
    isReady = true;
  });
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  expect(isReady).toBe(false);
  server.listen(serving.port, serving.host);
  await waiting;
});

test("fails when no server, or one with another certificate, answers in time", async () => {
  const timeout = { code: "ENVTEST_TIMEOUT", message: expect.stringContaining(serving.url) as string };
  await expect(waitForWebhooks(serving, { timeoutMs: 20, intervalMs: 5 })).rejects.toMatchObject(timeout);
  await new Promise<void>((resolve) => {
    server.listen(serving.port, serving.host, resolve);
  });
  const { ca } = await prepareWebhookServing({}, folder);
  await expect(waitForWebhooks({ ...serving, ca }, { timeoutMs: 50, intervalMs: 5 })).rejects.toMatchObject(timeout);
  await waitForWebhooks(serving);
});
