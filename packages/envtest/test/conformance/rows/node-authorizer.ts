// cspell:ignore Denv Dnone Dother
import type { FlagRow } from "../flag-row.ts";
import { configMap, pathOf } from "../kinds.ts";
import type { Call, Json, RowContext } from "../row.ts";

const NODE = "mine";
const AS_NODE = { "impersonate-user": `system:node:${NODE}`, "impersonate-group": "system:nodes" } as const;

/** Rows about the authorizer of nodes. */
export const NODE_AUTHORIZER_ROWS: readonly FlagRow[] = [
  {
    row: 480,
    title: "the Node authorizer permits kubelets what the Pods on their Node need",
    flags: async () => await Promise.resolve(["--authorization-mode=Node"]),
    run: async (tools) => {
      const { namespace, send } = tools;
      await prepare(tools);
      for (const [step, call] of Object.entries(calls(namespace))) {
        await review(tools, step, { ...call, headers: call.headers ?? AS_NODE });
      }
      for (const [step, call] of Object.entries(requests(namespace))) {
        await send(step, { headers: AS_NODE, ...call });
      }
      await send("the binding of the role", {
        path: "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/system:node",
      });
    },
  },
  {
    row: 481,
    title: "without the Node authorizer, kubelets have no rights",
    flags: async () => await Promise.resolve([]),
    run: async ({ namespace, send }) => {
      await send("a secret", { path: `${pathOf("secrets", namespace)}/volume`, headers: AS_NODE });
      await send("the own Node", { path: `/api/v1/nodes/${NODE}`, headers: AS_NODE });
    },
  },
  {
    row: 522,
    title: "kubelets cannot ask for all their rights",
    flags: async () => await Promise.resolve(["--authorization-mode=Node"]),
    run: async (tools) => {
      await tools.quietly({
        method: "POST",
        path: `${RBAC}/namespaces/${tools.namespace}/rolebindings`,
        body: DANGLING,
      });
      await sendRulesReviews(tools);
    },
  },
  {
    row: 523,
    title: "whoever may do everything has one rule for it",
    flags: async () => await Promise.resolve(["--authorization-mode=AlwaysAllow"]),
    run: sendRulesReviews,
  },
  {
    row: 524,
    title: "whoever may do nothing has no rules",
    flags: async () => await Promise.resolve(["--authorization-mode=AlwaysDeny"]),
    run: sendRulesReviews,
  },
];

const RBAC = "/apis/rbac.authorization.k8s.io/v1";

const DANGLING = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "RoleBinding",
  metadata: { name: "dangling" },
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "none" },
  subjects: [{ kind: "User", name: "dangling", apiGroup: "rbac.authorization.k8s.io" }],
};

const AS_DANGLING = { "impersonate-user": "dangling" } as const;

