import type { FlagRow } from "../flag-row.ts";
import { configMap, pathOf } from "../kinds.ts";
import { objectOf, type Call, type Json, type RowContext } from "../row.ts";

const RBAC = "/apis/rbac.authorization.k8s.io/v1";

export const OWNER_REFERENCE_ROWS: readonly FlagRow[] = [
  {
    row: 412,
    title: "OwnerReferencesPermissionEnforcement requires rights for owners, and for those whose deletion is blocked",
    flags: async () => await Promise.resolve(["--enable-admission-plugins=OwnerReferencesPermissionEnforcement"]),
    run: async (tools) => {
      const { namespace, quietly, note } = tools;
      const configMaps = pathOf("configmaps", namespace);
      await prepare(tools);
      const { metadata } = objectOf(await quietly({ path: `${configMaps}/owner` }));
      const owner = { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: metadata.uid };
      const blocking = { ...owner, blockOwnerDeletion: true };
      const create = (name: string, ...ownerReferences: readonly Json[]): Call => ({
        method: "POST",
        path: `${configMaps}?dryRun=All`,
        body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ownerReferences } },
      });
      const patch = (...ownerReferences: readonly Json[]): Call => ({
        method: "PATCH",
        path: `${configMaps}/owned?dryRun=All`,
        contentType: "application/merge-patch+json",
        body: { metadata: { ownerReferences, labels: { changed: "yes" } } },
      });
      const calls: Readonly<Record<string, Call>> = {
        "create with an owner": create("a", owner),
        "create with an owner that is blocked": create("a", blocking),
        "create with an owner of an unknown kind": create("a", {
          ...blocking,
          apiVersion: "example.com/v1",
          kind: "Thing",
        }),
        "create with a cluster-scoped owner": create("a", { ...blocking, kind: "Node", name: "n" }),
        "update without a change of owners": patch({ ...owner, uid: "old" }),
        "update of owners": patch(owner),
        "update that blocks": patch({ ...owner, uid: "old", blockOwnerDeletion: true }),
      };
      for (const user of ["creator", "deleter", "finalizer", "anything"]) {
        for (const [step, call] of Object.entries(calls)) {
          const answer = await quietly({ ...call, headers: { "impersonate-user": user } });
          const { message, reason, code } = answer.body as Readonly<Record<string, unknown>>;
          note(`${user}: ${step}`, {
            status: answer.status,
            ...(answer.status < 400 ? {} : { message, reason, code }),
          });
        }
      }
    },
  },
];

async function prepare({ namespace, quietly, eventually }: RowContext): Promise<void> {
  const configMaps = pathOf("configmaps", namespace);
  await quietly({ method: "POST", path: configMaps, body: configMap("owner") });
  const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "gone", uid: "old" }];
  await quietly({
    method: "POST",
    path: configMaps,
    body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "owned", ownerReferences } },
  });
  const write = { apiGroups: [""], resources: ["configmaps"], verbs: ["create", "patch", "get"] };
  const remove = { apiGroups: [""], resources: ["configmaps"], verbs: ["delete"] };
  const finalize = { apiGroups: [""], resources: ["configmaps/finalizers"], verbs: ["update"] };
  const finalizeAnything = { apiGroups: ["*"], resources: ["*/finalizers"], verbs: ["update"] };
  const roles: Readonly<Record<string, readonly Json[]>> = {
    creator: [write],
    deleter: [write, remove],
    finalizer: [write, remove, finalize],
    anything: [write, remove, finalizeAnything],
  };
  const apiGroup = "rbac.authorization.k8s.io";
  for (const [name, rules] of Object.entries(roles)) {
    await quietly({
      method: "POST",
      path: `${RBAC}/clusterroles`,
      body: { metadata: { name: `row-412-${name}` }, rules },
    });
    const body = {
      metadata: { name: `row-412-${name}` },
      roleRef: { apiGroup, kind: "ClusterRole", name: `row-412-${name}` },
      subjects: [{ apiGroup, kind: "User", name }],
    };
    await quietly({ method: "POST", path: `${RBAC}/clusterrolebindings`, body });
    await eventually(
      { path: `${configMaps}/owner`, headers: { "impersonate-user": name } },
      ({ status }) => status === 200,
    );
  }
}
