import { objectOf, type Json, type Row, type RowContext } from "../row.ts";
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
