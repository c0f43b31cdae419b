import { writeFile } from "node:fs/promises";
import path from "node:path";

import { type AuditDelivery, type AuditWebhookServer, startAuditWebhook } from "../audit-webhook-server.ts";
import type { FlagRow } from "../flag-row.ts";
import { configMap, pathOf } from "../kinds.ts";
import type { Answer, Json, RowContext } from "../row.ts";

const AFTER_ALL_MS = 20_000;

/** Rows about the webhook that receives audit events. */
export const AUDIT_WEBHOOK_ROWS: readonly FlagRow[] = [
  {
    row: 538,
    title: "a webhook receives the events of requests in lists",
    flags: async (folder) => [...(await webhookFlags(folder, 538)), "--audit-webhook-batch-max-wait=1s"],
    run: async (context, folder) => {
      const webhook = webhookOf(context, folder);
      for (const [step, call] of Object.entries(calls(context))) await context.quietly(withId(step, call));
      const deliveries = await until(webhook, (all) => eventsOf(all).length >= 7);
      context.note("requests", requestsOf(deliveries));
      context.note("lists", [
        ...new Set(deliveries.map(({ list: { items: _items, ...list } }) => JSON.stringify(list))),
      ]);
      context.note("events", eventsOf(deliveries));
    },
  },
  {
    row: 539,
    title: "a webhook that receives lists of one event is sent each event again until it accepts it",
    flags: async (folder) => [
      ...(await webhookFlags(folder, 539)),
      "--audit-webhook-batch-max-size=1",
      "--audit-webhook-initial-backoff=50ms",
    ],
    run: async (context, folder) => {
      const webhook = webhookOf(context, folder);
      webhook.answerWith(503);
      await context.quietly(withId("refused", { path: pathOf("configmaps", context.namespace) }));
      const refused = await until(webhook, (all) => all.length >= 10);
      context.note(
        "events",
        eventsOf(refused)
          .map(({ auditID, stage }) => `${String(auditID)} ${String(stage)}`)
          .toSorted(),
      );
      webhook.answerWith(201);
      await context.quietly(withId("accepted", { path: pathOf("configmaps", context.namespace) }));
      const all = await until(webhook, (deliveries) => deliveries.length >= 12);
      context.note(
        "later events",
        eventsOf(all.slice(10))
          .map(({ auditID, stage }) => `${String(auditID)} ${String(stage)}`)
          .toSorted(),
      );
    },
  },
  {
    row: 540,
    title: "a blocking webhook has the events when the response arrives, and its failures are ignored",
    flags: async (folder) => [
      ...(await webhookFlags(folder, 540)),
      "--audit-webhook-mode=blocking",
      "--audit-webhook-initial-backoff=10ms",
    ],
    run: async (context, folder) => {
      const webhook = webhookOf(context, folder);
      const body = configMap("one", { a: "1" });
      const call = { method: "POST", path: pathOf("configmaps", context.namespace), body } as const;
      await send(context, webhook, "accepted", call);
      webhook.answerWith(500);
      await send(context, webhook, "refused", { path: `${call.path}/one` });
    },
  },
  {
    row: 541,
    title: "a strict webhook that does not receive the first event of a request refuses the request",
    flags: async (folder) => [
      ...(await webhookFlags(folder, 541)),
      "--audit-webhook-mode=blocking-strict",
      "--audit-webhook-initial-backoff=10ms",
    ],
    run: async (context, folder) => {
      const webhook = webhookOf(context, folder);
      const maps = pathOf("configmaps", context.namespace);
      webhook.answerWith(500);
      const body = configMap("one", { a: "1" });
      await send(context, webhook, "refused", { method: "POST", path: `${maps}?dryRun=All&a=%22b`, body });
      webhook.answerWith(200);
      await send(context, webhook, "accepted", { path: `${maps}/one` });
    },
  },
];

const webhooks = new Map<string, AuditWebhookServer>();

