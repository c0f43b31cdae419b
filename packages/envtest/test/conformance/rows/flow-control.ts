import { configMap, pathOf } from "../kinds.ts";
import { type Answer, objectOf, type Call, type Json, type KubeObject, type Row, type RowContext } from "../row.ts";

const FLOW_CONTROL = "/apis/flowcontrol.apiserver.k8s.io/v1";

export const FLOW_CONTROL_ROWS: readonly Row[] = [
  {
    row: 408,
    title: "responses name the FlowSchema and the priority level of their request",
    run: async (tools) => {
      const { namespace, quietly, note, admin } = tools;
      const names = await namesOf(tools);
      const configMaps = pathOf("configmaps", namespace);
      const { credentials: _, ...anonymous } = admin;
      const as = (user: string, ...groups: readonly string[]): Readonly<Record<string, string>> => ({
        "impersonate-user": user,
        ...(groups[0] === undefined ? {} : { "impersonate-group": groups[0] }),
      });
      const lease = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/x";
      const calls: Readonly<Record<string, Call>> = {
        "an administrator": { path: configMaps },
        health: { path: "/healthz", as: anonymous },
        "a check of health": { path: "/readyz/ping", headers: as("jane") },
        "a user": { path: configMaps, headers: as("jane") },
        anonymous: { path: configMaps, as: anonymous },
        "a wrong token": { path: configMaps, as: { ...anonymous, credentials: { kind: "token", token: "wrong" } } },
        "a service account": { path: configMaps, headers: as("system:serviceaccount:default:robot") },
        "a service account of the system": { path: configMaps, headers: as("system:serviceaccount:kube-system:robot") },
        "a lease of a service account of the system": {
          path: lease,
          headers: as("system:serviceaccount:kube-system:robot"),
        },
        "the scheduler": { path: configMaps, headers: as("system:kube-scheduler") },
        "a lease of the scheduler": { path: lease, headers: as("system:kube-scheduler") },
        "a kubelet": { path: configMaps, headers: as("system:node:a", "system:nodes") },
        "a node of a kubelet": { path: "/api/v1/nodes/a", headers: as("system:node:a", "system:nodes") },
        "a missing object": { path: `${configMaps}/missing` },
        "an invalid object": { method: "POST", path: configMaps, body: configMap("Invalid Name") },
        "a watch": { path: `${configMaps}?watch=1&timeoutSeconds=1` },
        "a log": { path: `${pathOf("pods", namespace)}/missing/log` },
        "a path": { path: "/nothing" },
        discovery: { path: "/apis", headers: as("jane") },
      };
      for (const [step, call] of Object.entries(calls)) note(step, classOf(await quietly(call), names));
    },
  },
  {
    row: 409,
    title: "a FlowSchema is dangling while its priority level does not exist, and matches nothing",
    run: async (tools) => {
      const { namespace, quietly, note, eventually, cleanUp } = tools;
      const [schema, level] = [
        `${FLOW_CONTROL}/flowschemas/${namespace}`,
        `${FLOW_CONTROL}/prioritylevelconfigurations/${namespace}`,
      ];
      cleanUp(async () => await quietly({ method: "DELETE", path: schema }));
      cleanUp(async () => await quietly({ method: "DELETE", path: level }));
      const apiVersion = "flowcontrol.apiserver.k8s.io/v1";
      const spec = {
        priorityLevelConfiguration: { name: namespace },
        matchingPrecedence: 50,
        rules: [
          {
            subjects: [{ kind: "User", user: { name: "row-409" } }],
            resourceRules: [{ verbs: ["get"], apiGroups: [""], resources: ["configmaps"], namespaces: [namespace] }],
            nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/row/*"] }],
          },
        ],
      };
      await quietly({
        method: "POST",
        path: `${FLOW_CONTROL}/flowschemas`,
        body: { apiVersion, kind: "FlowSchema", metadata: { name: namespace }, spec },
      });
      const condition = async (step: string, reason: string): Promise<void> => {
        const answer = await eventually({ path: schema }, ({ body }) => JSON.stringify(body).includes(`"${reason}"`));
        const { status, metadata } = objectOf(answer);
        note(`the condition ${step}`, { status, managers: managersOf(metadata) });
      };
      await condition("without the level", "NotFound");
      const calls: Readonly<Record<string, string>> = {
        "a config map": `${pathOf("configmaps", namespace)}/x`,
        "a list": pathOf("configmaps", namespace),
        "another namespace": `${pathOf("configmaps", "default")}/x`,
        "a secret": `${pathOf("secrets", namespace)}/x`,
        "a path below": "/row/a/b",
        "the path itself": "/row",
        "another path": "/rows",
      };
      const classes = async (step: string): Promise<void> => {
        const names = await namesOf(tools);
        for (const [what, path] of Object.entries(calls)) {
          note(`${step}: ${what}`, classOf(await quietly({ path, headers: { "impersonate-user": "row-409" } }), names));
        }
      };
      await classes("dangling");
      const limited = { nominalConcurrencyShares: 5, limitResponse: { type: "Reject" } };
      await quietly({
        method: "POST",
        path: `${FLOW_CONTROL}/prioritylevelconfigurations`,
        body: {
          apiVersion,
          kind: "PriorityLevelConfiguration",
          metadata: { name: namespace },
          spec: { type: "Limited", limited },
        },
      });
      await condition("with the level", "Found");
      const { uid } = objectOf(await quietly({ path: schema })).metadata;
      await eventually(
        { path: `${pathOf("configmaps", namespace)}/x`, headers: { "impersonate-user": "row-409" } },
        ({ headers }) => headers.get(SCHEMA_HEADER) === uid,
      );
      await classes("found");
      await quietly({ method: "DELETE", path: level });
      await condition("after the level", "NotFound");
    },
  },
];

const SCHEMA_HEADER = "x-kubernetes-pf-flowschema-uid";
const LEVEL_HEADER = "x-kubernetes-pf-prioritylevel-uid";

async function namesOf({ quietly }: RowContext): Promise<ReadonlyMap<string, string>> {
  const lists = await Promise.all(
    ["flowschemas", "prioritylevelconfigurations"].map(async (resource) => {
      const { items = [] } = objectOf(await quietly({ path: `${FLOW_CONTROL}/${resource}` }));
      return items.map(({ metadata }): readonly [string, string] => [metadata.uid, metadata.name]);
    }),
  );
  return new Map(lists.flat());
}

function classOf({ headers }: Answer, names: ReadonlyMap<string, string>): Json {
  const name = (header: string): string => {
    const uid = headers.get(header);
    return uid === null ? "none" : (names.get(uid) ?? "unknown");
  };
  return { schema: name(SCHEMA_HEADER), level: name(LEVEL_HEADER) };
}

function managersOf(metadata: KubeObject["metadata"]): readonly unknown[] {
  const entries = (metadata["managedFields"] ?? []) as readonly Json[];
  return entries
    .map(({ manager, operation, subresource = "" }) => ({ manager, operation, subresource }))
    .filter(({ subresource }) => subresource !== "");
}