function rulesReview(namespace: string): Call {
  return {
    method: "POST",
    path: "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
    body: { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectRulesReview", spec: { namespace } },
  };
}

async function sendRulesReviews({ namespace, note, quietly }: RowContext): Promise<void> {
  for (const [step, headers] of [
    ["an administrator", {}],
    ["a kubelet", AS_NODE],
    ["a user of a missing role", AS_DANGLING],
  ] as const) {
    const { status, body } = await quietly({ ...rulesReview(namespace), headers });
    note(step, { status, body: withSortedRules(body as RulesReview) });
  }
}

interface RulesReview {
  readonly status: { readonly resourceRules: readonly unknown[]; readonly nonResourceRules: readonly unknown[] };
}

// A real server reads bindings in a random order.
function withSortedRules(review: RulesReview): unknown {
  const sorted = (rules: readonly unknown[]): readonly string[] => rules.map((rule) => JSON.stringify(rule)).toSorted();
  const { resourceRules, nonResourceRules, ...status } = review.status;
  return {
    ...review,
    status: { ...status, resourceRules: sorted(resourceRules), nonResourceRules: sorted(nonResourceRules) },
  };
}

interface Asked {
  readonly verb: string;
  readonly resource: string;
  readonly group?: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly fieldSelector?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

async function review({ quietly, note }: RowContext, step: string, { headers, ...asked }: Asked): Promise<void> {
  const user = headers?.["impersonate-user"] ?? "";
  const group = headers?.["impersonate-group"];
  const { body, status } = await quietly({
    method: "POST",
    path: "/apis/authorization.k8s.io/v1/subjectaccessreviews",
    body: {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SubjectAccessReview",
      spec: { user, groups: group === undefined ? [] : [group], resourceAttributes: asked },
    },
  });
  note(step, status === 201 ? (body as Json)["status"] : { status });
}

async function prepare({ namespace, quietly, eventually }: RowContext): Promise<void> {
  const core = (plural: string): string => `/api/v1/namespaces/${namespace}/${plural}`;
  const create = async (path: string, body: Json): Promise<unknown> => await quietly({ method: "POST", path, body });
  const metadata = (name: string): Json => ({ name });
  for (const name of ["volume", "env", "pull", "of-volume", "other", "elsewhere", "mirrored"]) {
    await create(core("secrets"), { apiVersion: "v1", kind: "Secret", metadata: metadata(name) });
  }
  await create(core("configmaps"), configMap("volume"));
  await create(core("serviceaccounts"), { apiVersion: "v1", kind: "ServiceAccount", metadata: metadata("mine") });
  for (const name of [NODE, "other"])
    await create("/api/v1/nodes", { apiVersion: "v1", kind: "Node", metadata: metadata(name) });
  await create(core("persistentvolumeclaims"), {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: metadata("claimed"),
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, volumeName: "bound" },
  });
  for (const [name, claim] of [
    ["bound", "claimed"],
    ["free", "none"],
  ] as const) {
    await create("/api/v1/persistentvolumes", {
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: metadata(name),
      spec: {
        accessModes: ["ReadWriteOnce"],
        capacity: { storage: "1Gi" },
        claimRef: { namespace, name: claim },
        csi: {
          driver: "d",
          volumeHandle: "h",
          nodeStageSecretRef: { namespace, name: "of-volume" },
          controllerPublishSecretRef: { namespace, name: "other" },
        },
      },
    });
  }
  await create(core("pods"), pod("mine", NODE));
  await create(core("pods"), {
    ...pod("elsewhere", "other"),
    spec: { nodeName: "other", containers: [{ name: "c", image: "i" }], imagePullSecrets: [{ name: "elsewhere" }] },
  });
  await create(core("pods"), {
    ...pod("mirror", NODE),
    metadata: { name: "mirror", annotations: { "kubernetes.io/config.mirror": "x" } },
    spec: { nodeName: NODE, containers: [{ name: "c", image: "i" }], imagePullSecrets: [{ name: "mirrored" }] },
  });
  await create("/apis/storage.k8s.io/v1/volumeattachments", {
    apiVersion: "storage.k8s.io/v1",
    kind: "VolumeAttachment",
    metadata: metadata("attached"),
    spec: { attacher: "d", nodeName: NODE, source: { persistentVolumeName: "bound" } },
  });
  // The reference sees new objects a moment later.
  for (const path of [
    `${core("secrets")}/of-volume`,
    "/apis/storage.k8s.io/v1/volumeattachments/attached",
    `${core("pods")}/mirror`,
  ]) {
    await eventually({ path, headers: AS_NODE }, ({ status }) => status === 200);
  }
}

function pod(name: string, nodeName: string): Json {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: {
      nodeName,
      serviceAccountName: "mine",
      imagePullSecrets: [{ name: "pull" }],
      containers: [
        { name: "c", image: "i", env: [{ name: "A", valueFrom: { secretKeyRef: { name: "env", key: "k" } } }] },
      ],
      volumes: [
        { name: "s", secret: { secretName: "volume" } },
        { name: "m", projected: { sources: [{ configMap: { name: "volume" } }] } },
        { name: "p", persistentVolumeClaim: { claimName: "claimed" } },
        {
          name: "e",
          ephemeral: {
            volumeClaimTemplate: {
              spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
            },
          },
        },
      ],
    },
  };
}