async function webhookFlags(folder: string, row: number): Promise<readonly string[]> {
  const webhook = await startAuditWebhook();
  webhooks.set(folder, webhook);
  const config = path.join(folder, "webhook.json");
  const { ca, cert, key } = webhook.files;
  const credentials =
    row === 538 ? { "client-certificate-data": cert, "client-key-data": key } : { token: "secret-of-the-webhook" };
  const cluster = { server: `${webhook.url}/audit${row === 538 ? "/events" : ""}`, "certificate-authority-data": ca };
  const kubeconfig = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "webhook", cluster }],
    users: [{ name: "server", user: credentials }],
    contexts: [{ name: "webhook", context: { cluster: "webhook", user: "server" } }],
    "current-context": "webhook",
  };
  await writeFile(config, JSON.stringify(kubeconfig), { mode: 0o600 });
  const policy = path.join(folder, "policy.json");
  const rules = [
    { level: "RequestResponse", namespaces: [`row-${String(row)}`], resources: [{ resources: ["configmaps"] }] },
    { level: "None" },
  ];
  await writeFile(
    policy,
    JSON.stringify({ apiVersion: "audit.k8s.io/v1", kind: "Policy", omitManagedFields: true, rules }),
  );
  return [`--audit-policy-file=${policy}`, `--audit-webhook-config-file=${config}`];
}

function webhookOf({ cleanUp }: RowContext, folder: string): AuditWebhookServer {
  const webhook = webhooks.get(folder);
  if (webhook === undefined) throw new TypeError("the webhook was not started");
  cleanUp(async () => await webhook.close());
  return webhook;
}

type Request = Parameters<RowContext["quietly"]>[0];

function calls({ namespace }: RowContext): Readonly<Record<string, Request>> {
  const maps = pathOf("configmaps", namespace);
  return {
    create: { method: "POST", path: maps, body: configMap("one", { a: "1" }) },
    "a missing object": { path: `${maps}/none` },
    list: { path: `${maps}?limit=500` },
    watch: { path: `${maps}?watch=true&timeoutSeconds=1&fieldSelector=${encodeURIComponent("metadata.name=none")}` },
  };
}

function withId(step: string, call: Request): Request {
  return { ...call, headers: { ...call.headers, "audit-id": step.replaceAll(" ", "-"), "user-agent": "row/1" } };
}

// All attempts for a blocking webhook are over when the response arrives.
async function send(context: RowContext, webhook: AuditWebhookServer, step: string, call: Request): Promise<void> {
  const before = webhook.deliveries.length;
  const answer: Answer = await context.quietly(withId(step, call));
  const deliveries = webhook.deliveries.slice(before);
  context.note(step, {
    status: answer.status,
    body: typeof answer.body === "string" ? answer.body : undefined,
    contentType: answer.headers.get("content-type"),
    requests: requestsOf(deliveries),
    stages: eventsOf(deliveries).map(({ stage }) => stage),
  });
}

async function until(
  { deliveries }: AuditWebhookServer,
  isEnough: (all: readonly AuditDelivery[]) => boolean,
): Promise<readonly AuditDelivery[]> {
  const deadline = Date.now() + AFTER_ALL_MS;
  while (!isEnough(deliveries)) {
    if (Date.now() > deadline) throw new TypeError(`the webhook received only ${JSON.stringify(eventsOf(deliveries))}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return deliveries;
}

function requestsOf(deliveries: readonly AuditDelivery[]): readonly string[] {
  return [...new Set(deliveries.map(({ list: _list, ...request }) => JSON.stringify(request)))];
}

// Requests at the same time have no order.
function eventsOf(deliveries: readonly AuditDelivery[]): readonly Json[] {
  return deliveries.flatMap(({ list }) => list.items).map(comparable);
}

function comparable({ user: _user, sourceIPs: _addresses, ...event }: Json): Json {
  return event;
}
