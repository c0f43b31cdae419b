import { baseObjects, NAMESPACE } from "../../validation/base-objects.ts";
import { objectOf, type Answer, type Json, type Row, type RowContext } from "../row.ts";

const MERGE = "application/merge-patch+json";
const CHANGES: Readonly<Record<string, Json>> = {
  labels: { labels: { "not valid": "x" } },
  finalizers: { finalizers: ["not valid", "plain"] },
  "a generated name": { generateName: "Not Valid-" },
};

// Their names have a rule of their own.
const OWN_NAMES: ReadonlySet<string> = new Set(["IPAddress.networking.k8s.io"]);

/** Rows about invalid metadata in writes of all built-in kinds: how often each error is a cause, and in which order. */
export const CHANGED_METADATA_ROWS: readonly Row[] = [
  { row: 740, title: "causes of invalid metadata in writes of every built-in kind", run: runKinds },
];

async function runKinds({ namespace, quietly, note }: RowContext): Promise<void> {
  const seen = new Set<string>();
  for (const base of baseObjects()) {
    if (seen.has(base.kind)) continue;
    seen.add(base.kind);
    const folder = base.path.replace(`/namespaces/${NAMESPACE}`, `/namespaces/${namespace}`);
    const name = base.isNameFree && !OWN_NAMES.has(base.kind) ? "changed-metadata" : undefined;
    const object = inNamespace(base.object, namespace, name);
    const created = await quietly({ method: "POST", path: folder, body: object });
    const named = String((objectOf(created)["metadata"] as Json | undefined)?.["name"]);
    if (created.status > 201) note(`create ${base.kind}`, objectOf(created)["message"]);
    const { name: _name, ...unnamed } = object["metadata"] as Json;
    const generated = { ...object, metadata: { ...unnamed, generateName: "Not Valid-" } };
    const refused = await quietly({ method: "POST", path: `${folder}?dryRun=All`, body: generated });
    note(`create ${base.kind}: a generated name`, fieldsOf(refused));
    for (const endpoint of base.hasStatus ? ["", "/status"] : [""]) {
      for (const [change, metadata] of Object.entries(CHANGES)) {
        const path = `${folder}/${named}${endpoint}?dryRun=All`;
        const answer = await quietly({ method: "PATCH", path, contentType: MERGE, body: { metadata } });
        note(`${base.kind}${endpoint}: ${change}`, causesOf(answer));
      }
    }
    await quietly({ method: "DELETE", path: `${folder}/${named}?gracePeriodSeconds=0` });
  }
}

function inNamespace(object: Json, namespace: string, name: string | undefined): Json {
  const moved = JSON.parse(JSON.stringify(object).replaceAll(`"${NAMESPACE}"`, `"${namespace}"`)) as Json;
  return { ...moved, metadata: { ...(moved["metadata"] as Json), ...(name === undefined ? {} : { name }) } };
}

function fieldsOf(answer: Answer): readonly unknown[] {
  const { details } = objectOf(answer) as { readonly details?: Json };
  return ((details?.["causes"] ?? []) as readonly Json[]).map(({ field }) => field);
}

function causesOf(answer: Answer): unknown {
  const { details } = objectOf(answer) as { readonly details?: Json };
  const causes = (details?.["causes"] ?? []) as readonly Json[];
  const texts = causes.map(({ field, message }) => `${String(field)}: ${String(message).slice(0, 48)}`);
  return answer.status === 200 ? "accepted" : texts;
}
