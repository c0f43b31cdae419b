import { configMap, pathOf } from "../kinds.ts";
import { objectOf, type Json, type Row, type RowContext } from "../row.ts";

const ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

/** Rows about owners in other namespaces. */
export const FOREIGN_OWNER_ROWS: readonly Row[] = [
  {
    row: 716,
    title: "an event reports an owner in another namespace, and its dependent is deleted",
    needs: ["controllers"],
    run: async (context) => {
      const { namespace, quietly, note, eventually, cleanUp } = context;
      const ownerPath = pathOf("configmaps", "default", "row716-owner");
      cleanUp(() => quietly({ method: "DELETE", path: ownerPath }));
      await quietly({ method: "POST", path: pathOf("configmaps", "default"), body: configMap("row716-owner") });
      const { uid } = objectOf(await eventually({ path: ownerPath }, ({ status }) => status === 200)).metadata;
      const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "row716-owner", uid }];
      const body = configMap("child", {}, { ownerReferences });
      await quietly({ method: "POST", path: pathOf("configmaps", namespace), body });
      note("event", await eventOf(context, namespace, "child"));
      const child = { path: pathOf("configmaps", namespace, "child") };
      note("child", (await eventually(child, ({ status }) => status === 404)).status);
      const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", rules: [] };
      cleanUp(() => quietly({ method: "DELETE", path: `${ROLES}/row716-child` }));
      const metadata = { name: "row716-child", ownerReferences };
      await quietly({ method: "POST", path: ROLES, body: { ...role, metadata } });
      note("event of a cluster role", await eventOf(context, "default", "row716-child"));
      note("cluster role", (await quietly({ path: `${ROLES}/row716-child` })).status);
    },
  },
];

async function eventOf({ eventually }: RowContext, namespace: string, name: string): Promise<Json | undefined> {
  const path = `${pathOf("events", namespace)}?fieldSelector=involvedObject.name%3D${name}`;
  const found = await eventually({ path }, (answer) => (objectOf(answer).items ?? []).length > 0);
  const { metadata: _metadata, ...event } = objectOf(found).items?.[0] ?? { metadata: {} };
  return event;
}
