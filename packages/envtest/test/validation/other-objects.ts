import type { Json } from "../conformance/row.ts";
import type { CreatedObject } from "../conformance/rows/created-objects.ts";

const TEMPLATE: Json = {
  metadata: { labels: { app: "a" } },
  spec: { containers: [{ name: "main", image: "image:1" }] },
};

const ADMISSION = "admissionregistration.k8s.io/v1";
const CERTIFICATES = "certificates.k8s.io/v1";

const AUTHORITY = `-----BEGIN CERTIFICATE-----
MIIBMDCB46ADAgECAhR/0sehQUOPy34jgc5JqrSrXbiAuTAFBgMrZXAwDTELMAkG
A1UEAwwCY2EwIBcNMjYxMjAxMTI0MTQ1WhgPMjEyNjExMDcxMjQxNDVaMA0xCzAJ
BgNVBAMMAmNhMCowBQYDK2VwAyEAs9ACs9ENjInRZBusTFfAPJSaDNwGTtNxad/C
zwS744SjUzBRMB0GA1UdDgQWBBSoOrmpbbNvQGmsSzu+LnwBtrCsHzAfBgNVHSME
GDAWgBSoOrmpbbNvQGmsSzu+LnwBtrCsHzAPBgNVHRMBAf8EBTADAQH/MAUGAytl
cANBALJ7YIkJyYNmunoq4kft5ckltjDYAAfLPfxXyOXiDyU+z71KMF74L20dRVRW
YWvuJP4RZQcKoIIqw/CQcHUtpAM=
-----END CERTIFICATE-----
`;

// Of an Ed25519 key.
const REQUEST =
  "MIGLMD8CAQAwDDEKMAgGA1UEAwwBYTAqMAUGAytlcAMhALPQArPRDYyJ0WQbrExXwDyUmgzcBk7TcWnfws8Eu+OEoAAwBQYDK2VwA0EA+OtmoBndRglhda3meJvTDerOpN+sh7kEd5vUeh8/etT9yHZW+s7rjzCOgj7V3lqwH5PUbEKc6LLDC2SgnvVaAg==";

