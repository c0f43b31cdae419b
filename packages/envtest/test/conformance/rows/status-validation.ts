import type { Json, Row, RowContext } from "../row.ts";
import { CREATED_OBJECTS, type CreatedObject } from "./created-objects.ts";
import { MERGE } from "./job-steps.ts";

export const STATUS_VALIDATION_ROWS: readonly Row[] = [
  {
    row: 447,
    title: "the status of each built-in kind is validated",
    run: async (context) => {
      for (const created of CREATED_OBJECTS) await sendStatuses(context, created);
    },
  },
];

async function sendStatuses(context: RowContext, { path, object }: CreatedObject): Promise<void> {
  const { namespace, send, quietly, cleanUp } = context;
  const kind = String(object["kind"]);
  const version = String(object["apiVersion"]);
  const statuses = STATUSES[version === "autoscaling/v1" ? "HorizontalPodAutoscaler v1" : kind] ?? [];
  if (statuses.length === 0) return;
  const collection = path.replace("{namespace}", namespace);
  const { metadata } = object as { readonly metadata?: Json & { readonly name?: string } };
  const name = metadata?.name ?? `row-447-${version === "autoscaling/v1" ? "old" : "a"}`;
  const body = JSON.parse(
    JSON.stringify({ ...object, metadata: { ...metadata, name } }).replaceAll("{namespace}", namespace),
  ) as Json;
  await quietly({ method: "POST", path: collection, body });
  cleanUp(() => quietly({ method: "DELETE", path: `${collection}/${name}` }));
  for (const [index, status] of statuses.entries()) {
    await send(`${version} ${kind} ${String(index + 1)}`, {
      method: "PATCH",
      path: `${collection}/${name}/status`,
      body: { status },
      contentType: MERGE,
    });
  }
}

const LESS_THAN_NOTHING = { replicas: -1, readyReplicas: -2, availableReplicas: -1, observedGeneration: -1 };
const MORE_THAN_ALL = { replicas: 1, readyReplicas: 2, availableReplicas: 3 };
const WRONG_CONDITIONS = [
  { type: "a b", status: "Maybe", reason: "-", message: "", lastTransitionTime: null, observedGeneration: -1 },
  { type: "a", status: "True", reason: "", message: "", lastTransitionTime: "2026-01-01T00:00:00Z" },
  { type: "a", status: "True", reason: "A", message: "", lastTransitionTime: "2026-01-01T00:00:00Z" },
];
const TYPES_ALONE = { conditions: [{ type: "a" }, { type: "" }, { type: "a" }] };
const LOAD_BALANCER = {
  loadBalancer: {
    ingress: [{ ip: "10.0.0.256", hostname: "10.0.0.1" }, { hostname: "a_b" }, { ip: "10.0.0.1", hostname: "a.b" }],
  },
};
const STARTED = { running: { startedAt: "2026-01-01T00:00:00Z" } };

/** Wrong statuses of kinds. */
const STATUSES: Readonly<Record<string, readonly Json[]>> = {
  Deployment: [
    { ...LESS_THAN_NOTHING, updatedReplicas: -1, unavailableReplicas: -1, terminatingReplicas: -1, collisionCount: -1 },
    { ...MORE_THAN_ALL, updatedReplicas: 2 },
  ],
  ReplicaSet: [
    { ...LESS_THAN_NOTHING, fullyLabeledReplicas: -1, terminatingReplicas: -1 },
    { ...MORE_THAN_ALL, fullyLabeledReplicas: 2 },
  ],
  ReplicationController: [
    { ...LESS_THAN_NOTHING, fullyLabeledReplicas: -1 },
    { ...MORE_THAN_ALL, fullyLabeledReplicas: 2 },
  ],
  StatefulSet: [
    { ...LESS_THAN_NOTHING, currentReplicas: -1, updatedReplicas: -1 },
    { ...MORE_THAN_ALL, currentReplicas: 2, updatedReplicas: 2 },
  ],
  DaemonSet: [
    {
      currentNumberScheduled: -1,
      numberMisscheduled: -1,
      desiredNumberScheduled: -1,
      numberReady: -1,
      updatedNumberScheduled: -1,
      numberAvailable: -1,
      numberUnavailable: -1,
      observedGeneration: -1,
      collisionCount: -1,
    },
  ],
  HorizontalPodAutoscaler: [{ currentReplicas: -1, desiredReplicas: -1 }],
  "HorizontalPodAutoscaler v1": [{ currentReplicas: -1, desiredReplicas: -1 }],
  PodDisruptionBudget: [
    { disruptionsAllowed: -1, currentHealthy: -1, desiredHealthy: -1, expectedPods: -1, conditions: WRONG_CONDITIONS },
  ],
  Pod: [
    {
      conditions: [{ type: "a b", status: "True", observedGeneration: -1 }],
      nominatedNodeName: "a_b",
      observedGeneration: -1,
      qosClass: "Guaranteed",
    },
    { podIPs: [{ ip: "10.0.0.1" }, { ip: "10.0.0.2" }] },
    { podIPs: [{ ip: "::1" }, { ip: "10.0.0.256" }], hostIP: "10.0.0.1", hostIPs: [{ ip: "10.0.0.2" }] },
    { resourceClaimStatuses: [{ name: "a", resourceClaimName: "a_b" }, { name: "a" }] },
    {
      containerStatuses: [
        {
          name: "web",
          ready: false,
          restartCount: 0,
          image: "a",
          imageID: "a",
          state: STARTED,
          user: { linux: { uid: -1, gid: 4_294_967_297, supplementalGroups: [1, -1] } },
        },
      ],
    },
  ],
  Node: [{ capacity: { cpu: "-1" }, allocatable: { cpu: "-2" }, declaredFeatures: ["b", "A", "A"] }],
  PersistentVolumeClaim: [
    { capacity: { storage: "-1" } },
    { allocatedResourceStatuses: { cpu: "Done" } },
    { allocatedResources: { "bad key": "1" } },
    { allocatedResources: { storage: "-1" } },
  ],
  Namespace: [{ phase: "Terminating" }],
  Service: [LOAD_BALANCER],
  Ingress: [LOAD_BALANCER],
  ResourceQuota: [{ hard: { "bad key": "1" }, used: { pods: "1500m" } }],
  VolumeAttachment: [{ attached: false, attachError: { message: "x".repeat(1025), errorCode: -1 } }],
  ValidatingAdmissionPolicy: [
    {
      conditions: WRONG_CONDITIONS,
      typeChecking: {
        expressionWarnings: [
          { warning: "", fieldRef: " " },
          { warning: "a", fieldRef: "a[" },
        ],
      },
    },
  ],
  FlowSchema: [TYPES_ALONE],
  PriorityLevelConfiguration: [TYPES_ALONE],
  CertificateSigningRequest: [
    {
      conditions: [
        { type: "Approved", status: "True" },
        { type: "Denied", status: "False" },
      ],
    },
    {
      conditions: [
        { type: "", status: "" },
        { type: "a", status: "Maybe" },
        { type: "a", status: "True" },
      ],
    },
    { certificate: "YQ==" },
  ],
  CustomResourceDefinition: [
    {
      acceptedNames: {
        plural: "A",
        singular: "a_b",
        kind: "a b",
        listKind: "a b",
        shortNames: [""],
        categories: ["A"],
      },
    },
  ],
};
