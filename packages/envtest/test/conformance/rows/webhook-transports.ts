import { configMap, pathOf } from "../kinds.ts";
import type { Json, Row, RowContext } from "../row.ts";
import { startWebhookServer, type WebhookCall, type WebhookReply } from "../webhook-server.ts";
import { device, installConverted, type WrongAnswer } from "./converted-devices.ts";
import { installed, outcomeOf } from "./webhook-answers.ts";

/** Rows about the HTTP of webhooks: statuses, types of contents, retries, and what is no HTTP. */
export const WEBHOOK_TRANSPORT_ROWS: readonly Row[] = [
  { row: 745, title: "which HTTP answers of a conversion webhook are errors, and how they read", run: convert },
  { row: 746, title: "which HTTP answers of an admission webhook are errors, and how they read", run: admit },
];

/** Returns the answer to one call, given the right body and the number of calls before. */
type HttpAnswer = (right: string, before: number) => WebhookReply;

async function convert(context: RowContext): Promise<void> {
  const { quietly, note } = context;
  const group = "row745.example.com";
  const counts = new Map<string, number>();
  const answers = Object.fromEntries(
    Object.entries(HTTP_ANSWERS).map(([name, answer]): [string, WrongAnswer] => [
      name,
      (right) => {
        const before = counts.get(name) ?? 0;
        counts.set(name, before + 1);
        const review = { apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview", response: right };
        return answer(JSON.stringify(review), before);
      },
    ]),
  );
  const { path } = await installConverted(context, group, { answers });
  for (const name of Object.keys(HTTP_ANSWERS)) {
    const create = { method: "POST", path: `${path("v2")}?dryRun=All`, body: device(group, "v2", name) } as const;
    note(name, { outcome: outcomeOf(await quietly(create)), calls: counts.get(name) });
  }
}

async function admit(context: RowContext): Promise<void> {
  const { quietly, note, namespace, cleanUp } = context;
  const counts = new Map<string, number>();
  const server = await startWebhookServer(({ review }: WebhookCall) => {
    const { name = "", uid } = review.request as unknown as { readonly name?: string; readonly uid: string };
    const before = counts.get(name) ?? 0;
    counts.set(name, before + 1);
    const response: Json = { uid, allowed: true };
    const right = JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response });
    return HTTP_ANSWERS[name]?.(right, before) ?? { kind: "response", response };
  });
  cleanUp(() => server.close());
  await installed(context, server, "validating");
  for (const name of Object.keys(HTTP_ANSWERS)) {
    const create = { method: "POST", path: `${pathOf("configmaps", namespace)}?dryRun=All`, body: configMap(name) };
    note(name, { outcome: outcomeOf(await quietly({ ...create, method: "POST" })), calls: counts.get(name) });
  }
}

const raw = (
  status: number,
  body: string,
  type?: string,
  more: Readonly<Record<string, string>> = {},
): WebhookReply => ({
  kind: "raw",
  status,
  body,
  headers: { ...(type === undefined ? {} : { "content-type": type }), ...more },
});

const STATUSES: readonly number[] = [
  [200, 201, 202, 203, 204, 205, 206, 207, 208, 226, 299, 300, 301, 303, 304, 305, 306, 307, 308, 310, 399],
  [400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418, 421, 422, 423],
  [424, 425, 426, 428, 429, 431, 451, 499, 500, 501, 502, 503, 504, 505, 507, 511, 520, 599, 600, 777, 999],
].flat();

const TYPES: Readonly<Record<string, string>> = {
  none: "",
  json: "application/json",
  yaml: "application/yaml",
  protobuf: "application/vnd.kubernetes.protobuf",
  html: "text/html; charset=utf-8",
  capitals: "Text/PLAIN",
  "no-subtype": "text",
  "empty-subtype": "text/",
  broken: "text/plain; charset",
  "two-slashes": "text/plain/x",
  "no-media": "; charset=utf-8",
  unknown: "application/unknown",
};

