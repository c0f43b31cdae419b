import { configMap, pathOf, widget } from "../kinds.ts";
import { objectOf, type Json, type KubeObject, type Row, type RowContext } from "../row.ts";
import { conditionOf } from "./install-crd.ts";

const MERGE = "application/merge-patch+json";

export const CONTROLLER_ROWS: readonly Row[] = [
  {
    row: 113,
    title: "the garbage collector deletes what has no owner left and keeps what still has one",
    needs: ["controllers"],
    run: async ({ namespace, quietly, send, note, eventually }) => {
      const create = creator({ namespace, quietly });
      const [one, two] = [await create("owner-one"), await create("owner-two")];
      await create("only", [one]);
      await create("both", [one, two]);
      await create("wrong-uid", [{ ...one, uid: "11111111-1111-4111-8111-111111111111" }]);
      await create(
        "grandchild",
        [objectOf(await quietly({ path: pathOf("configmaps", namespace, "only") }))].map(ownerOf),
      );
      await send("delete the first owner", {
        method: "DELETE",
        path: pathOf("configmaps", namespace, "owner-one"),
        body: { propagationPolicy: "Background" },
      });
      for (const name of ["only", "wrong-uid", "grandchild"]) {
        note(
          `${name} is gone`,
          (await eventually({ path: pathOf("configmaps", namespace, name) }, (answer) => answer.status === 404)).status,
        );
      }
      const both = await eventually(
        { path: pathOf("configmaps", namespace, "both") },
        (answer) => ownersOf(objectOf(answer)).length === 1,
      );
      note(
        "the owner that is left",
        ownersOf(objectOf(both)).map(({ name }) => name),
      );
    },
  },
  {
    row: 114,
    title: "a foreground deletion waits for blocking dependents, an orphaning one frees them",
    needs: ["controllers"],
    run: async ({ namespace, quietly, send, note, eventually }) => {
      const create = creator({ namespace, quietly });
      const path = (name: string): string => pathOf("configmaps", namespace, name);
      const owner = await create("foreground");
      await create("blocking", [{ ...owner, blockOwnerDeletion: true }], ["example.com/hold"]);
      await create("loose", [owner]);
      await send("delete in the foreground", {
        method: "DELETE",
        path: path("foreground"),
        body: { propagationPolicy: "Foreground" },
      });
      await eventually(
        { path: path("blocking") },
        (answer) => objectOf(answer).metadata["deletionTimestamp"] !== undefined,
      );
      note("the owner waits", objectOf(await quietly({ path: path("foreground") })).metadata["finalizers"]);
      await quietly({
        method: "PATCH",
        path: path("blocking"),
        body: { metadata: { finalizers: null } },
        contentType: MERGE,
      });
      for (const name of ["blocking", "foreground", "loose"])
        note(`${name} is gone`, (await eventually({ path: path(name) }, (answer) => answer.status === 404)).status);
      const parent = await create("orphaning");
      await create("child", [parent]);
      await send("delete and orphan", {
        method: "DELETE",
        path: path("orphaning"),
        body: { propagationPolicy: "Orphan" },
      });
      note(
        "the parent is gone",
        (await eventually({ path: path("orphaning") }, (answer) => answer.status === 404)).status,
      );
      await send("the child is free", { path: path("child") });
    },
  },
  {
    row: 560,
    title: "a foreground deletion ends when the last dependent no longer blocks it",
    needs: ["controllers"],
    run: endsWhenUnblocked,
  },
  {
    row: 115,
    title: "a namespace is emptied before it goes, and says what holds it",
    needs: ["controllers"],
    run: async ({ quietly, send, note, eventually, cleanUp }) => {
      const path = "/api/v1/namespaces/row-115-going";
      await quietly({ method: "POST", path: "/api/v1/namespaces", body: namespace("row-115-going") });
      await quietly({ method: "POST", path: pathOf("configmaps", "row-115-going"), body: configMap("free") });
      await quietly({
        method: "POST",
        path: pathOf("widgets", "row-115-going"),
        body: widget("held", {}, { finalizers: ["example.com/hold"] }),
      });
      const release = async (): Promise<unknown> =>
        quietly({
          method: "PATCH",
          path: pathOf("widgets", "row-115-going", "held"),
          body: { metadata: { finalizers: null } },
          contentType: MERGE,
        });
      cleanUp(release);
      await send("delete", { method: "DELETE", path });
      const held = await eventually(
        { path },
        (answer) => conditionOf(objectOf(answer), "NamespaceFinalizersRemaining") === "True",
      );
      note("its status while it is held", sortedStatus(objectOf(held)));
      await send("delete again", { method: "DELETE", path });
      await send("what was free is gone", { path: pathOf("configmaps", "row-115-going", "free") });
      await release();
      note("it is gone", (await eventually({ path }, (answer) => answer.status === 404)).status);
      await send("get", { path });
    },
  },
  {
    row: 116,
    title: "nothing can be created in a namespace that is being deleted",
    run: async ({ quietly, send, note, cleanUp }) => {
      await quietly({ method: "POST", path: "/api/v1/namespaces", body: namespace("row-116-going") });
      await quietly({
        method: "POST",
        path: pathOf("widgets", "row-116-going"),
        body: widget("held", {}, { finalizers: ["example.com/hold"] }),
      });
      await quietly({ method: "DELETE", path: "/api/v1/namespaces/row-116-going" });
      cleanUp(() =>
        quietly({
          method: "PATCH",
          path: pathOf("widgets", "row-116-going", "held"),
          body: { metadata: { finalizers: null } },
          contentType: MERGE,
        }),
      );
      await send("a widget", { method: "POST", path: pathOf("widgets", "row-116-going"), body: widget("w") });
      await send("a configmap", { method: "POST", path: pathOf("configmaps", "row-116-going"), body: configMap("c") });
      // Whether the controller has marked the object by now is a matter of time.
      const updated = await quietly({
        method: "PATCH",
        path: pathOf("widgets", "row-116-going", "held"),
        body: { spec: { size: 2 } },
        contentType: MERGE,
      });
      note("an update still works", [updated.status, objectOf(updated).spec]);
      await send("default cannot be deleted", { method: "DELETE", path: "/api/v1/namespaces/default" });
    },
  },
  {
    row: 117,
    title: "deletecollection deletes what the selector selects, returns it, and respects finalizers",
    run: async ({ namespace, quietly, send, note }) => {
      const path = pathOf("widgets", namespace);
      for (const [name, labels, finalizers] of [
        ["a", { l: "1" }, []],
        ["b", { l: "1" }, ["example.com/hold"]],
        ["c", { l: "2" }, []],
      ] as const) {
        await quietly({ method: "POST", path, body: widget(name, { size: 1 }, { labels, finalizers }) });
      }
      await send("delete with a selector", { method: "DELETE", path: `${path}?labelSelector=l%3D1` });
      await send("what is left", { path });
      await send("delete none", { method: "DELETE", path: `${path}?labelSelector=l%3D9` });
      await send("by name", { method: "DELETE", path: `${path}?fieldSelector=metadata.name%3Dc` });
      note(
        "names left",
        objectOf(await quietly({ path })).items?.map(({ metadata }) => metadata.name),
      );
      await quietly({
        method: "POST",
        path: pathOf("configmaps", namespace),
        body: configMap("x", {}, { labels: { l: "1" } }),
      });
      await send("configmaps", {
        method: "DELETE",
        path: `${pathOf("configmaps", namespace)}?labelSelector=l%3D1`,
        body: { propagationPolicy: "Background" },
      });
      await send("namespaces have none", { method: "DELETE", path: "/api/v1/namespaces?labelSelector=none%3Dsuch" });
      await quietly({
        method: "PATCH",
        path: `${path}/b`,
        body: { metadata: { finalizers: null } },
        contentType: MERGE,
      });
    },
  },
  {
    row: 119,
    title: "of many that write a Lease from the same version exactly one wins",
    run: async ({ namespace, quietly, send, note }) => {
      const path = pathOf("leases", namespace, "leader");
      const lease = {
        apiVersion: "coordination.k8s.io/v1",
        kind: "Lease",
        metadata: { name: "leader" },
        spec: { holderIdentity: "", leaseDurationSeconds: 15, leaseTransitions: 0 },
      };
      const creates = await Promise.all(
        Array.from({ length: 8 }, async () =>
          quietly({ method: "POST", path: pathOf("leases", namespace), body: lease }),
        ),
      );
      note("creates", countBy(creates.map(({ status }) => status)));
      const created = objectOf(await quietly({ path }));
      const updates = await Promise.all(
        Array.from({ length: 8 }, async (_, index) =>
          quietly({
            method: "PUT",
            path,
            body: {
              ...created,
              spec: {
                ...created.spec,
                holderIdentity: `candidate-${String(index)}`,
                renewTime: "2024-01-01T00:00:00.123456Z",
              },
            },
          }),
        ),
      );
      note("updates", countBy(updates.map(({ status }) => status)));
      const winner = updates.find(({ status }) => status === 200);
      note(
        "the winner holds it",
        objectOf(await quietly({ path })).spec?.["holderIdentity"] ===
          (winner && objectOf(winner).spec?.["holderIdentity"]),
      );
      await send("an invalid lease", {
        method: "POST",
        path: pathOf("leases", namespace),
        body: { ...lease, metadata: { name: "bad" }, spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } },
      });
      await send("micro time", {
        method: "POST",
        path: pathOf("leases", namespace),
        body: {
          ...lease,
          metadata: { name: "micro" },
          spec: { acquireTime: "2024-01-01T00:00:00Z", renewTime: "2024-01-01T00:00:00.5Z" },
        },
      });
    },
  },
];

