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
    run: async (context) => await runAnswers(context, "mutating", { version: "v1beta1" }),
  },
  {
    row: 712,
    title: "what a validating webhook of an older review may answer",
    run: async (context) => await runAnswers(context, "validating", { version: "v1beta1" }),
  },
  {
    row: 741,
    title: "which answers of a mutating webhook its failure policy ignores",
    run: async (context) => await runAnswers(context, "mutating", { failurePolicy: "Ignore" }),
  },
  {
    row: 742,
    title: "which answers of a validating webhook its failure policy ignores",
    run: async (context) => await runAnswers(context, "validating", { failurePolicy: "Ignore" }),
  },
  { row: 743, title: "webhooks that do not answer in time, or break off", run: runBreaks },
  { row: 705, title: "what a mutating webhook may change", run: runEffects },
];

type Kind = "mutating" | "validating";

interface Settings {
  readonly version?: string;
  readonly failurePolicy?: "Fail" | "Ignore";
  readonly timeoutSeconds?: number;
}

async function runAnswers(context: RowContext, kind: Kind, settings: Settings = {}): Promise<void> {
  const { version = "v1" } = settings;
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
  await installed(context, server, kind, settings);
  for (const name of [...Object.keys(RAW_ANSWERS), ...Object.keys(RESPONSES)]) {
    const call = { method: "POST", path: pathOf("configmaps", namespace), body: configMap(name) } as const;
    note(name, outcomeOf(await quietly(call)));
  }
}

const BREAKS: Readonly<Record<string, WebhookReply>> = {
  silence: { kind: "silence" },
  stall: { kind: "stall" },
  "hang-up": { kind: "hang-up", after: "nothing" },
  half: { kind: "hang-up", after: "half" },
};

async function runBreaks(context: RowContext): Promise<void> {
  const { namespace, quietly, note } = context;
  const server = await serve(context, ({ review }) => BREAKS[(review.request as Json)["name"] as string] ?? ALLOWED);
  for (const kind of ["mutating", "validating"] as const) {
    for (const failurePolicy of ["Fail", "Ignore"] as const) {
      const uninstall = await installed(context, server, kind, { failurePolicy, timeoutSeconds: 1 });
      for (const name of Object.keys(BREAKS)) {
        const path = `${pathOf("configmaps", namespace)}?dryRun=All`;
        note(
          `${kind} ${failurePolicy}: ${name}`,
          outcomeOf(await quietly({ method: "POST", path, body: configMap(name) })),
        );
      }
      await uninstall();
    }
    const uninstall = await installed(context, server, kind);
    const path = `${pathOf("configmaps", namespace)}?dryRun=All&timeout=1s`;
    const late = await quietly({ method: "POST", path, body: configMap("silence") });
    note(`${kind}: a request with less time than its webhook`, outcomeOf(late));
    await uninstall();
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

/** Installs a webhook; returns when the API server calls it. */
export async function installed(
  context: RowContext,
  server: WebhookServer,
  kind: Kind,
  settings: Settings = {},
): Promise<() => Promise<unknown>> {
  const { version = "v1", failurePolicy = "Fail", timeoutSeconds = 10 } = settings;
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
        failurePolicy,
        timeoutSeconds,
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
        clientConfig: { url: server.url, caBundle: server.caBundle },
        rules: [
          { apiGroups: [""], resources: ["configmaps"], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"] },
          { apiGroups: [GROUP], resources: ["widgets"], apiVersions: ["*"], operations: ["CREATE", "UPDATE"] },
        ],
      },
    ],
  };
  const uninstall = (): Promise<unknown> => quietly({ method: "DELETE", path: `${path}/${namespace}` });
  cleanUp(uninstall);
  await quietly({ method: "POST", path, body });
  const probe = { method: "POST", path: `${pathOf("configmaps", namespace)}?dryRun=All`, body: configMap("probe") };
  await eventually({ ...probe, method: "POST" }, () => server.takeCalls().length > 0);
  return async () => {
    await uninstall();
    await eventually({ ...probe, method: "POST" }, () => server.takeCalls().length === 0);
  };
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