function answersOfTypes(): Readonly<Record<string, HttpAnswer>> {
  return Object.fromEntries(
    Object.entries(TYPES).flatMap(([name, type]) => [
      [`type-${name}`, (right) => raw(200, right, type)] satisfies [string, HttpAnswer],
      ...[403, 406, 415, 500].map((status): [string, HttpAnswer] => [
        `type-${name}-${String(status)}`,
        () => raw(status, " <b>boom</b> \n", type === "" ? undefined : type),
      ]),
    ]),
  );
}

const JSON_TYPE = "application/json";

const once =
  (status: number, retryAfter: string): HttpAnswer =>
  (right, before) =>
    before === 0 ? raw(status, "wait", "text/plain", { "retry-after": retryAfter }) : raw(200, right, JSON_TYPE);

const always =
  (status: number, retryAfter: string): HttpAnswer =>
  () =>
    raw(status, "wait", "text/plain", { "retry-after": retryAfter });

const RETRIES: Readonly<Record<string, HttpAnswer>> = {
  "once-429": once(429, "0"),
  "once-500": once(500, "0"),
  "once-503": once(503, "0"),
  "once-599": once(599, "0"),
  "once-600": once(600, "0"),
  "once-404": once(404, "0"),
  "once-302": once(302, "0"),
  "once-in-a-second": once(503, "1"),
  "once-signed": once(503, "+0"),
  "once-negative": once(503, "-1"),
  "once-padded": once(503, "00"),
  "once-a-fraction": once(503, "0.5"),
  "once-a-date": once(503, "Wed, 21 Oct 2015 07:28:00 GMT"),
  "once-empty": once(503, ""),
  "once-with-spaces": once(503, "  0  "),
  "always-429": always(429, "0"),
  "always-500": always(500, "0"),
  "always-503": always(503, "0"),
  "nine-times": (right, before) => (before < 9 ? always(503, "0")(right, before) : raw(200, right, JSON_TYPE)),
  "ten-times": (right, before) => (before < 10 ? always(503, "0")(right, before) : raw(200, right, JSON_TYPE)),
  "then-another-failure": (right, before) =>
    before === 0 ? once(429, "0")(right, before) : raw(500, "x", "text/plain"),
};

const refused =
  (fields: unknown, type = JSON_TYPE): HttpAnswer =>
  () =>
    raw(400, typeof fields === "string" ? fields : JSON.stringify(fields), type);
const STATUS: Json = { kind: "Status", apiVersion: "v1", status: "Failure", message: "it is bad", code: 400 };

const STATUS_OBJECTS: Readonly<Record<string, HttpAnswer>> = {
  status: refused(STATUS),
  "status-as-text": refused(STATUS, "text/plain"),
  "status-as-yaml": refused("kind: Status\napiVersion: v1\nstatus: Failure\nmessage: it is bad\n", "application/yaml"),
  "status-without-kind": refused({ status: "Failure", message: "it is bad" }),
  "status-without-version": refused({ ...STATUS, apiVersion: undefined }),
  "status-of-another-version": refused({ ...STATUS, apiVersion: "v2" }),
  "status-of-a-group": refused({ ...STATUS, apiVersion: "example.com/v1" }),
  "status-without-status": refused({ ...STATUS, status: undefined }),
  "status-of-success": refused({ ...STATUS, status: "Success" }),
  "status-without-message": refused({ ...STATUS, message: undefined }),
  "status-with-an-empty-message": refused({ ...STATUS, message: "" }),
  "status-with-a-reason": refused({ ...STATUS, message: "", reason: "NotFound" }),
  "status-with-a-number-as-message": refused({ ...STATUS, message: 1 }),
  "status-with-a-text-as-code": refused({ ...STATUS, code: "x" }),
  "status-with-causes": refused({ ...STATUS, details: { causes: [{ message: "m", field: "f" }] } }),
  "another-object": refused({ kind: "Other", apiVersion: "v1" }),
  "a-review": (right) => raw(400, right, JSON_TYPE),
  "an-empty-object": refused("{}"),
  "a-list": refused("[]"),
  "a-null": refused("null"),
  "no-json": refused("{"),
};