function calls(namespace: string): Readonly<Record<string, Asked>> {
  const core = (verb: string, resource: string, name?: string, subresource?: string): Asked => ({
    verb,
    resource,
    namespace,
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
  });
  const cluster = ({ namespace: _namespace, ...asked }: Asked): Asked => asked;
  const of = (group: string, asked: Asked): Asked => ({ ...asked, group });
  const leases = (verb: string, name?: string): Asked => ({
    ...of("coordination.k8s.io", core(verb, "leases", name)),
    namespace: "kube-node-lease",
  });
  const csi = (verb: string, name?: string, subresource?: string): Asked =>
    of("storage.k8s.io", cluster(core(verb, "csinodes", name, subresource)));
  const slices = (verb: string, name?: string, subresource?: string): Asked =>
    of("resource.k8s.io", cluster(core(verb, "resourceslices", name, subresource)));
  const selecting = (node: string): Json => ({ rawSelector: `spec.nodeName=${node}` });
  const anonymous = { "impersonate-user": "system:node:", "impersonate-group": "system:nodes" };
  return {
    "a secret of a volume": core("get", "secrets", "volume"),
    "a secret of a variable": core("get", "secrets", "env"),
    "a secret to pull images": core("watch", "secrets", "pull"),
    "a secret of a claimed volume": core("get", "secrets", "of-volume"),
    "a secret of the controller": core("get", "secrets", "other"),
    "a secret of another node": core("get", "secrets", "elsewhere"),
    "a secret of a mirror Pod": core("get", "secrets", "mirrored"),
    "an unknown secret": core("get", "secrets", "none"),
    "all secrets": core("list", "secrets"),
    "secrets of all namespaces": cluster(core("list", "secrets", "volume")),
    "a change of a secret": core("update", "secrets", "volume"),
    "a subresource of a secret": core("get", "secrets", "volume", "status"),
    "a ConfigMap": core("get", "configmaps", "volume"),
    "another ConfigMap": core("get", "configmaps", "other"),
    "a claim": core("get", "persistentvolumeclaims", "claimed"),
    "the claim of an ephemeral volume": core("get", "persistentvolumeclaims", "mine-e"),
    "another claim": core("get", "persistentvolumeclaims", "other"),
    claims: core("list", "persistentvolumeclaims"),
    "the status of a claim": core("patch", "persistentvolumeclaims", "claimed", "status"),
    "reading the status of a claim": core("get", "persistentvolumeclaims", "claimed", "status"),
    "the status of another claim": core("update", "persistentvolumeclaims", "other", "status"),
    "a volume": cluster(core("get", "persistentvolumes", "bound")),
    "another volume": cluster(core("get", "persistentvolumes", "free")),
    volumes: cluster(core("list", "persistentvolumes")),
    "an attachment": of("storage.k8s.io", cluster(core("get", "volumeattachments", "attached"))),
    "another attachment": of("storage.k8s.io", cluster(core("get", "volumeattachments", "other"))),
    "a resource claim": of("resource.k8s.io", core("get", "resourceclaims", "none")),
    "a service account": core("get", "serviceaccounts", "mine"),
    "another service account": core("get", "serviceaccounts", "default"),
    "service accounts": core("list", "serviceaccounts"),
    "a token": core("create", "serviceaccounts", "mine", "token"),
    "a token of another account": core("create", "serviceaccounts", "default", "token"),
    "a new service account": core("create", "serviceaccounts"),
    "another subresource of an account": core("create", "serviceaccounts", "mine", "x"),
    "the own Lease": leases("get", NODE),
    "another Lease": leases("update", "other"),
    "a new Lease": leases("create"),
    Leases: leases("list"),
    "a Lease elsewhere": of("coordination.k8s.io", core("get", "leases", NODE)),
    "the own CSINode": csi("get", NODE),
    "another CSINode": csi("patch", "other"),
    "a new CSINode": csi("create"),
    CSINodes: csi("list"),
    "a subresource of a CSINode": csi("get", NODE, "status"),
    "a new slice": slices("create"),
    "another slice": slices("get", "none"),
    slices: slices("list"),
    "slices of the node": { ...slices("list"), fieldSelector: selecting(NODE) },
    "slices of another node": { ...slices("deletecollection"), fieldSelector: selecting("other") },
    "a subresource of a slice": slices("get", "none", "status"),
    "another verb of a slice": slices("bind", "none"),
    "the own Node": cluster(core("get", "nodes", NODE)),
    "another Node": cluster(core("get", "nodes", "other")),
    "all Nodes": cluster(core("list", "nodes")),
    "a change of a Node": cluster(core("patch", "nodes", "other")),
    "the status of a Node": cluster(core("patch", "nodes", NODE, "status")),
    "a deletion of a Node": cluster(core("delete", "nodes", NODE)),
    "a proxy of a Node": cluster(core("get", "nodes", NODE, "proxy")),
    "a Pod": core("get", "pods", "mine"),
    "a Pod of another node": core("get", "pods", "elsewhere"),
    "all Pods": cluster(core("list", "pods")),
    "Pods of the node": { ...cluster(core("list", "pods")), fieldSelector: selecting(NODE) },
    "Pods of another node": { ...cluster(core("watch", "pods")), fieldSelector: selecting("other") },
    "a watched Pod": core("watch", "pods", "mine"),
    "a new Pod": core("create", "pods"),
    "a change of a Pod": core("update", "pods", "mine"),
    "the status of a Pod": core("patch", "pods", "mine", "status"),
    "an eviction": core("create", "pods", "mine", "eviction"),
    "a log": core("get", "pods", "mine", "log"),
    "a certificate request of a Pod": of("certificates.k8s.io", core("create", "podcertificaterequests")),
    "an event": core("create", "events"),
    services: cluster(core("list", "services")),
    "a certificate request": of("certificates.k8s.io", cluster(core("create", "certificatesigningrequests"))),
    "a namespace": cluster(core("get", "namespaces", namespace)),
    "a node without a name": { ...core("get", "secrets", "volume"), headers: anonymous },
    "a node without the group": {
      ...core("get", "secrets", "volume"),
      headers: { "impersonate-user": `system:node:${NODE}` },
    },
    "an unknown node": {
      ...core("get", "secrets", "volume"),
      headers: { "impersonate-user": "system:node:none", "impersonate-group": "system:nodes" },
    },
  };
}

function requests(namespace: string): Readonly<Record<string, Call>> {
  return {
    "reads a secret": { path: `/api/v1/namespaces/${namespace}/secrets/volume` },
    "reads another secret": { path: `/api/v1/namespaces/${namespace}/secrets/other` },
    "lists Pods of the node": { path: `/api/v1/pods?fieldSelector=spec.nodeName%3Dnone,spec.nodeName%3D${NODE}` },
    "lists Pods of another node": { path: "/api/v1/pods?fieldSelector=spec.nodeName%3Dother" },
    "watches a ConfigMap by name": {
      path: `/api/v1/namespaces/${namespace}/configmaps?fieldSelector=metadata.name%3Dother&watch=1&timeoutSeconds=1`,
    },
    "lists a secret by name": { path: `/api/v1/namespaces/${namespace}/secrets?fieldSelector=metadata.name%3Denv` },
    "lists Nodes": { path: "/api/v1/nodes" },
    "reads its Node": { path: `/api/v1/nodes/${NODE}` },
  };
}
