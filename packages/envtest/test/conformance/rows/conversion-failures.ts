// cspell:ignore Dgood Dbad Dnone
import { objectOf, type Answer, type Call, type Json, type Row, type RowContext } from "../row.ts";
import type { WebhookReply } from "../webhook-server.ts";
import { changed, changedMetadata, device, installConverted, type WrongAnswer } from "./converted-devices.ts";

const MERGE = "application/merge-patch+json";

/** Rows about the requests that a conversion webhook fails, and about those that it leaves waiting. */
export const CONVERSION_FAILURE_ROWS: readonly Row[] = [
  { row: 747, title: "each request for an object that a conversion webhook fails to convert", run: runFailures },
  { row: 748, title: "lists beside an object that a conversion webhook fails to convert", run: runLists },
  { row: 749, title: "requests with less time than their conversion webhook", run: runTimeouts },
];

const body = (text: string): WrongAnswer => {
  return () => ({ kind: "raw", status: 200, body: text });
};

const FAILURES: Readonly<Record<string, WrongAnswer>> = {
  "hang-up": (): WebhookReply => ({ kind: "hang-up", after: "nothing" }),
  half: (): WebhookReply => ({ kind: "hang-up", after: "half" }),
  empty: body(""),
  "broken-json": body("{"),
  redirect: (): WebhookReply => ({ kind: "raw", status: 302, body: "", headers: { location: "/elsewhere" } }),
  "status-503": (): WebhookReply => ({
    kind: "raw",
    status: 503,
    body: "later",
    headers: { "content-type": "text/plain" },
  }),
  failed: (right) => ({ ...right, result: { status: "Failure", message: "it is bad" } }),
  "another-uid": (right) => ({ ...right, uid: "other" }),
  "no-objects": (right) => ({ ...right, convertedObjects: [] }),
  "two-objects": (right) => ({ ...right, convertedObjects: [...right.convertedObjects, ...right.convertedObjects] }),
  "another-kind": (right) => changed(right, { kind: "Machine" }),
  unconverted: (right) => changed(right, { apiVersion: "example.com/v1" }),
  "null-object": (right) => ({ ...right, convertedObjects: [null] as never }),
  "another-name": (right) => changedMetadata(right, { name: "renamed" }),
  "another-label": (right) => changedMetadata(right, { labels: { "not valid": "x" } }),
};

/** Returns the requests for one object in the version that is not stored, by what they do. */
function requestsFor(group: string, path: (version: string, name?: string) => string, name: string): Json {
  const one = path("v2", name);
  const patch = (contentType: string, fields: unknown, more = ""): Call => ({
    method: "PATCH",
    path: `${one}${more}`,
    body: fields,
    contentType,
  });
  const applied = { apiVersion: `${group}/v2`, kind: "Device", metadata: { name }, spec: { extra: "own" } };
  return {
    read: { path: one },
    "read as a table": { path: one, headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } },
    "read of the status": { path: `${one}/status` },
    "read of the scale": { path: `${one}/scale` },
    "create another": { method: "POST", path: path("v2"), body: device(group, "v2", `${name}-made`) },
    "create the same": { method: "POST", path: path("v2"), body: device(group, "v2", name) },
    update: { method: "PUT", path: one, body: device(group, "v2", name) },
    "merge patch": patch(MERGE, { spec: { extra: "own" } }),
    "JSON patch": patch("application/json-patch+json", [{ op: "add", path: "/spec/extra", value: "own" }]),
    apply: patch("application/apply-patch+yaml", applied, "?fieldManager=row"),
    "status patch": patch(MERGE, { status: { ready: true } }, "/status"),
    "scale patch": patch(MERGE, { spec: { replicas: 2 } }, "/scale"),
    "dry run": { method: "POST", path: `${path("v2")}?dryRun=All`, body: device(group, "v2", `${name}-made`) },
    delete: { method: "DELETE", path: one },
  } satisfies Readonly<Record<string, Call>>;
}