const bytes = (text: string): HttpAnswer => {
  return () => ({ kind: "bytes", text });
};
const OK = "HTTP/1.1 200 OK\r\n";

const NO_HTTP: Readonly<Record<string, HttpAnswer>> = {
  "no-http": bytes("garbage\r\n\r\n"),
  "no-http-without-an-end": bytes("garbage"),
  "another-protocol": bytes("SSH-2.0-OpenSSH_9.6\r\n"),
  "http-0.9": bytes("HTTP/0.9 200 OK\r\n\r\n"),
  "http-1.0": (right) => ({ kind: "bytes", text: `HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n${right}` }),
  "http-2.0": bytes("HTTP/2.0 200 OK\r\n\r\n"),
  "a-broken-status": bytes("HTTP/1.1 abc OK\r\n\r\n"),
  "a-short-status": bytes("HTTP/1.1 20 OK\r\n\r\n"),
  "a-negative-status": bytes("HTTP/1.1 -20 OK\r\n\r\n"),
  "no-status": bytes("HTTP/1.1\r\n\r\n"),
  "a-header-without-a-colon": bytes(`${OK}broken\r\n\r\n`),
  "a-broken-length": bytes(`${OK}content-length: x\r\n\r\n{}`),
  "a-negative-length": bytes(`${OK}content-length: -1\r\n\r\n{}`),
  "two-lengths": bytes(`${OK}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`),
  "an-unknown-encoding": bytes(`${OK}transfer-encoding: gzip\r\n\r\n{}`),
  "a-broken-chunk": bytes(
    `${OK}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nx\r\n{}\r\n0\r\n\r\n`,
  ),
  "half-a-chunk": bytes(`${OK}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{}`),
  "no-last-chunk": bytes(`${OK}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`),
  "a-body-up-to-the-end": (right) => ({ kind: "bytes", text: `${OK}content-type: application/json\r\n\r\n${right}` }),
  "switched-protocols": bytes("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"),
  "an-upgrade-with-200": bytes(`${OK}connection: upgrade\r\nupgrade: x\r\ncontent-length: 2\r\n\r\n{}`),
  "an-interim-answer": (right) => ({
    kind: "bytes",
    text: `HTTP/1.1 103 Early Hints\r\n\r\n${OK}content-type: application/json\r\nconnection: close\r\n\r\n${right}`,
  }),
};

const HTTP_ANSWERS: Readonly<Record<string, HttpAnswer>> = {
  ...Object.fromEntries(
    STATUSES.map((status): [string, HttpAnswer] => [
      `status-${String(status)}`,
      (right) => (status < 300 && status !== 204 ? raw(status, right, JSON_TYPE) : raw(status, "", JSON_TYPE)),
    ]),
  ),
  ...Object.fromEntries(
    STATUSES.filter((status) => status >= 400).map((status): [string, HttpAnswer] => [
      `text-${String(status)}`,
      () => raw(status, "boom", "text/plain"),
    ]),
  ),
  ...answersOfTypes(),
  "long-text": () => raw(500, `é${"x".repeat(3000)}`, "text/plain"),
  "long-text-in-two-bytes": () => raw(500, "é".repeat(3000), "text/plain"),
  "text-of-spaces": () => raw(500, " \n\t ", "text/plain"),
  "text-403-empty": () => raw(403, "", "text/plain"),
  "text-406-empty": () => raw(406, "", "text/plain"),
  "text-415-empty": () => raw(415, "", "text/plain"),
  "text-500-empty": () => raw(500, "", "text/plain"),
  "text-with-controls": () => raw(500, 'a\u0001\u007f\u00e9\ud83d\ude00"\\\n', "text/plain"),
  ...STATUS_OBJECTS,
  ...RETRIES,
  ...NO_HTTP,
};
