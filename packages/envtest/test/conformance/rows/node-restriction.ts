import type { FlagRow } from "../flag-row.ts";
import { pathOf } from "../kinds.ts";
import { objectOf, type Call, type Json, type RowContext } from "../row.ts";

const NODES = "/api/v1/nodes";
const BINDINGS = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";

export const NODE_RESTRICTION_ROWS: readonly FlagRow[] = [
  {
    row: 411,
    title: "NodeRestriction restricts kubelets to their own Node and its Pods",
    flags: async () => await Promise.resolve(["--enable-admission-plugins=NodeRestriction"]),
    run: async (tools) => {
      const { namespace, quietly, send } = tools;
      await prepare(tools);
      const mine = objectOf(await quietly({ path: `${NODES}/mine` }));
      const pods = pathOf("pods", namespace);
      const pod = objectOf(await quietly({ path: `${pods}/mine` }));
      const other = objectOf(await quietly({ path: `${pods}/other` }));
      const as = kubelet("mine");
      const merge = { method: "PATCH", contentType: "application/merge-patch+json" } as const;
      const owner = { apiVersion: "v1", kind: "Node", name: "mine", uid: mine.metadata.uid, controller: true };
      const mirror = (name: string, metadata: Json, spec: Json = {}): Call => ({
        method: "POST",
        path: `${pods}?dryRun=All`,
        body: {
          ...podOf(name, { nodeName: "mine", ...spec }),
          metadata: {
            name,
            annotations: { "kubernetes.io/config.mirror": "x" },
            ownerReferences: [owner],
            ...metadata,
          },
        },
      });
      const token = (spec: Json): Call => ({
        method: "POST",
        path: `${pathOf("serviceaccounts", namespace)}/default/token`,
        body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec },
      });
      const bound = { apiVersion: "v1", kind: "Pod", name: "mine", uid: pod.metadata.uid };
      const calls: Readonly<Record<string, Call>> = {
        "the own node": { ...merge, path: `${NODES}/mine`, body: { metadata: { annotations: { a: "b" } } } },
        "another node": { ...merge, path: `${NODES}/other`, body: { metadata: { annotations: { a: "b" } } } },
        "another node's status": { ...merge, path: `${NODES}/other/status`, body: { status: { phase: "Running" } } },
        taints: { ...merge, path: `${NODES}/mine`, body: { spec: { taints: [{ key: "a", effect: "NoSchedule" }] } } },
        "own labels": {
          ...merge,
          path: `${NODES}/mine`,
          body: { metadata: { labels: { a: "b", "kubernetes.io/os": "linux", "x.node.kubernetes.io/y": "z" } } },
        },
        "restricted labels": {
          ...merge,
          path: `${NODES}/mine`,
          body: {
            metadata: {
              labels: {
                "x.node-restriction.kubernetes.io/a": "b",
                "foo.k8s.io/c": "d",
                "node-role.kubernetes.io/x": "",
              },
            },
          },
        },
        owners: {
          ...merge,
          path: `${NODES}/mine`,
          body: { metadata: { ownerReferences: [{ ...owner, controller: false }] } },
        },
        "a new node": { method: "POST", path: `${NODES}?dryRun=All`, body: nodeOf("new") },
        "delete another node": { method: "DELETE", path: `${NODES}/other?dryRun=All` },
        "a plain pod": { method: "POST", path: `${pods}?dryRun=All`, body: podOf("plain", { nodeName: "mine" }) },
        "a mirror pod": mirror("mirror", {}),
        "a mirror pod of another node": mirror("mirror", {}, { nodeName: "other" }),
        "a mirror pod without an owner": mirror("mirror", { ownerReferences: [] }),
        "a mirror pod of another owner": mirror("mirror", { ownerReferences: [{ ...owner, name: "other" }] }),
        "a mirror pod that is not controlled": mirror("mirror", { ownerReferences: [{ ...owner, controller: false }] }),
        "a mirror pod that blocks": mirror("mirror", { ownerReferences: [{ ...owner, blockOwnerDeletion: true }] }),
        "a mirror pod with a secret": mirror("mirror", {}, { volumes: [{ name: "s", secret: { secretName: "s" } }] }),
        "a mirror pod with a config map": mirror(
          "mirror",
          {},
          { containers: [{ name: "c", image: "i", envFrom: [{ configMapRef: { name: "x" } }] }] },
        ),
        "a mirror pod with a claim": mirror(
          "mirror",
          {},
          { volumes: [{ name: "s", persistentVolumeClaim: { claimName: "s" } }] },
        ),
        "a mirror pod with an account": mirror("mirror", {}, { serviceAccountName: "default" }),
        "patch a pod": { ...merge, path: `${pods}/mine`, body: { metadata: { labels: { a: "b" } } } },
        "the status of a pod": { ...merge, path: `${pods}/mine/status`, body: { status: { phase: "Running" } } },
        "the status of another pod": { ...merge, path: `${pods}/other/status`, body: { status: { phase: "Running" } } },
        "labels by the status of a pod": {
          ...merge,
          path: `${pods}/mine/status`,
          body: { metadata: { labels: { a: "c" } } },
        },
        "evict another pod": {
          method: "POST",
          path: `${pods}/other/eviction`,
          body: { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "other" } },
        },
        "bind a pod": {
          method: "POST",
          path: `${pods}/other/binding`,
          body: {
            apiVersion: "v1",
            kind: "Binding",
            metadata: { name: "other" },
            target: { kind: "Node", name: "mine" },
          },
        },
        "delete another pod": { method: "DELETE", path: `${pods}/other?dryRun=All` },
        "delete a pod": { method: "DELETE", path: `${pods}/mine?dryRun=All` },
        "a token without a pod": token({}),
        "a token without a uid": token({ boundObjectRef: { ...bound, uid: "" } }),
        "a token of another pod": token({ boundObjectRef: { ...bound, name: "other", uid: other.metadata.uid } }),
        "a token with another uid": token({ boundObjectRef: { ...bound, uid: "x" } }),
        "a token for audiences": token({ audiences: ["a", "b"], boundObjectRef: bound }),
        "a token for another audience": token({ audiences: ["a"], boundObjectRef: bound }),
        "a lease in another namespace": lease(namespace, "mine"),
        "the own lease": lease("kube-node-lease", "mine"),
        "another lease": lease("kube-node-lease", "other"),
        "another CSINode": {
          method: "POST",
          path: "/apis/storage.k8s.io/v1/csinodes?dryRun=All",
          body: {
            apiVersion: "storage.k8s.io/v1",
            kind: "CSINode",
            metadata: { name: "other" },
            spec: { drivers: [] },
          },
        },
        "a claim": {
          ...merge,
          path: `/api/v1/namespaces/${namespace}/persistentvolumeclaims/claim`,
          body: { metadata: { labels: { a: "b" } } },
        },
      };
      for (const [step, call] of Object.entries(calls)) {
        const answer = await quietly({ ...call, headers: as });
        const { message, reason } = answer.body as Readonly<Record<string, unknown>>;
        tools.note(step, { status: answer.status, ...(answer.status < 400 ? {} : { message, reason }) });
      }
      await send("a kubelet without a name", {
        ...merge,
        path: `${NODES}/mine`,
        body: { metadata: { annotations: { a: "c" } } },
        headers: kubelet(""),
      });
    },
  },
];

