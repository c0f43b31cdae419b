import { configMap, pathOf } from "../kinds.ts";
import { type Json, type Row, type RowContext } from "../row.ts";
import { outcomeOf } from "./webhook-answers.ts";

const CLASSES = "/apis/node.k8s.io/v1/runtimeclasses";
const MERGE = "application/merge-patch+json";

/** Rows about fields that must not change, and empty maps and lists that count as stated. */
export const IMMUTABLE_FIELDS_ROWS: readonly Row[] = [
  {
    row: 753,
    title: "empty maps and lists that a request states, and invalid names of handlers that must not change",
    run: async (context) => {
      await changeSecrets(context);
      await changeConfigMaps(context);
      await changeHandlers(context);
      await createSlices(context);
    },
  },
];

const EMPTY_MAPS: Readonly<Record<string, Json>> = {
  nothing: {},
  "empty data": { data: {} },
  "null data": { data: null },
  "empty texts": { stringData: {} },
  "empty bytes": { binaryData: {} },
};

async function changeSecrets(context: RowContext): Promise<void> {
  for (const [name, data] of Object.entries({ bare: {}, filled: { data: { a: "eA==" } } })) {
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name }, immutable: true, ...data };
    await changeMaps(context, "secrets", secret);
  }
}

async function changeConfigMaps(context: RowContext): Promise<void> {
  for (const [name, data] of Object.entries({
    bare: {},
    filled: { data: { a: "x" } },
    bytes: { binaryData: { a: "eA==" } },
  })) {
    const { data: _data, ...bare } = configMap(name);
    await changeMaps(context, "configmaps", { ...bare, immutable: true, ...data });
  }
}

async function changeMaps({ namespace, quietly, note }: RowContext, plural: string, object: Json): Promise<void> {
  const { name } = object["metadata"] as { readonly name: string };
  await quietly({ method: "POST", path: pathOf(plural, namespace), body: object });
  const path = `${pathOf(plural, namespace, name)}?dryRun=All`;
  for (const [title, body] of Object.entries(EMPTY_MAPS)) {
    const patched = await quietly({ method: "PATCH", path, body, contentType: MERGE });
    note(`patch ${plural} ${name}: ${title}`, outcomeOf(patched));
    const replaced = await quietly({ method: "PUT", path, body: { ...object, ...body } });
    note(`replace ${plural} ${name}: ${title}`, outcomeOf(replaced));
  }
}

async function changeHandlers({ namespace, quietly, note, cleanUp }: RowContext): Promise<void> {
  const path = `${CLASSES}/${namespace}`;
  cleanUp(() => quietly({ method: "DELETE", path }));
  const body = { apiVersion: "node.k8s.io/v1", kind: "RuntimeClass", metadata: { name: namespace }, handler: "a" };
  await quietly({ method: "POST", path: CLASSES, body });
  for (const handler of ["b", "", "Not Valid", "x".repeat(64)]) {
    const created = { ...body, metadata: { name: `${namespace}-new` }, handler };
    note(
      `create: ${handler}`,
      outcomeOf(await quietly({ method: "POST", path: `${CLASSES}?dryRun=All`, body: created })),
    );
    const change = { method: "PATCH", path: `${path}?dryRun=All`, body: { handler }, contentType: MERGE } as const;
    note(`update: ${handler}`, outcomeOf(await quietly(change)));
  }
}

const SLICES = "/apis/resource.k8s.io/v1/resourceslices";

async function createSlices({ namespace, quietly, note }: RowContext): Promise<void> {
  const path = `${SLICES}?dryRun=All`;
  const device = { name: "a" };
  const parts = {
    neither: {},
    devices: { devices: [device] },
    "devices and no counters": { devices: [device], sharedCounters: [] },
    "no devices and no counters": { devices: [], sharedCounters: [] },
  };
  for (const [title, part] of Object.entries(parts)) {
    const pool = { name: "p", generation: 1, resourceSliceCount: 1 };
    const spec = { driver: "gpu.example.com", nodeName: "n", pool, ...part };
    const body = { apiVersion: "resource.k8s.io/v1", kind: "ResourceSlice", metadata: { name: namespace }, spec };
    note(`create a slice: ${title}`, outcomeOf(await quietly({ method: "POST", path, body })));
  }
}