// The dependent has another owner, loses its reference, or its reference no longer blocks.
async function endsWhenUnblocked(context: RowContext): Promise<void> {
  const { namespace, send, quietly, note, eventually } = context;
  const create = creator(context);
  const path = (name: string): string => pathOf("configmaps", namespace, name);
  const other = await create("other");
  for (const reason of ["shared", "released", "unblocked"]) {
    const owner = await create(`${reason}-owner`);
    const blocking = { ...owner, blockOwnerDeletion: true };
    await create(reason, reason === "shared" ? [blocking, other] : [blocking], ["example.com/hold"]);
    const released = { metadata: { finalizers: null } };
    context.cleanUp(
      async () => await quietly({ method: "PATCH", path: path(reason), body: released, contentType: MERGE }),
    );
    const request = {
      method: "DELETE",
      path: path(`${reason}-owner`),
      body: { propagationPolicy: "Foreground" },
    } as const;
    await send(`${reason}: delete the owner`, request);
    const ownerReferences = { released: null, unblocked: [owner] }[reason];
    if (ownerReferences !== undefined) {
      await eventually(
        { path: path(reason) },
        (answer) => objectOf(answer).metadata["deletionTimestamp"] !== undefined,
      );
      const change = { metadata: { ownerReferences } };
      await quietly({ method: "PATCH", path: path(reason), body: change, contentType: MERGE });
    }
    const gone = await eventually({ path: path(`${reason}-owner`) }, (answer) => answer.status === 404);
    note(`${reason}: the owner is gone`, gone.status);
    const left = objectOf(await quietly({ path: path(reason) }));
    note(
      `${reason}: the owners that are left`,
      ownersOf(left).map(({ name }) => name),
    );
    note(`${reason}: it is being deleted`, left.metadata["deletionTimestamp"] !== undefined);
  }
}

interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

function creator({
  namespace,
  quietly,
}: Pick<RowContext, "namespace" | "quietly">): (
  name: string,
  owners?: readonly Json[] | readonly Owner[],
  finalizers?: readonly string[],
) => Promise<Owner> {
  return async (name, ownerReferences = [], finalizers = []) =>
    ownerOf(
      objectOf(
        await quietly({
          method: "POST",
          path: pathOf("configmaps", namespace),
          body: configMap(name, {}, { ownerReferences, finalizers }),
        }),
      ),
    );
}

function ownerOf({ apiVersion, kind, metadata }: KubeObject): Owner {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid };
}

function ownersOf({ metadata }: KubeObject): readonly Owner[] {
  return (metadata?.["ownerReferences"] ?? []) as readonly Owner[];
}

function namespace(name: string): Json {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name } };
}

function sortedStatus({ status }: KubeObject): Json {
  const conditions = [...((status?.["conditions"] ?? []) as { readonly type: string }[])];
  return { ...status, conditions: conditions.sort((a, b) => a.type.localeCompare(b.type)) };
}

function countBy(values: readonly number[]): Readonly<Record<string, number>> {
  return values.reduce<Record<string, number>>(
    (counts, value) => ({ ...counts, [value]: (counts[value] ?? 0) + 1 }),
    {},
  );
}
