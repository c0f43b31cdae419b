import { objectOf, type Json, type KubeObject, type Row, type RowContext } from "../row.ts";
import { MERGE } from "./job-steps.ts";

export const DELETE_VERSION_ROWS: readonly Row[] = [
  {
    row: 498,
    title: "a delete with a precondition that removes the last finalizer is refused",
    run: async (context) => {
      const { namespace } = context;
      for (const [kind, collection, content] of [
        ["ConfigMap", `/api/v1/namespaces/${namespace}/configmaps`, {}],
        ["ServiceAccount", `/api/v1/namespaces/${namespace}/serviceaccounts`, {}],
        [
          "Pod",
          `/api/v1/namespaces/${namespace}/pods`,
          { spec: { schedulerName: "none", containers: [{ name: "main", image: "main:1" }] } },
        ],
      ] as const) {
        for (const [title, finalizers, options] of DELETES) {
          await deleteWithVersion(context, { title: `${kind}: ${title}`, collection, content, finalizers, options });
        }
      }
    },
  },
  {
    row: 562,
    title: "a watch sees each mark of a pod that is deleted, and its removal after that",
    run: async (context) => {
      for (const [title, nodeName, deletes] of [
        ["without a node", undefined, [undefined]],
        ["without a node, at once", undefined, [0]],
        ["with a node, at once", "absent", [0]],
        ["with a node, at once after a while", "absent", [undefined, 0]],
        ["with a node, earlier, and at once", "absent", [undefined, 5, 5, 0]],
      ] as const)
        await watchDeletes(context, { title, ...(nodeName === undefined ? {} : { nodeName }), deletes });
    },
  },
];

const DELETES = [
  ["orphan, in the background", ["orphan"], { propagationPolicy: "Background" }],
  ["foreground, in the background", ["foregroundDeletion"], { propagationPolicy: "Background" }],
  ["another finalizer, in the background", ["example.com/a", "orphan"], { propagationPolicy: "Background" }],
  ["no finalizer", [], { propagationPolicy: "Background" }],
  ["orphan, a dry run", ["orphan"], { propagationPolicy: "Background", dryRun: ["All"] }],
  ["no finalizer, a dry run", [], { propagationPolicy: "Background", dryRun: ["All"] }],
] as const;

interface VersionedDelete {
  readonly title: string;
  readonly collection: string;
  readonly content: object;
  readonly finalizers: readonly string[];
  readonly options: object;
}

async function deleteWithVersion(context: RowContext, item: VersionedDelete): Promise<void> {
  const { title, collection, content, finalizers, options } = item;
  const { quietly, note } = context;
  const place = `${collection}/a`;
  for (const precondition of ["resourceVersion", "uid"] as const) {
    await quietly({ method: "POST", path: collection, body: { ...content, metadata: { name: "a", finalizers } } });
    const { metadata } = objectOf(await quietly({ path: place }));
    const preconditions = { [precondition]: metadata[precondition] };
    const answer = await quietly({ method: "DELETE", path: place, body: { ...options, preconditions } });
    const after = objectOf(await quietly({ path: place }));
    const body = objectOf(answer);
    const { message = "" } = body as { readonly message?: string };
    note(`${title}, with its ${precondition}`, {
      code: answer.status,
      kind: body.kind,
      message: message.replaceAll(metadata.resourceVersion, "<rv>"),
      name: (body.metadata as Json | undefined)?.["name"],
      isLeft: after.kind !== "Status",
      finalizers: after.kind === "Status" ? [] : after.metadata["finalizers"],
    });
    await quietly({ method: "PATCH", path: place, body: { metadata: { finalizers: null } }, contentType: MERGE });
    await quietly({ method: "DELETE", path: place, body: { gracePeriodSeconds: 0, propagationPolicy: "Background" } });
  }
}

interface WatchedDeletes {
  readonly title: string;
  readonly nodeName?: string;
  /** The grace periods of the deletes in seconds, undefined for that of the pod. */
  readonly deletes: readonly (number | undefined)[];
}

async function watchDeletes(context: RowContext, { title, nodeName, deletes }: WatchedDeletes): Promise<void> {
  const collection = `/api/v1/namespaces/${context.namespace}/pods`;
  const name = title.replaceAll(/[, ]+/gu, "-");
  const spec = {
    schedulerName: "none",
    ...(nodeName === undefined ? {} : { nodeName }),
    containers: [{ name: "main", image: "main:1" }],
  };
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name }, spec };
  await context.quietly({ method: "POST", path: collection, body: pod });
  const stream = await context.watch(`${collection}?watch=true&fieldSelector=metadata.name%3D${name}`);
  for (const gracePeriodSeconds of deletes) {
    const body = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds };
    await context.quietly({ method: "DELETE", path: `${collection}/${name}`, body });
  }
  const seen: Json[] = [];
  while (seen.at(-1)?.["type"] !== "DELETED") {
    const [event] = await stream.take(1);
    if (event === undefined) break;
    const { metadata } = event.object as KubeObject;
    seen.push({ type: event.type, graceSeconds: metadata["deletionGracePeriodSeconds"] ?? null });
  }
  await stream.close();
  context.note(title, seen);
}
