import { gadget, pathOf } from "../kinds.ts";
import { objectOf, type Answer, type Json, type Row, type RowContext } from "../row.ts";

const APPLY = "application/apply-patch+yaml";
const MERGE = "application/merge-patch+json";

/** A field of the metadata, as one manager states it, and as another one takes it over. */
interface Field {
  readonly theirs: unknown;
  readonly applied: unknown;
}

const FIELDS: Readonly<Record<string, Field>> = {
  labels: { theirs: { tier: "x" }, applied: { tier: "y" } },
  annotations: { theirs: { tier: "x" }, applied: { tier: "y" } },
  finalizers: { theirs: ["example.com/x"], applied: ["example.com/y"] },
};

const EMPTY_METADATA: readonly Json[] = [
  {},
  { labels: {} },
  { labels: null },
  { annotations: {}, ownerReferences: [] },
  { finalizers: [] },
  { finalizers: null },
];

/** A write that changes nothing. */
type Write = (context: RowContext, path: string, name: string) => Promise<Answer>;

const WRITES: Readonly<Record<string, Write>> = {
  "patch with the same": async (context, path) => await patch(context, `${path}?fieldManager=theirs`, gadget("").spec),
  "patch of another manager": async (context, path) => await patch(context, `${path}?fieldManager=other`, {}),
  update: async (context, path) => {
    const { body } = await context.quietly({ path });
    return await context.quietly({ method: "PUT", path: `${path}?fieldManager=theirs`, body });
  },
  apply: async (context, path, name) => await apply(context, path, gadget(name)),
  "apply of another manager": async (context, path, name) => {
    const body = { ...gadget(name), spec: {} };
    return await context.quietly({ method: "PATCH", path: `${path}?fieldManager=other`, contentType: APPLY, body });
  },
};

/** Rows about fields of the metadata of a custom resource that an apply leaves empty: readers do not see that they are stored. */
export const EMPTIED_METADATA_ROWS: readonly Row[] = [
  {
    row: 542,
    title: "a write that changes nothing drops the empty metadata that an apply has left in a custom resource",
    run: async (context) => {
      const owners = { theirs: [await owner(context, "x")], applied: [await owner(context, "y")] };
      for (const [field, parts] of Object.entries({ ...FIELDS, ownerReferences: owners })) {
        for (const [write, run] of Object.entries(WRITES)) await afterTaken(context, { field, parts, write, run });
        await afterStatedEmpty(context, field, Array.isArray(parts.theirs) ? [] : {});
        await afterStatedEmpty(context, field, null);
      }
      await whileDeleted(context, "labels");
      await whileDeleted(context, "annotations");
      await throughStatus(context);
      for (const metadata of EMPTY_METADATA) await whileRemoved(context, metadata);
    },
  },
];

// The other manager still owns the field as a whole when its last element goes.
async function afterTaken(
  context: RowContext,
  {
    field,
    parts,
    write,
    run,
  }: { readonly field: string; readonly parts: Field; readonly write: string; readonly run: Write },
): Promise<void> {
  const name = `${field.toLowerCase()}-${write.replaceAll(" ", "-")}`;
  const collection = pathOf("gadgets", context.namespace);
  const path = `${collection}/${name}`;
  await context.quietly({
    method: "POST",
    path: `${collection}?fieldManager=theirs`,
    body: stated(name, field, parts.theirs),
  });
  await apply(context, path, stated(name, field, parts.applied));
  const applied = await apply(context, path, gadget(name));
  const first = await run(context, path, name);
  const second = await run(context, path, name);
  context.note(`${field}: ${write}`, {
    field: fieldOf(applied, field),
    writes: [isNew(applied, first), isNew(first, second)],
  });
}

// What an apply removes by its last finalizer is shown as the apply has left it.
async function whileRemoved(context: RowContext, metadata: Json): Promise<void> {
  const name = "removed";
  const path = `${pathOf("gadgets", context.namespace)}/${name}`;
  await apply(context, path, stated(name, "finalizers", ["example.com/hold"]));
  await context.quietly({ method: "DELETE", path });
  for (const query of ["&dryRun=All", ""]) {
    const { status, body } = await apply(context, path, { ...gadget(name), metadata: { name, ...metadata } }, query);
    const { labels, annotations, ownerReferences, finalizers } = (body as { readonly metadata: Json }).metadata;
    context.note(`removed by ${JSON.stringify(metadata)}${query}`, {
      status,
      metadata: JSON.stringify({ labels, annotations, ownerReferences, finalizers }),
    });
  }
}

