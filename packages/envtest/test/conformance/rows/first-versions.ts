import type { FlagRow } from "../flag-row.ts";
import { objectOf, type Json, type KubeObject, type RowContext } from "../row.ts";
import { tokenFlags } from "./new-server.ts";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const MERGE = "application/merge-patch+json";
const EXACT = "resourceVersionMatch=Exact";

/** Rows about the first resource versions of a server, and of a definition. */
export const FIRST_VERSION_ROWS: readonly FlagRow[] = [
  {
    row: 717,
    title: "watches from the first resource version of a new server see all its objects, and lists see none",
    flags: tokenFlags,
    run: seeFirstObjects,
  },
  {
    row: 718,
    title: "watches of custom resources start no earlier than the state of their definition",
    flags: tokenFlags,
    run: seeCustomObjects,
  },
];

const RESOURCES = [
  "/api/v1/namespaces",
  "/api/v1/services",
  "/api/v1/configmaps",
  "/api/v1/secrets",
  "/apis/apps/v1/deployments",
  "/apis/apiregistration.k8s.io/v1/apiservices",
  "/apis/rbac.authorization.k8s.io/v1/clusterroles",
  "/apis/scheduling.k8s.io/v1/priorityclasses",
] as const;

async function seeFirstObjects(tools: RowContext): Promise<void> {
  // The server creates some of its objects after it is ready.
  await tools.eventually({ path: "/api/v1/namespaces/default/services/kubernetes" }, ({ status }) => status === 200);
  await tools.eventually(
    { path: "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/system:node" },
    ({ status }) => status === 200,
  );
  for (const path of RESOURCES) {
    tools.note(`${path} from 1`, await eventsOf(tools, path, "1"));
    const { status, body } = await tools.quietly({ path: `${path}?resourceVersion=1&${EXACT}` });
    const { items, metadata } = body as { readonly items?: readonly unknown[]; readonly metadata?: Json };
    tools.note(`${path} at 1`, { status, items, version: metadata?.["resourceVersion"] });
  }
}

async function seeCustomObjects(tools: RowContext): Promise<void> {
  const { namespace, quietly, eventually, note } = tools;
  const path = `/apis/first.example.com/v1/namespaces/${namespace}/widgets`;
  const before = versionOf(objectOf(await quietly({ path: `/api/v1/namespaces/${namespace}` })));
  const defined = versionOf(objectOf(await quietly({ method: "POST", path: DEFINITIONS, body: DEFINITION })));
  await eventually({ path }, ({ status }) => status === 200);
  const body = { apiVersion: "first.example.com/v1", kind: "Widget", metadata: { name: "a" } };
  const made = await eventually({ method: "POST", path, body }, ({ status }) => status === 201);
  const created = versionOf(objectOf(made));
  const notes = async (state: string): Promise<void> => {
    for (const [name, version] of Object.entries({ "the first version": "1", before, defined })) {
      note(`${state}: watch from ${name}`, await eventsOf(tools, path, version));
      note(
        `${state}: list at ${name}`,
        (await quietly({ path: `${path}?resourceVersion=${version}&${EXACT}` })).status,
      );
    }
  };
  await notes("established");
  note("established: watch from the object", await eventsOf(tools, path, created));
  const columns = [{ op: "add", path: "/spec/versions/0/additionalPrinterColumns", value: [COLUMN] }];
  const patch = {
    method: "PATCH",
    path: `${DEFINITIONS}/${NAME}`,
    contentType: "application/json-patch+json",
  } as const;
  const changed = versionOf(objectOf(await quietly({ ...patch, body: columns })));
  await eventually({ path: `${path}?watch=true&timeoutSeconds=1&resourceVersion=${created}` }, ({ body: answer }) =>
    JSON.stringify(answer).includes("ERROR"),
  );
  await notes("changed");
  note("changed: watch from the object", await eventsOf(tools, path, created));
  note("changed: watch from the change", await eventsOf(tools, path, changed));
  const labels = { metadata: { labels: { a: "b" } } };
  const labeled = { ...patch, body: labels, contentType: MERGE };
  await quietly(labeled);
  note("labeled: watch from the change", await eventsOf(tools, path, changed));
}

// Without what differs from server to server; their order is that of the start.
async function eventsOf({ watch }: RowContext, path: string, version: string): Promise<readonly string[]> {
  const stream = await watch(`${path}?watch=true&timeoutSeconds=1&resourceVersion=${version}`);
  const { events } = await stream.drain();
  return events
    .map(({ type, object }) => {
      const { metadata, reason, code } = object as KubeObject;
      return type === "ERROR" ? `${type} ${String(code)} ${String(reason)}` : `${type} ${metadata.name}`;
    })
    .toSorted();
}

function versionOf({ metadata }: KubeObject): string {
  return metadata.resourceVersion;
}

const NAME = "widgets.first.example.com";
const COLUMN = { name: "Size", type: "integer", jsonPath: ".spec.size" };
const DEFINITION = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: NAME },
  spec: {
    group: "first.example.com",
    names: { kind: "Widget", plural: "widgets" },
    scope: "Namespaced",
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};
