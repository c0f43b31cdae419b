import { configMap, pathOf, widget } from "../kinds.ts";
import { objectOf, type Answer, type Json, type Row, type RowContext } from "../row.ts";

const MERGE = "application/merge-patch+json";
const JSON_PATCH = "application/json-patch+json";

/** Rows about the patched objects that messages quote. */
export const QUOTED_OBJECT_ROWS: readonly Row[] = [
  {
    row: 752,
    title: "a message quotes metadata in the order of its type where a patch leaves it alone",
    run: runPatches,
  },
];

const WRONG = [{ op: "replace", path: "/data", value: "x" }];
const OWNER = { uid: "u", name: "o", kind: "K", apiVersion: "example.com/v1" };

/** Patches after which an object cannot be decoded. */
const PATCHES: Readonly<Record<string, unknown>> = {
  "data alone": { data: "x" },
  "data and a label": { data: "x", metadata: { labels: { b: "1" } } },
  "data and no label": { data: "x", metadata: { labels: null } },
  "data and empty metadata": { data: "x", metadata: {} },
  "data and owners": { data: "x", metadata: { ownerReferences: [OWNER] } },
  "data by an operation": WRONG,
  "a label by an operation": [...WRONG, { op: "add", path: "/metadata/labels/b", value: "1" }],
  "a test of the name": [{ op: "test", path: "/metadata/name", value: "quoted" }, ...WRONG],
  "a test of the kind": [{ op: "test", path: "/kind", value: "ConfigMap" }, ...WRONG],
  "a test of the metadata": [{ op: "test", path: "/metadata/labels", value: { z: "1", a: "2" } }, ...WRONG],
  "a change of an owner": [...WRONG, { op: "replace", path: "/metadata/ownerReferences/0/name", value: "p" }],
  "a copy of an owner": [
    ...WRONG,
    { op: "copy", from: "/metadata/ownerReferences/0", path: "/metadata/ownerReferences/-" },
  ],
  "a test of an owner": [{ op: "test", path: "/metadata/ownerReferences/0/kind", value: "K" }, ...WRONG],
};

async function runPatches({ namespace, quietly, note }: RowContext): Promise<void> {
  const metadata = {
    labels: { z: "1", a: "2" },
    annotations: { b: "1" },
    finalizers: ["example.com/x"],
    // Of a kind that does not exist, so that it is not found to be gone.
    ownerReferences: [{ ...OWNER, controller: true }],
  };
  for (const [plural, body] of Object.entries({
    configmaps: configMap("quoted", { k: "v" }, metadata),
    widgets: widget("quoted", { size: 1 }, metadata),
  })) {
    await quietly({ method: "POST", path: pathOf(plural, namespace), body });
    for (const [name, patch] of Object.entries(PATCHES)) {
      const text = JSON.stringify(patch);
      const call = {
        method: "PATCH",
        path: `${pathOf(plural, namespace, "quoted")}?fieldValidation=Strict&dryRun=All`,
        text: plural === "widgets" ? text.replaceAll(/"(\/?)data"/gu, '"$1other"') : text,
        contentType: Array.isArray(patch) ? JSON_PATCH : MERGE,
      } as const;
      note(`${plural}: ${name}`, orderOf(await quietly(call)));
    }
    const removal = [{ op: "remove", path: "/metadata/finalizers" }];
    const one = pathOf(plural, namespace, "quoted");
    await quietly({ method: "PATCH", path: one, body: removal, contentType: JSON_PATCH });
  }
}

// The names of members, and of those of metadata and of the first items of its lists, in their order.
function orderOf(answer: Answer): unknown {
  const message = String(objectOf(answer)["message"]);
  const quoted = /Invalid value: ("\{(?:[^"\\]|\\.)*\}")/u.exec(message)?.[1];
  if (quoted === undefined) return `${String(answer.status)} ${message}`;
  const object = JSON.parse(JSON.parse(quoted) as string) as Json & { readonly metadata: Json };
  const { metadata } = object;
  const lists = ["ownerReferences", "managedFields"].map((name) =>
    ((metadata[name] ?? []) as readonly Json[]).map((item) => Object.keys(item).join()),
  );
  return [Object.keys(object).join(), Object.keys(metadata).join(), ...lists];
}