/** Valid objects with the fields that the created ones do not have. */
export const OTHER_OBJECTS: readonly CreatedObject[] = [
  service({ type: "NodePort", ports: [{ name: "http", port: 80 }], externalTrafficPolicy: "Local" }),
  service({ type: "LoadBalancer", ports: [{ port: 80 }], loadBalancerSourceRanges: ["10.0.0.0/8"] }),
  service({ type: "ExternalName", externalName: "example.com" }),
  service({ clusterIP: "None", selector: { a: "b" }, publishNotReadyAddresses: true }),
  service({ ports: [{ port: 80 }], sessionAffinity: "ClientIP", externalIPs: ["192.0.2.1"] }),
  volume({ csi: { driver: "disk.example.com", volumeHandle: "a" }, storageClassName: "fast" }),
  volume({ nfs: { server: "example.com", path: "/a" }, mountOptions: ["hard"] }),
  volume({ iscsi: { targetPortal: "1.2.3.4", iqn: "iqn.2015-02.example.com:test", lun: 0 } }),
  at("/api/v1/namespaces/{namespace}/pods", "v1", "Pod", {
    spec: {
      ...pod({
        envFrom: [{ prefix: "A_", configMapRef: { name: "a" } }, { secretRef: { name: "a" } }],
        startupProbe: { grpc: { port: 80 }, failureThreshold: 30 },
        volumeDevices: [{ name: "block", devicePath: "/dev/block" }],
        volumeMounts: [{ name: "claim", mountPath: "/claim", subPath: "a" }],
        resources: { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "1" } },
      }),
      initContainers: [
        { name: "side", image: "image", restartPolicy: "Always", readinessProbe: { exec: { command: ["true"] } } },
      ],
      volumes: [
        { name: "block", persistentVolumeClaim: { claimName: "a" } },
        { name: "claim", ephemeral: { volumeClaimTemplate: { spec: claimSpec() } } },
        { name: "nfs", nfs: { server: "example.com", path: "/a" } },
        { name: "host", hostPath: { path: "/a", type: "Directory" } },
        { name: "driver", csi: { driver: "disk.example.com" } },
        { name: "projected", projected: { sources: [{ configMap: { name: "a" } }, { secret: { name: "a" } }] } },
      ],
      dnsPolicy: "None",
      dnsConfig: { nameservers: ["1.2.3.4"], searches: ["example.com"], options: [{ name: "ndots", value: "2" }] },
      hostNetwork: true,
      readinessGates: [{ conditionType: "example.com/ready" }],
      securityContext: {
        runAsUser: 1,
        sysctls: [{ name: "kernel.shm_rmid_forced", value: "1" }],
        supplementalGroups: [1],
      },
      schedulingGates: [{ name: "example.com/gate" }],
      imagePullSecrets: [{ name: "a" }],
      os: { name: "linux" },
    },
  }),
  at("/apis/apps/v1/namespaces/{namespace}/deployments", "apps/v1", "Deployment", {
    spec: {
      selector: { matchExpressions: [{ key: "app", operator: "In", values: ["a"] }] },
      template: TEMPLATE,
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: "10%" } },
      minReadySeconds: 5,
    },
  }),
  at("/apis/apps/v1/namespaces/{namespace}/daemonsets", "apps/v1", "DaemonSet", {
    spec: { selector: { matchLabels: { app: "a" } }, template: TEMPLATE, updateStrategy: { type: "OnDelete" } },
  }),
  at("/apis/batch/v1/namespaces/{namespace}/jobs", "batch/v1", "Job", {
    spec: {
      completions: 3,
      parallelism: 2,
      completionMode: "Indexed",
      suspend: true,
      ttlSecondsAfterFinished: 100,
      activeDeadlineSeconds: 10,
      podFailurePolicy: {
        rules: [
          { action: "FailJob", onExitCodes: { containerName: "main", operator: "In", values: [1, 2] } },
          { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
        ],
      },
      successPolicy: { rules: [{ succeededIndexes: "0-1", succeededCount: 1 }] },
      template: { spec: { containers: [{ name: "main", image: "image:1" }], restartPolicy: "Never" } },
    },
  }),
  at("/apis/networking.k8s.io/v1/ipaddresses", "networking.k8s.io/v1", "IPAddress", {
    metadata: { name: "192.0.2.7" },
    spec: { parentRef: { resource: "services", name: "a", namespace: "default" } },
  }),
  at(
    "/apis/autoscaling/v2/namespaces/{namespace}/horizontalpodautoscalers",
    "autoscaling/v2",
    "HorizontalPodAutoscaler",
    {
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" },
        maxReplicas: 5,
        metrics: [
          { type: "External", external: { metric: { name: "queue" }, target: { type: "Value", value: "10" } } },
          {
            type: "Object",
            object: {
              describedObject: { kind: "Service", name: "a" },
              metric: { name: "rps", selector: { matchLabels: { a: "b" } } },
              target: { type: "Value", value: "10" },
            },
          },
          {
            type: "ContainerResource",
            containerResource: {
              name: "cpu",
              container: "main",
              target: { type: "Utilization", averageUtilization: 50 },
            },
          },
        ],
        behavior: {
          scaleUp: {
            stabilizationWindowSeconds: 10,
            selectPolicy: "Min",
            policies: [{ type: "Percent", value: 1, periodSeconds: 60 }],
          },
        },
      },
    },
  ),
  at(
    "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations",
    "flowcontrol.apiserver.k8s.io/v1",
    "PriorityLevelConfiguration",
    {
      spec: {
        type: "Limited",
        limited: { limitResponse: { type: "Queue", queuing: { queues: 8, handSize: 2, queueLengthLimit: 5 } } },
      },
    },
  ),
  at("/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas", "flowcontrol.apiserver.k8s.io/v1", "FlowSchema", {
    spec: {
      priorityLevelConfiguration: { name: "global-default" },
      rules: [
        {
          subjects: [
            { kind: "Group", group: { name: "a" } },
            { kind: "ServiceAccount", serviceAccount: { name: "a", namespace: "b" } },
          ],
          nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/healthz"] }],
        },
      ],
    },
  }),
  at(
    "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings",
    "admissionregistration.k8s.io/v1",
    "ValidatingAdmissionPolicyBinding",
    {
      spec: {
        policyName: "other",
        validationActions: ["Deny"],
        matchResources: { namespaceSelector: { matchLabels: { a: "b" } } },
      },
    },
  ),
  at("/apis/resource.k8s.io/v1/namespaces/{namespace}/resourceclaims", "resource.k8s.io/v1", "ResourceClaim", {
    spec: claimOfDevices(),
  }),
  at(
    "/apis/resource.k8s.io/v1/namespaces/{namespace}/resourceclaimtemplates",
    "resource.k8s.io/v1",
    "ResourceClaimTemplate",
    {
      spec: { spec: claimOfDevices() },
    },
  ),
  at("/apis/resource.k8s.io/v1/deviceclasses", "resource.k8s.io/v1", "DeviceClass", {
    spec: {
      selectors: [{ cel: { expression: 'device.driver == "gpu.example.com"' } }],
      config: [{ opaque: { driver: "gpu.example.com", parameters: { a: 1 } } }],
    },
  }),
  at("/apis/resource.k8s.io/v1/resourceslices", "resource.k8s.io/v1", "ResourceSlice", {
    spec: {
      driver: "gpu.example.com",
      nodeName: "n",
      pool: { name: "p", generation: 1, resourceSliceCount: 1 },
      devices: [
        { name: "a", attributes: { model: { string: "x" }, size: { int: 1 } }, capacity: { memory: { value: "1Gi" } } },
      ],
    },
  }),
];