// An apply of the status changes the owners of metadata alone.
async function throughStatus(context: RowContext): Promise<void> {
  const collection = pathOf("widgets", context.namespace);
  const path = `${collection}/status`;
  const widget = (metadata: Json): Json => ({
    apiVersion: "conformance.example.com/v1",
    kind: "Widget",
    metadata: { name: "status", ...metadata },
    spec: { size: 1 },
  });
  const body = widget({ labels: FIELDS["labels"]?.theirs });
  await context.quietly({ method: "POST", path: `${collection}?fieldManager=theirs`, body });
  await apply(context, `${path}/status`, widget({ labels: FIELDS["labels"]?.applied }));
  const applied = await apply(context, `${path}/status`, widget({}));
  const first = await context.quietly({ method: "PATCH", path: `${path}/status`, contentType: MERGE, body: {} });
  const second = await context.quietly({ method: "PATCH", path, contentType: MERGE, body: {} });
  context.note("labels: status", {
    field: fieldOf(applied, "labels"),
    writes: [isNew(applied, first), isNew(first, second)],
  });
}

// A further delete is a write that changes nothing, too.
async function whileDeleted(context: RowContext, field: "labels" | "annotations"): Promise<void> {
  const name = `${field}-deleted`;
  const collection = pathOf("gadgets", context.namespace);
  const path = `${collection}/${name}`;
  const metadata = { name, finalizers: ["example.com/hold"], [field]: FIELDS[field]?.theirs };
  await context.quietly({
    method: "POST",
    path: `${collection}?fieldManager=theirs`,
    body: { ...gadget(name), metadata },
  });
  await context.quietly({ method: "DELETE", path });
  await apply(context, path, stated(name, field, FIELDS[field]?.applied));
  const applied = await apply(context, path, gadget(name));
  const first = await context.quietly({ method: "DELETE", path });
  const second = await context.quietly({ method: "DELETE", path });
  context.note(`${field}: delete`, [isNew(applied, first), isNew(first, second)]);
  const body = { metadata: { finalizers: null } };
  await context.quietly({ method: "PATCH", path, contentType: MERGE, body });
}

// The same apply a second time is written if the server's cache has the first one by then.
async function afterStatedEmpty(context: RowContext, field: string, empty: unknown): Promise<void> {
  const kind = empty === null ? "null" : "empty";
  const name = `${field.toLowerCase()}-${kind}`;
  const path = `${pathOf("gadgets", context.namespace)}/${name}`;
  const created = await apply(context, path, gadget(name));
  const answers = [created];
  for (const body of [stated(name, field, empty), gadget(name), gadget(name)])
    answers.push(await apply(context, path, body));
  const writes = answers.slice(1).map((answer, index) => isNew(answers[index] ?? created, answer));
  context.note(`${field}: applied ${kind}`, { field: fieldOf(answers[1] ?? created, field), writes });
}

async function apply(context: RowContext, path: string, body: Json, query = ""): Promise<Answer> {
  const place = `${path}?fieldManager=applier&force=true${query}`;
  return await context.quietly({ method: "PATCH", path: place, contentType: APPLY, body });
}

async function patch(context: RowContext, path: string, spec: unknown): Promise<Answer> {
  return await context.quietly({ method: "PATCH", path, contentType: MERGE, body: { spec } });
}

function stated(name: string, field: string, value: unknown): Json {
  return { ...gadget(name), metadata: { name, [field]: value } };
}

function fieldOf(answer: Answer, field: string): unknown {
  return (objectOf(answer).metadata as unknown as Json)[field] ?? "absent";
}

function isNew(before: Answer, after: Answer): boolean | number {
  if (after.status !== 200) return after.status;
  return objectOf(before).metadata.resourceVersion !== objectOf(after).metadata.resourceVersion;
}

async function owner(context: RowContext, name: string): Promise<Json> {
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name } };
  const created = await context.quietly({ method: "POST", path: pathOf("configmaps", context.namespace), body });
  return { apiVersion: "v1", kind: "ConfigMap", name, uid: objectOf(created).metadata.uid };
}
