import type { Answer, Json, Row, RowContext } from "../row.ts";
import { objectOf } from "../row.ts";
import { wrongConversions } from "./conversion-corpus.ts";
import { changedMetadata, device, installConverted, type WrongAnswer } from "./converted-devices.ts";
import { outcomeOf } from "./webhook-answers.ts";

const MERGE = "application/merge-patch+json";

/** Rows about all answers that conversion webhooks may give. */
export const CONVERSION_ANSWER_ROWS: readonly Row[] = [
  {
    row: 708,
    title: "what a conversion webhook may answer",
    run: async (context) => await runAnswers(context, "v1"),
  },
  {
    row: 709,
    title: "what a conversion webhook of an older review may answer",
    run: async (context) => await runAnswers(context, "v1beta1"),
  },
  { row: 710, title: "metadata that a conversion webhook makes invalid fails every request", run: runRequests },
];

async function runAnswers(context: RowContext, reviewVersion: string): Promise<void> {
  const { quietly, note } = context;
  const group = `row${context.namespace.slice(4)}.example.com`;
  let url = "";
  const answers = wrongConversions({ group, reviewVersion, url: () => url });
  const installed = await installConverted(context, group, { answers, reviewVersions: [reviewVersion] });
  ({ url } = installed);
  const { path } = installed;
  for (const name of Object.keys(answers)) {
    await quietly({ method: "POST", path: path("v1"), body: device(group, "v1", name) });
    note(`read: ${name}`, shortened(await quietly({ path: path("v2", name) })));
    await quietly({ method: "DELETE", path: path("v1", name) });
    const create = { method: "POST", path: `${path("v2")}?dryRun=All`, body: device(group, "v2", name) } as const;
    note(`write: ${name}`, shortened(await quietly(create)));
  }
}

function shortened(answer: Answer): string {
  return outcomeOf(answer).replace(/x{100,}/gu, (text) => `<${String(text.length)} times x>`);
}

const INVALID: Json = { labels: { "not valid": "x" } };

async function runRequests(context: RowContext): Promise<void> {
  const { quietly, send } = context;
  const group = "row710.example.com";
  const answer: WrongAnswer = (right) => changedMetadata(right, INVALID);
  const { path } = await installConverted(context, group, { answers: { bad: answer, made: answer } });
  await quietly({ method: "POST", path: path("v1"), body: device(group, "v1", "bad") });
  const one = path("v2", "bad");
  const { resourceVersion } = objectOf(await quietly({ path: path("v1", "bad") })).metadata;
  const changed = { ...device(group, "v2", "bad"), metadata: { name: "bad", resourceVersion } };
  const patch = (step: string, body: unknown, contentType: string, subresource = ""): Promise<unknown> =>
    send(step, { method: "PATCH", path: `${one}${subresource}`, body, contentType });
  await send("read", { path: one });
  await send("create", { method: "POST", path: path("v2"), body: device(group, "v2", "made") });
  await send("update", { method: "PUT", path: one, body: changed });
  await patch("merge patch", { spec: { extra: "own" } }, MERGE);
  await patch("JSON patch", [{ op: "add", path: "/spec/extra", value: "own" }], "application/json-patch+json");
  const applied = { apiVersion: `${group}/v2`, kind: "Device", metadata: { name: "bad" }, spec: { extra: "own" } };
  await patch("apply", applied, "application/apply-patch+yaml", "?fieldManager=row");
  await patch("status", { status: { ready: true } }, MERGE, "/status");
  await send("read of the scale", { path: `${one}/scale` });
  await patch("scale", { spec: { replicas: 2 } }, MERGE, "/scale");
  await send("delete", { method: "DELETE", path: one });
  await send("dry run", { method: "POST", path: `${path("v2")}?dryRun=All`, body: device(group, "v2", "made") });
  await send("list", { path: `${path("v2")}?limit=10` });
  await send("the stored version", { path: path("v1", "bad") });
}