async function runFailures(context: RowContext): Promise<void> {
  const { quietly, note } = context;
  const group = "row747.example.com";
  const made = Object.entries(FAILURES).map(([name, answer]): [string, WrongAnswer] => [`${name}-made`, answer]);
  const { path } = await installConverted(context, group, { answers: { ...FAILURES, ...Object.fromEntries(made) } });
  for (const name of Object.keys(FAILURES)) {
    await quietly({ method: "POST", path: path("v1"), body: device(group, "v1", name) });
    for (const [request, call] of Object.entries(requestsFor(group, path, name))) {
      note(`${name}: ${request}`, failureOf(await quietly(call as Call)));
    }
    note(`${name}: in the stored version`, failureOf(await quietly({ path: path("v1", name) })));
    await quietly({ method: "DELETE", path: path("v1", name) });
  }
}

function failureOf(answer: Answer): string {
  if (answer.status < 300) return String(answer.status);
  const { code, reason, message, details } = objectOf(answer);
  return `${String(answer.status)} ${String(code)} ${String(reason)}: ${String(message)} ${JSON.stringify(details)}`;
}

async function runLists(context: RowContext): Promise<void> {
  const { quietly, note, eventually } = context;
  const group = "row748.example.com";
  const bad: WrongAnswer = (right) => ({ ...right, result: { status: "Failure", message: "it is bad" } });
  const { path } = await installConverted(context, group, { answers: { bad } });
  await quietly({ method: "POST", path: path("v1"), body: device(group, "v1", "good") });
  await eventually({ path: path("v2") }, (answer) => objectOf(answer).items?.length === 1);
  await quietly({ method: "POST", path: path("v1"), body: device(group, "v1", "bad") });
  for (const [request, asked] of Object.entries(LISTS)) {
    const answer = await quietly({ path: asked(path("v2"), group) });
    const names = (objectOf(answer).items ?? []).map(({ metadata }) => metadata.name);
    note(request, answer.status === 200 ? names : failureOf(answer));
  }
}

type Path = (folder: string, group: string) => string;

const EMPTY: Path = (_folder, group) => `/apis/${group}/v2/namespaces/default/devices`;

// A real server fails lists that are not in pages with another status once they have failed for about 25 seconds.
const LISTS: Readonly<Record<string, Path>> = {
  list: (folder) => folder,
  "list in pages": (folder) => `${folder}?limit=10`,
  "list with a selector": (folder) => `${folder}?labelSelector=none%3Dx`,
  "list of all namespaces": (_folder, group) => `/apis/${group}/v2/devices`,
  "list of an empty namespace": EMPTY,
  "list of one name": (folder) => `${folder}?fieldSelector=metadata.name%3Dgood`,
  "list of one name in pages": (folder) => `${folder}?fieldSelector=metadata.name%3Dgood&limit=1`,
  "list of one name with a selector": (folder) => `${folder}?fieldSelector=metadata.name%3Dgood&labelSelector=none%3Dx`,
  "list of the bad name": (folder) => `${folder}?fieldSelector=metadata.name%3Dbad`,
  "list of no name": (folder) => `${folder}?fieldSelector=metadata.name%3Dnone`,
  "list in the stored version": (folder) => folder.replace("/v2/", "/v1/"),
};

const LATE: Readonly<Record<string, WrongAnswer>> = {
  silence: (): WebhookReply => ({ kind: "silence" }),
  stall: (): WebhookReply => ({ kind: "stall" }),
};

async function runTimeouts(context: RowContext): Promise<void> {
  const { quietly, note } = context;
  const group = "row749.example.com";
  const made = Object.entries(LATE).map(([name, answer]): [string, WrongAnswer] => [`${name}-made`, answer]);
  const { path } = await installConverted(context, group, { answers: { ...LATE, ...Object.fromEntries(made) } });
  for (const name of Object.keys(LATE)) {
    await quietly({ method: "POST", path: path("v1"), body: device(group, "v1", name) });
    for (const [request, call] of Object.entries(requestsFor(group, path, name))) {
      const { path: asked, ...others } = call as Call;
      const limited = `${asked}${asked.includes("?") ? "&" : "?"}timeout=1s`;
      note(
        `${name}: ${request}`,
        await outcomeInTime(() =>
          quietly({ ...others, path: limited, headers: { ...others.headers, connection: "close" } }),
        ),
      );
    }
    note(`${name}: list in pages`, failureOf(await quietly({ path: `${path("v2")}?limit=10&timeout=1s` })));
    await quietly({ method: "DELETE", path: path("v1", name) });
  }
}

// A real server may close the connection after the time is over.
async function outcomeInTime(ask: () => Promise<Answer>): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return failureOf(await ask());
    } catch (error) {
      if (attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

const MOST_ATTEMPTS = 5;
