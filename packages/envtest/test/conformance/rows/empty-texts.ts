import type { Json, Row } from "../row.ts";

const CONTAINER = { name: "a", image: "example.com/a" };
const TEMPLATE = { metadata: { labels: { a: "b" } }, spec: { restartPolicy: "Never", containers: [CONTAINER] } };
const BACKEND = { service: { name: "a", port: { number: 80 } } };
const WEBHOOK = {
  name: "a.example.com",
  clientConfig: { url: "https://example.com/" },
  admissionReviewVersions: ["v1"],
  sideEffects: "None",
};
const RULE = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] };
const POLICY = { matchConstraints: { resourceRules: [RULE] }, validations: [{ expression: "true" }] };
const CLAIM = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
const SCALE = { maxReplicas: 2, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" } };

const pod = (spec: Json): Json => ({ spec: { containers: [CONTAINER], ...spec } });
const job = (spec: Json): Json => ({ spec: { template: TEMPLATE, ...spec } });
const service = (spec: Json): Json => ({ spec: { ports: [{ port: 80 }], ...spec } });
const networkPort = { ports: [{ port: 80, protocol: "" }] };

/** Objects by the path of their collection, where `{namespace}` stands for the namespace of the row. Each has one text that is empty. */
const OBJECTS: Readonly<Record<string, readonly Json[]>> = {
  "/api/v1/namespaces/{namespace}/pods": [
    pod({ preemptionPolicy: "" }),
    pod({ runtimeClassName: "" }),
    pod({ os: { name: "" } }),
    pod({ containers: [{ ...CONTAINER, restartPolicy: "" }] }),
    pod({ initContainers: [{ ...CONTAINER, name: "i", restartPolicy: "" }] }),
    pod({ securityContext: { fsGroupChangePolicy: "" } }),
    pod({ securityContext: { seLinuxChangePolicy: "" } }),
    pod({ securityContext: { supplementalGroupsPolicy: "" } }),
    pod({ containers: [{ ...CONTAINER, securityContext: { procMount: "" } }] }),
    pod({ containers: [{ ...CONTAINER, lifecycle: { stopSignal: "" } }] }),
    pod({ containers: [{ ...CONTAINER, ports: [{ containerPort: 80, protocol: "" }] }] }),
    pod({ volumes: [{ name: "v", hostPath: { path: "/a", type: "" } }] }),
    pod({
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: "a", whenUnsatisfiable: "DoNotSchedule", nodeAffinityPolicy: "" },
      ],
    }),
  ],
  "/api/v1/namespaces/{namespace}/services": [
    ...[
      "internalTrafficPolicy",
      "ipFamilyPolicy",
      "loadBalancerClass",
      "trafficDistribution",
      "externalTrafficPolicy",
    ].map((field) => service({ [field]: "" })),
    service({ ports: [{ port: 80, appProtocol: "" }] }),
  ],
  "/api/v1/namespaces/{namespace}/persistentvolumeclaims": [{ spec: { ...CLAIM, volumeMode: "" } }],
  "/api/v1/persistentvolumes": [
    {
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        hostPath: { path: "/a", type: "" },
        volumeMode: "",
      },
    },
  ],
  "/apis/apps/v1/namespaces/{namespace}/statefulsets": [
    {
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: { ...TEMPLATE, spec: { containers: [CONTAINER] } },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: "" },
      },
    },
  ],
  "/apis/batch/v1/namespaces/{namespace}/jobs": [
    job({ completionMode: "" }),
    job({ podReplacementPolicy: "" }),
    job({ managedBy: "" }),
  ],
  "/apis/networking.k8s.io/v1/namespaces/{namespace}/networkpolicies": [
    { spec: { podSelector: {}, ingress: [networkPort] } },
    { spec: { podSelector: {}, egress: [networkPort] } },
  ],
  "/apis/networking.k8s.io/v1/namespaces/{namespace}/ingresses": [
    { spec: { rules: [{ http: { paths: [{ path: "/", pathType: "", backend: BACKEND }] } }] } },
    { spec: { ingressClassName: "", defaultBackend: BACKEND } },
  ],
  "/apis/discovery.k8s.io/v1/namespaces/{namespace}/endpointslices": [
    { addressType: "IPv4", endpoints: [], ports: [{ name: "", protocol: "", port: 80 }] },
    { addressType: "IPv4", endpoints: [], ports: [{ port: 80, appProtocol: "" }] },
  ],
  "/apis/autoscaling/v2/namespaces/{namespace}/horizontalpodautoscalers": [
    {
      spec: {
        ...SCALE,
        behavior: { scaleUp: { selectPolicy: "", policies: [{ type: "Pods", value: 1, periodSeconds: 1 }] } },
      },
    },
  ],
  "/apis/policy/v1/namespaces/{namespace}/poddisruptionbudgets": [
    { spec: { minAvailable: 1, selector: {}, unhealthyPodEvictionPolicy: "" } },
  ],
  "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations": [
    ...["failurePolicy", "matchPolicy", "sideEffects", "reinvocationPolicy"].map((field) => ({
      webhooks: [{ ...WEBHOOK, [field]: "" }],
    })),
    { webhooks: [{ ...WEBHOOK, rules: [{ ...RULE, scope: "" }] }] },
  ],
  "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies": [
    { spec: { ...POLICY, failurePolicy: "" } },
    { spec: { ...POLICY, matchConstraints: { resourceRules: [RULE], matchPolicy: "" } } },
    { spec: { ...POLICY, validations: [{ expression: "true", reason: "" }] } },
  ],
  "/apis/storage.k8s.io/v1/storageclasses": [
    { provisioner: "example.com/a", reclaimPolicy: "" },
    { provisioner: "example.com/a", volumeBindingMode: "" },
  ],
  "/apis/storage.k8s.io/v1/csidrivers": [{ spec: { fsGroupPolicy: "" } }],
  "/apis/scheduling.k8s.io/v1/priorityclasses": [{ value: 1, preemptionPolicy: "" }],
  "/apis/certificates.k8s.io/v1/certificatesigningrequests": [
    { spec: { request: "", signerName: "example.com/a", usages: [""] } },
  ],
  "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas": [
    { spec: { priorityLevelConfiguration: { name: "a" }, distinguisherMethod: { type: "" } } },
  ],
  "/apis/resource.k8s.io/v1/namespaces/{namespace}/resourceclaims": [
    {
      spec: { devices: { requests: [{ name: "a", exactly: { deviceClassName: "example.com", allocationMode: "" } }] } },
    },
  ],
};

/** Rows about texts that are empty: some count as absent, and get a default, others are refused. */
export const EMPTY_TEXT_ROWS: readonly Row[] = [
  {
    row: 552,
    title: "empty texts count as absent, or are refused",
    run: async ({ namespace, quietly, note }) => {
      for (const [collection, objects] of Object.entries(OBJECTS)) {
        const path = `${collection.replace("{namespace}", namespace)}?dryRun=All`;
        for (const [index, object] of objects.entries()) {
          const { status, body } = await quietly({
            method: "POST",
            path,
            body: { metadata: { name: "a" }, ...object },
          });
          const { message } = body as { readonly message?: string };
          note(`${collection.slice(collection.lastIndexOf("/") + 1)} ${String(index)}`, {
            status,
            ...(status < 300 ? {} : { message }),
          });
        }
      }
    },
  },
];
