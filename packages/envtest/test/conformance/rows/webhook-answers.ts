import { configMap, GROUP, pathOf, widget } from "../kinds.ts";
import { objectOf, type Answer, type Json, type Row, type RowContext } from "../row.ts";
import { startWebhookServer, type WebhookCall, type WebhookReply, type WebhookServer } from "../webhook-server.ts";
import { EFFECTS, RAW_ANSWERS, RESPONSES } from "./webhook-corpus.ts";

const ADMISSION = "/apis/admissionregistration.k8s.io/v1";
const MERGE = "application/merge-patch+json";
const ALLOWED: WebhookReply = { kind: "response", response: { allowed: true } };

/** Rows about all answers that admission webhooks may give. */
export const WEBHOOK_ANSWER_ROWS: readonly Row[] = [
  {
    row: 703,
    title: "what a mutating webhook may answer",
    run: async (context) => await runAnswers(context, "mutating"),
  },
  {
    row: 704,
    title: "what a validating webhook may answer",
    run: async (context) => await runAnswers(context, "validating"),
  },
  {
    row: 711,
    title: "what a mutating webhook of an older review may answer",
    run: async (context) => await runAnswers(context, "mutating", "v1beta1"),
  },
  {
    row: 712,
    title: "what a validating webhook of an older review may answer",
    run: async (context) => await runAnswers(context, "validating", "v1beta1"),
  },
  { row: 705, title: "what a mutating webhook may change", run: runEffects },
];

type Kind = "mutating" | "validating";

async function runAnswers(context: RowContext, kind: Kind, version = "v1"): Promise<void> {
  const { namespace, quietly, note } = context;
  const server = await serve(context, ({ review }) => {
    const { name, uid } = review.request as { readonly name?: string; readonly uid: string };
    const raw = RAW_ANSWERS[name ?? ""];
    const response = RESPONSES[name ?? ""];
    if (raw !== undefined) {
      const { body, ...others } = raw(uid, server.url);
      return { kind: "raw", ...others, body: body.replace('"admission.k8s.io/v1"', `"admission.k8s.io/${version}"`) };
    }
    return response === undefined ? ALLOWED : { kind: "response", response };
  });
  await installed(context, server, kind, version);
  for (const name of [...Object.keys(RAW_ANSWERS), ...Object.keys(RESPONSES)]) {
    const call = { method: "POST", path: pathOf("configmaps", namespace), body: configMap(name) } as const;
    note(name, outcomeOf(await quietly(call)));
  }
}

async function runEffects(context: RowContext): Promise<void> {
  const { namespace, quietly, note } = context;
  const server = await serve(context, ({ review }) => {
    const { name = "", operation } = review.request as unknown as {
      readonly name?: string;
      readonly operation: string;
    };
    const [when, ...effect] = name.split(".");
    const operations = (when === "create") === (operation === "CREATE") ? EFFECTS[effect.join(".")] : undefined;
    if (operations === undefined) return ALLOWED;
    const patch = Buffer.from(JSON.stringify(operations)).toString("base64");
    return { kind: "response", response: { allowed: true, patchType: "JSONPatch", patch } };
  });
  await installed(context, server, "mutating");
  for (const effect of Object.keys(EFFECTS)) {
    const kinds = { configmaps: configMap, widgets: widget } as const;
    for (const [plural, bodyOf] of Object.entries(kinds)) {
      const create = { method: "POST", path: pathOf(plural, namespace), body: bodyOf(`create.${effect}`) } as const;
      note(`create ${plural}: ${effect}`, outcomeOf(await quietly(create)));
      const name = `update.${effect}`;
      await quietly({ method: "POST", path: pathOf(plural, namespace), body: bodyOf(name) });
      const body = { metadata: { labels: { changed: "yes" } } };
      const update = { method: "PATCH", path: pathOf(plural, namespace, name), body, contentType: MERGE } as const;
      note(`update ${plural}: ${effect}`, outcomeOf(await quietly(update)));
    }
  }
}

async function serve({ cleanUp }: RowContext, reply: (call: WebhookCall) => WebhookReply): Promise<WebhookServer> {
  const server = await startWebhookServer(reply);
  cleanUp(() => server.close());
  return server;
}

// Returns when the API server calls the webhook.
async function installed(context: RowContext, server: WebhookServer, kind: Kind, version = "v1"): Promise<void> {
  const { namespace, quietly, eventually, cleanUp } = context;
  const path = `${ADMISSION}/${kind}webhookconfigurations`;
  const body = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: kind === "mutating" ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration",
    metadata: { name: namespace },
    webhooks: [
      {
        name: "answers.example.com",
        sideEffects: "None",
        admissionReviewVersions: [version],
        timeoutSeconds: 10,
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
        clientConfig: { url: server.url, caBundle: server.caBundle },
        rules: [
          { apiGroups: [""], resources: ["configmaps"], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"] },
          { apiGroups: [GROUP], resources: ["widgets"], apiVersions: ["*"], operations: ["CREATE", "UPDATE"] },
        ],
      },
    ],
  };
  cleanUp(() => quietly({ method: "DELETE", path: `${path}/${namespace}` }));
  await quietly({ method: "POST", path, body });
  const probe = { method: "POST", path: `${pathOf("configmaps", namespace)}?dryRun=All`, body: configMap("probe") };
  await eventually({ ...probe, method: "POST" }, () => server.takeCalls().length > 0);
}

/** Returns an answer in one line, since there are many. */
export function outcomeOf(answer: Answer): string {
  const { metadata, message, reason, details, code, ...others } = objectOf(answer) as Json & {
    readonly metadata: Json;
  };
  const warnings = answer.headers.get("warning");
  const warned = warnings === null ? "" : ` [${warnings}]`;
  if (answer.status > 201) {
    return `${String(answer.status)} ${String(code)} ${String(reason)}: ${String(message)} ${JSON.stringify(details)}${warned}`;
  }
  const { managedFields, uid, resourceVersion, creationTimestamp, ...kept } = metadata ?? {};
  const stated = { managedFields, uid, resourceVersion, creationTimestamp };
  const missing = Object.entries(stated).flatMap(([name, value]) => (value === undefined ? [name] : []));
  return `${String(answer.status)} ${printJson({ ...others, metadata: kept })} without ${missing.join()}${warned}`;
}

function printJson(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : each,
  );
}
