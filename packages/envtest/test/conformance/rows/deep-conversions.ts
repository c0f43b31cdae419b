import { printLosslessJson } from "@kubescaffold/k8s";

import { crd } from "../kinds.ts";
import { objectOf, type Answer, type Json, type Row, type RowContext } from "../row.ts";
import { startWebhookServer, type WebhookCall, type WebhookReply } from "../webhook-server.ts";
import { pathsOf } from "./converted-devices.ts";
import { installCrd } from "./install-crd.ts";

const GROUP = "row751.example.com";
const MERGE = "application/merge-patch+json";
const LEVELS: readonly number[] = [1, 2500, 5000, 9000, 9990, 9996, 9997, 9998, 9999, 10_000, 20_000];
/** Above this level, a real server has field owners that it cannot read. */
const DEEPEST_STORED = 9990;

/** Rows about objects of many levels that a webhook converts. */
export const DEEP_CONVERSION_ROWS: readonly Row[] = [
  { row: 751, title: "objects of up to 10,000 levels pass a conversion webhook", run: runLevels },
];

async function runLevels(context: RowContext): Promise<void> {
  const { quietly, note, cleanUp, eventually, namespace } = context;
  const server = await startWebhookServer(answer);
  cleanUp(() => server.close());
  const clientConfig = { url: server.url, caBundle: server.caBundle };
  const webhook = { conversionReviewVersions: ["v1"], clientConfig };
  await installCrd(context, deepCrd({ strategy: "Webhook", webhook }));
  const path = pathsOf(GROUP, namespace);
  await eventually({ path: path("v2") }, ({ status }) => status === 200);
  for (const levels of LEVELS) {
    for (const kind of ["stored", "made"]) {
      if (kind === "stored" && levels > DEEPEST_STORED && levels < 10_000) continue;
      const name = `${kind}-${String(levels)}`;
      const text = (version: string): string => objectText(version, name, kind === "stored" ? levels : 1);
      const label = { metadata: { labels: { a: "b" } } };
      note(`${name}: create`, outcomeOf(await quietly({ method: "POST", path: path("v1"), text: text("v1") })));
      note(`${name}: read`, outcomeOf(await quietly({ path: path("v2", name) })));
      const dryRun = { method: "POST", path: `${path("v2")}?dryRun=All`, text: text("v2").replace(name, `x-${name}`) };
      note(`${name}: write`, outcomeOf(await quietly({ ...dryRun, method: "POST" })));
      const patch = { method: "PATCH", path: path("v2", name), body: label, contentType: MERGE } as const;
      note(`${name}: patch`, outcomeOf(await quietly(patch)));
      note(`${name}: delete`, outcomeOf(await quietly({ method: "DELETE", path: path("v2", name) })));
    }
  }
}

// An object whose name states that it is made gets a spec of that many levels.
function answer({ review }: WebhookCall): WebhookReply {
  const { uid, desiredAPIVersion, objects } = review.request as unknown as {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly (Json & { readonly metadata: { readonly name: string } })[];
  };
  const levels = /made-(\d+)$/u.exec(objects[0]?.metadata.name ?? "")?.[1];
  const convertedObjects = objects.map((object) => ({
    ...object,
    apiVersion: desiredAPIVersion,
    ...(levels === undefined ? {} : { spec: "@" }),
  }));
  const response = { uid, result: { status: "Success" }, convertedObjects };
  const body = printLosslessJson({ apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview", response });
  return { kind: "raw", status: 200, body: body.replaceAll('"@"', nested(Number(levels ?? 0))) };
}

function deepCrd(conversion: Json): Json {
  const definition = crd({ group: GROUP, kind: "Device", schema: {} }) as { readonly spec: Json };
  const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const versions = ["v1", "v2"].map((name) => ({
    name,
    served: true,
    storage: name === "v1",
    schema: { openAPIV3Schema },
  }));
  return { ...definition, spec: { ...definition.spec, conversion, versions } };
}

function objectText(version: string, name: string, levels: number): string {
  const head = { apiVersion: `${GROUP}/${version}`, kind: "Device", metadata: { name } };
  return `${JSON.stringify(head).slice(0, -1)},"spec":${nested(levels)}}`;
}

function nested(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
}

function outcomeOf(answer: Answer): string {
  const { message, reason, spec } = objectOf(answer);
  return answer.status < 300
    ? `${String(answer.status)}, ${String(depthOf(spec))} levels`
    : `${String(answer.status)} ${String(reason)}: ${shortened(String(message))}`;
}

function shortened(message: string): string {
  return message.replaceAll(/(?:\{\\*"a\\*":){3,}.*/gu, "<levels>");
}

function depthOf(value: unknown): number {
  let depth = 0;
  for (let each = value; typeof each === "object" && each !== null; each = (each as Json)["a"]) depth += 1;
  return depth;
}