function kubelet(name: string): Readonly<Record<string, string>> {
  return { "impersonate-user": `system:node:${name}`, "impersonate-group": "system:nodes" };
}

// Roles permit everything, so that only the plugin refuses.
async function prepare({ namespace, quietly, eventually }: RowContext): Promise<void> {
  const apiGroup = "rbac.authorization.k8s.io";
  const body = {
    metadata: { name: "row-411" },
    roleRef: { apiGroup, kind: "ClusterRole", name: "row-411" },
    subjects: [{ apiGroup, kind: "Group", name: "system:nodes" }],
  };
  // All but tokens for any audience.
  const rules = [
    {
      apiGroups: ["*"],
      resources: [
        "nodes",
        "nodes/status",
        "pods",
        "pods/status",
        "pods/eviction",
        "pods/binding",
        "serviceaccounts/token",
        "leases",
        "csinodes",
        "persistentvolumeclaims",
      ],
      verbs: ["*"],
    },
  ];
  await quietly({
    method: "POST",
    path: "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    body: { metadata: { name: "row-411" }, rules },
  });
  await quietly({ method: "POST", path: BINDINGS, body });
  for (const name of ["mine", "other"]) {
    await quietly({ method: "POST", path: NODES, body: nodeOf(name) });
    await quietly({ method: "POST", path: pathOf("pods", namespace), body: podOf(name, { nodeName: name }) });
  }
  const accounts = pathOf("serviceaccounts", namespace);
  await quietly({
    method: "POST",
    path: accounts,
    body: { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } },
  });
  await quietly({
    method: "POST",
    path: `/api/v1/namespaces/${namespace}/persistentvolumeclaims`,
    body: {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "claim" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    },
  });
  await eventually({ path: `${NODES}/mine`, headers: kubelet("mine") }, ({ status }) => status === 200);
  // The plugin sees objects some time after they were created.
  await eventually(
    { method: "DELETE", path: `${pathOf("pods", namespace)}/other?dryRun=All`, headers: kubelet("mine") },
    ({ status }) => status === 403,
  );
}

function nodeOf(name: string): Json {
  return { apiVersion: "v1", kind: "Node", metadata: { name } };
}

function podOf(name: string, spec: Json): Json {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: { containers: [{ name: "main", image: "image" }], ...spec },
  };
}

function lease(namespace: string, name: string): Call {
  return {
    method: "POST",
    path: `${pathOf("leases", namespace)}?dryRun=All`,
    body: { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name } },
  };
}