/** The same for kinds that a minor of Kubernetes was the first to serve. */
export const NEWER_OBJECTS: readonly (CreatedObject & { readonly since: "1.36" | "1.37" })[] = [
  {
    since: "1.36",
    ...at("/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies", ADMISSION, "MutatingAdmissionPolicy", {
      spec: {
        reinvocationPolicy: "Never",
        matchConstraints: {
          resourceRules: [
            { apiGroups: ["example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["things"] },
          ],
        },
        variables: [{ name: "v", expression: "object.metadata.name" }],
        mutations: [
          {
            patchType: "ApplyConfiguration",
            applyConfiguration: { expression: "Object{metadata: Object.metadata{labels: {'a': variables.v}}}" },
          },
        ],
      },
    }),
  },
  {
    since: "1.36",
    ...at(
      "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings",
      ADMISSION,
      "MutatingAdmissionPolicyBinding",
      { spec: { policyName: "base", matchResources: { namespaceSelector: { matchLabels: { a: "b" } } } } },
    ),
  },
  {
    since: "1.37",
    ...at("/apis/certificates.k8s.io/v1/clustertrustbundles", CERTIFICATES, "ClusterTrustBundle", {
      spec: { trustBundle: AUTHORITY },
    }),
  },
  {
    since: "1.37",
    ...at(
      "/apis/certificates.k8s.io/v1/namespaces/{namespace}/podcertificaterequests",
      CERTIFICATES,
      "PodCertificateRequest",
      {
        spec: {
          signerName: "example.com/signer",
          podName: "a",
          podUID: "b",
          serviceAccountName: "default",
          serviceAccountUID: "c",
          nodeName: "n",
          nodeUID: "d",
          maxExpirationSeconds: 3600,
          stubPKCS10Request: REQUEST,
        },
      },
    ),
  },
  {
    since: "1.37",
    ...at("/apis/resource.k8s.io/v1/devicetaintrules", "resource.k8s.io/v1", "DeviceTaintRule", {
      spec: {
        deviceSelector: { driver: "gpu.example.com", pool: "p" },
        taint: { key: "example.com/broken", value: "a", effect: "NoSchedule", timeAdded: "2026-01-01T00:00:00Z" },
      },
    }),
  },
  {
    since: "1.37",
    ...at(
      "/apis/storagemigration.k8s.io/v1/storageversionmigrations",
      "storagemigration.k8s.io/v1",
      "StorageVersionMigration",
      { spec: { resource: { group: "example.com", resource: "things" } } },
    ),
  },
];

function claimOfDevices(): Json {
  return {
    devices: {
      requests: [
        { name: "a", exactly: { deviceClassName: "gpu.example.com", allocationMode: "ExactCount", count: 1 } },
      ],
      constraints: [{ requests: ["a"], matchAttribute: "gpu.example.com/model" }],
      config: [{ requests: ["a"], opaque: { driver: "gpu.example.com", parameters: { a: 1 } } }],
    },
  };
}

function claimSpec(): Json {
  return { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
}

function pod(container: Json): Json {
  return { containers: [{ name: "main", image: "image:1", ...container }] };
}

function service(spec: Json): CreatedObject {
  return at("/api/v1/namespaces/{namespace}/services", "v1", "Service", { spec });
}

function volume(spec: Json): CreatedObject {
  const common = { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] };
  return at("/api/v1/persistentvolumes", "v1", "PersistentVolume", { spec: { ...common, ...spec } });
}

function at(path: string, apiVersion: string, kind: string, fields: Json): CreatedObject {
  return { path, object: { apiVersion, kind, ...fields } };
}
