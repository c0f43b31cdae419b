import { objectOf, type Call, type Json, type Row } from "../row.ts";
import { MERGE } from "./job-steps.ts";

export const READING_ROWS: readonly Row[] = [
  {
    row: 501,
    title: "values of another type are refused with the name of the type in Go",
    run: async ({ namespace, quietly, note }) => {
      for (const [path, object] of MISTYPED) {
        const answer = await quietly({
          method: "POST",
          path: `${path.replace("{namespace}", namespace)}?dryRun=All`,
          body: { metadata: { name: "a" }, ...object },
        });
        note(`${path.slice(path.lastIndexOf("/") + 1)}: ${JSON.stringify(object)}`, {
          code: answer.status,
          message: objectOf(answer)["message"],
        });
      }
    },
  },
  {
    row: 502,
    title: "an address of IPv4 in the form of IPv6 is one of IPv4",
    run: async ({ namespace, quietly, note }) => {
      const core = `/api/v1/namespaces/${namespace}`;
      const slices = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`;
      for (const [title, path, object] of [
        ["a Service", `${core}/services`, { spec: { clusterIP: "::ffff:192.0.2.1", ports: [{ port: 80 }] } }],
        [
          "two families",
          `${core}/services`,
          { spec: { clusterIPs: ["10.0.0.9", "::ffff:192.0.2.1"], ports: [{ port: 80 }] } },
        ],
        ["a slice", slices, { addressType: "IPv4", endpoints: [{ addresses: ["::ffff:192.0.2.1"] }], ports: [] }],
        ["a loopback", slices, { addressType: "IPv4", endpoints: [{ addresses: ["::ffff:127.0.0.1"] }], ports: [] }],
        [
          "a slice of IPv6",
          slices,
          { addressType: "IPv6", endpoints: [{ addresses: ["::ffff:192.0.2.1"] }], ports: [] },
        ],
        ["a Node", "/api/v1/nodes", { spec: { podCIDRs: ["10.1.0.0/16", "::ffff:10.2.0.0/112"] } }],
      ] as const) {
        const answer = await quietly({
          method: "POST",
          path: `${path}?dryRun=All`,
          body: { metadata: { name: "a" }, ...object },
        });
        const { details } = answer.body as { readonly details?: { readonly causes?: unknown } };
        note(title, { code: answer.status, causes: details?.causes });
      }
    },
  },
  {
    row: 503,
    title: "an object with list elements without keys has no owners, and cannot be applied",
    run: async ({ namespace, quietly, note }) => {
      const path = `/api/v1/namespaces/${namespace}/serviceaccounts`;
      const owners = (answer: Awaited<ReturnType<typeof quietly>>): Json => ({
        code: answer.status,
        message: objectOf(answer)["message"],
        owners: (
          (objectOf(answer).metadata as Json | undefined)?.["managedFields"] as readonly Json[] | undefined
        )?.map(({ manager, operation, fieldsV1 }) => ({ manager, operation, fieldsV1 })),
      });
      const headers = { "user-agent": "row/1" };
      const write = async (title: string, method: "POST" | "PATCH", body: Json): Promise<void> => {
        const place = method === "POST" ? path : `${path}/${title}`;
        note(
          `${title} ${method} ${JSON.stringify(body)}`,
          owners(
            await quietly({
              method,
              path: place,
              body,
              headers,
              ...(method === "PATCH" ? { contentType: MERGE } : {}),
            }),
          ),
        );
      };
      await write("created", "POST", { metadata: { name: "created" }, secrets: [{}, {}] });
      await write("changed", "POST", { metadata: { name: "changed" }, secrets: [{ name: "a" }] });
      await write("changed", "PATCH", { secrets: [{}, { name: "b" }] });
      await write("changed", "PATCH", { metadata: { labels: { a: "b" } } });
      await write("changed", "PATCH", { secrets: [{ name: "b" }] });
      for (const name of ["created", "changed"]) {
        const applied = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, labels: { c: "d" } } };
        const answer = await quietly({
          method: "PATCH",
          path: `${path}/${name}?fieldManager=row&force=true`,
          body: applied,
          contentType: "application/apply-patch+yaml",
        });
        note(`${name} applied`, owners(answer));
      }
    },
  },
  {
    row: 508,
    title: "resource rules of FlowSchemas without namespaces are shown with null",
    run: async ({ quietly, note, cleanUp }) => {
      const path = "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas";
      cleanUp(() => quietly({ method: "DELETE", path: `${path}/row-508` }));
      const all = ["*"];
      const rule = { verbs: all, apiGroups: all, resources: all, clusterScope: true };
      const subjects = [{ kind: "User", user: { name: "a" } }];
      const resourceRules = [rule, { ...rule, namespaces: [] }, { ...rule, namespaces: ["a"] }];
      const spec = { priorityLevelConfiguration: { name: "global-default" }, rules: [{ subjects, resourceRules }] };
      const body = { metadata: { name: "row-508" }, spec };
      const labels = { metadata: { labels: { a: "b" } } };
      for (const [title, call] of [
        ["as a dry run", { method: "POST", path: `${path}?dryRun=All`, body }],
        ["created", { method: "POST", path, body }],
        ["read", { path: `${path}/row-508` }],
        ["changed", { method: "PATCH", path: `${path}/row-508`, body: labels, contentType: MERGE }],
      ] as const) {
        note(title, objectOf(await quietly(call)).spec?.["rules"]);
      }
    },
  },
  {
    row: 509,
    title: "the internal traffic policy of an ExternalName Service is stored, and its status alone shows it",
    run: async ({ namespace, quietly, note }) => {
      const path = `/api/v1/namespaces/${namespace}/services`;
      const spec = { type: "ExternalName", externalName: "example.com", internalTrafficPolicy: "Local" };
      const body = { apiVersion: "v1", kind: "Service", metadata: { name: "a" }, spec };
      const { internalTrafficPolicy: _policy, ...silent } = spec;
      const labels = { metadata: { labels: { a: "b" } } };
      const conditions = { status: { conditions: [] } };
      const isDry = "?dryRun=All";
      const patch = (at: string, change: Json): Call => ({
        method: "PATCH",
        path: `${path}/${at}`,
        body: change,
        contentType: MERGE,
      });
      const toInternal = { spec: { type: "ClusterIP", externalName: null, ports: [{ port: 80 }] } };
      const toExternal = { spec: { type: "ExternalName", externalName: "example.com" } };
      const calls: Readonly<Record<string, Call>> = {
        "created as a dry run": { method: "POST", path: `${path}${isDry}`, body },
        created: { method: "POST", path, body },
        read: { path: `${path}/a` },
        "status read": { path: `${path}/a/status` },
        "changed as a dry run": patch(`a${isDry}`, labels),
        changed: patch("a", labels),
        "not changed": patch("a", labels),
        "status changed as a dry run": patch(`a/status${isDry}`, conditions),
        "status changed": patch("a/status", { metadata: { labels: { c: "d" } } }),
        "of another type": patch("a", toInternal),
        "of the type again": patch("a", toExternal),
        "status read again": { path: `${path}/a/status` },
        "replaced without the policy": { method: "PUT", path: `${path}/a`, body: { ...body, spec: silent } },
        "status read at last": { path: `${path}/a/status` },
      };
      for (const [title, call] of Object.entries(calls)) {
        const answer = await quietly(call);
        const policy = objectOf(answer).spec?.["internalTrafficPolicy"] ?? "not shown";
        note(title, { status: answer.status, policy });
      }
      const { items = [] } = objectOf(await quietly({ path }));
      note(
        "listed",
        items.map((item) => item.spec?.["internalTrafficPolicy"] ?? "not shown"),
      );
    },
  },
  {
    row: 511,
    title: "volumes of images get a pull policy; a Pod requires their reference, a template does not",
    run: async ({ namespace, quietly, note }) => {
      const containers = [{ name: "main", image: "main:1" }];
      const volumes = [
        { reference: "example.com/a" },
        { reference: "example.com/a:latest" },
        { reference: "example.com/a:1" },
        { reference: "example.com/a", pullPolicy: "Never" },
        { reference: "example.com/a", pullPolicy: "" },
        { reference: "A b" },
        { reference: "" },
        {},
        { pullPolicy: "Sometimes" },
      ];
      for (const image of volumes) {
        const spec = { containers, volumes: [{ name: "a", image }] };
        for (const [resource, body] of [
          ["pods", { metadata: { name: "a" }, spec }],
          ["podtemplates", { metadata: { name: "a" }, template: { spec } }],
        ] as const) {
          const path = `/api/v1/namespaces/${namespace}/${resource}?dryRun=All`;
          const answer = objectOf(await quietly({ method: "POST", path, body })) as Json;
          const template = (answer["template"] ?? answer) as { readonly spec?: { readonly volumes?: readonly Json[] } };
          const stored = template.spec?.volumes?.find(({ name }) => name === "a");
          note(`${resource} ${JSON.stringify(image)}`, stored ?? answer["message"]);
        }
      }
    },
  },
  {
    row: 512,
    title: "the resources of a Pod as a whole are completed by those of its containers",
    run: async ({ namespace, quietly, note }) => {
      const path = `/api/v1/namespaces/${namespace}/pods?dryRun=All`;
      const huge = "hugepages-2Mi";
      const small = { requests: { cpu: "100m", memory: "64Mi" }, limits: { cpu: "0.5", [huge]: "2Mi" } };
      const large = { requests: { cpu: "1", "ephemeral-storage": "1Gi" }, limits: { memory: "1Gi", cpu: "2" } };
      const limits = { memory: "2Gi", cpu: "3" };
      const pods: Readonly<Record<string, readonly [resources: Json, ...containers: readonly Json[]]>> = {
        "limits alone": [{ limits }, {}],
        "limits of one resource": [{ limits: { cpu: "3" } }, small, large],
        "limits and a request": [{ limits, requests: { cpu: "2" } }, small, large],
        "requests alone": [{ requests: { cpu: "2" } }, small],
        "a request of huge pages": [{ requests: { [huge]: "4Mi" }, limits: { [huge]: "4Mi" } }, small],
        "limits of huge pages": [{ limits: { [huge]: "4Mi", cpu: "1" } }, small],
        nothing: [{}, small],
        "empty limits": [{ limits: {} }, small],
      };
      for (const [title, [resources, ...all]] of Object.entries(pods)) {
        const containers = all.map((each, index) => ({ name: `c${String(index)}`, image: "a:1", resources: each }));
        for (const initContainers of [
          [],
          [
            { name: "sidecar", image: "a:1", restartPolicy: "Always", resources: { requests: { cpu: "200m" } } },
            { name: "init", image: "a:1", resources: { requests: { cpu: "1500m", memory: "1Mi" } } },
          ],
        ]) {
          const spec = { resources, containers, initContainers };
          const answer = objectOf(await quietly({ method: "POST", path, body: { metadata: { name: "a" }, spec } }));
          const stored = answer.spec?.["resources"] ?? (answer as unknown as Json)["message"] ?? "none";
          note(`${title}, ${String(initContainers.length)} init containers`, {
            stored,
            qosClass: answer.status?.["qosClass"],
          });
        }
      }
    },
  },
  {
    row: 513,
    title: "a StatefulSet that states its update strategy gets no rolling update beside it",
    run: async ({ namespace, quietly, note }) => {
      const path = `/apis/apps/v1/namespaces/${namespace}/statefulsets?dryRun=All`;
      const labels = { app: "a" };
      const template = { metadata: { labels }, spec: { containers: [{ name: "main", image: "main:1" }] } };
      for (const updateStrategy of [
        undefined,
        {},
        { type: "RollingUpdate" },
        { type: "RollingUpdate", rollingUpdate: {} },
        { rollingUpdate: {} },
        { rollingUpdate: { partition: 2 } },
        { type: "OnDelete" },
      ]) {
        const spec = { selector: { matchLabels: labels }, template, updateStrategy };
        const answer = await quietly({ method: "POST", path, body: { metadata: { name: "a" }, spec } });
        note(JSON.stringify({ updateStrategy }), objectOf(answer).spec?.["updateStrategy"]);
      }
    },
  },
  {
    row: 514,
    title: "a status of autoscaling/v1 that states nothing is that of its annotation",
    run: async ({ namespace, quietly, note }) => {
      const path = `/apis/autoscaling/v1/namespaces/${namespace}/horizontalpodautoscalers`;
      const spec = { maxReplicas: 5, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "none" } };
      const current = [{ type: "Resource", resource: { name: "cpu", currentAverageUtilization: 80 } }];
      const annotations = { "autoscaling.alpha.kubernetes.io/current-metrics": JSON.stringify(current) };
      const stated = { metadata: { name: "a", annotations }, spec };
      await quietly({ method: "POST", path, body: { metadata: { name: "a" }, spec } });
      for (const [title, body] of Object.entries({
        "without a status": stated,
        "an empty status": { ...stated, status: {} },
        "a status": { ...stated, status: { currentReplicas: 1, desiredReplicas: 2 } },
        "without an annotation": { metadata: { name: "a" }, spec },
      })) {
        const answer = await quietly({ method: "PUT", path: `${path}/a/status?dryRun=All`, body });
        note(title, objectOf(answer).status);
      }
    },
  },
  {
    row: 515,
    title: "a LimitRange has equal defaults for resources whose limits are their requests",
    run: async ({ namespace, quietly, note }) => {
      const path = `/api/v1/namespaces/${namespace}/limitranges?dryRun=All`;
      for (const resource of ["cpu", "hugepages-2Mi", "example.com/a", "kubernetes.io/a", "ephemeral-storage"]) {
        for (const [amount, requested] of [
          ["4", "2"],
          ["2", "4"],
          ["2", "2"],
        ] as const) {
          const item = {
            type: "Container",
            default: { [resource]: amount },
            defaultRequest: { [resource]: requested },
          };
          const body = { metadata: { name: "a" }, spec: { limits: [item] } };
          const answer = await quietly({ method: "POST", path, body });
          const { message } = answer.body as { readonly message?: string };
          note(`${resource}: ${amount} and ${requested}`, message ?? answer.status);
        }
      }
    },
  },
  {
    row: 553,
    title: "references to resources of containers are shown with a divisor of 0",
    run: async ({ namespace, quietly, note }) => {
      const container = { name: "main", image: "main:1" };
      const resourceFieldRef = { containerName: "main", resource: "limits.cpu" };
      const env = [{ name: "A", valueFrom: { resourceFieldRef } }];
      const downwardAPI = { items: [{ path: "a", resourceFieldRef }] };
      const spec = {
        restartPolicy: "Never",
        containers: [{ ...container, env }],
        initContainers: [{ ...container, name: "init", env }],
        volumes: [
          { name: "v", downwardAPI },
          { name: "w", projected: { sources: [{ downwardAPI }] } },
        ],
      };
      for (const [path, object] of Object.entries({
        [`/api/v1/namespaces/${namespace}/pods`]: { spec },
        [`/api/v1/namespaces/${namespace}/podtemplates`]: { template: { spec } },
        [`/apis/batch/v1/namespaces/${namespace}/jobs`]: { spec: { template: { spec } } },
        [`/apis/batch/v1/namespaces/${namespace}/cronjobs`]: {
          spec: { schedule: "0 0 * * *", jobTemplate: { spec: { template: { spec } } } },
        },
      })) {
        const body = { metadata: { name: "a" }, ...object };
        const { body: created } = await quietly({ method: "POST", path: `${path}?dryRun=All`, body });
        const { metadata, ...rest } = created as { readonly metadata: { readonly managedFields?: unknown } };
        const kind = path.slice(path.lastIndexOf("/") + 1);
        note(kind, (JSON.stringify(rest).match(/"divisor":"0"/gu) ?? []).length);
        note(`owners of ${kind}`, (JSON.stringify(metadata.managedFields).match(/"f:divisor"/gu) ?? []).length);
      }
    },
  },
  {
    row: 554,
    title: "a dry run gives a Service whose node port is negative the first port for checks of its health",
    run: async ({ namespace, quietly, note }) => {
      const path = `/api/v1/namespaces/${namespace}/services?dryRun=All`;
      for (const nodePort of [-1, -30_000, 98, 99, 70_000]) {
        const spec = { type: "LoadBalancer", externalTrafficPolicy: "Local", ports: [{ port: 80, nodePort }] };
        const { status, body } = await quietly({ method: "POST", path, body: { metadata: { name: "a" }, spec } });
        const { message, spec: created } = body as { readonly message?: string; readonly spec?: Json };
        note(`node port ${String(nodePort)}`, { status, message, port: created?.["healthCheckNodePort"] });
      }
    },
  },
  {
    row: 551,
    title: "empty lists of a network policy in the place of none are a new generation, but for those with a default",
    run: async ({ namespace, quietly, note }) => {
      const path = `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`;
      const spec = { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] };
      for (const [index, change] of [
        { policyTypes: [] },
        { egress: [] },
        { ingress: [] },
        { ingress: [{ ...spec.ingress[0], from: [] }] },
        { podSelector: { matchLabels: {} } },
        { podSelector: { matchExpressions: [] } },
        {},
      ].entries()) {
        const name = `policy-${String(index)}`;
        await quietly({ method: "POST", path, body: { metadata: { name }, spec } });
        const body = { metadata: { name }, spec: { ...spec, ...change } };
        const first = await quietly({ method: "PUT", path: `${path}/${name}`, body });
        const second = await quietly({ method: "PUT", path: `${path}/${name}`, body });
        note(JSON.stringify(change), [objectOf(first).metadata.generation, objectOf(second).metadata.generation]);
      }
    },
  },
  {
    row: 550,
    title: "times of conditions of claim templates are shown with null",
    run: async ({ namespace, quietly, note }) => {
      const path = `/apis/apps/v1/namespaces/${namespace}/statefulsets?dryRun=All`;
      const claim = (status: Json): Json => ({
        metadata: { name: "data" },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
        status,
      });
      const conditions = [
        { type: "Resizing", status: "True" },
        { type: "Other", status: "False", lastProbeTime: "2026-01-01T00:00:00Z" },
      ];
      const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "main", image: "main:1" }] } };
      const spec = {
        serviceName: "a",
        selector: { matchLabels: { a: "b" } },
        template,
        volumeClaimTemplates: [claim({}), { ...claim({ conditions }), metadata: { name: "logs" } }],
      };
      const { body } = await quietly({ method: "POST", path, body: { metadata: { name: "a" }, spec } });
      note("claim templates", (body as { readonly spec?: Json }).spec?.["volumeClaimTemplates"]);
    },
  },
  {
    row: 505,
    title: "images of Nodes without names are shown with null",
    run: async ({ quietly, note, cleanUp }) => {
      const path = "/api/v1/nodes";
      cleanUp(() => quietly({ method: "DELETE", path: `${path}/row-505` }));
      const images = [{}, { sizeBytes: 1 }, { names: [] }, { names: ["a"] }];
      for (const [title, call] of [
        ["created", { method: "POST", path, body: { metadata: { name: "row-505" }, status: { images } } }],
        ["read", { path: `${path}/row-505` }],
        [
          "changed",
          { method: "PATCH", path: `${path}/row-505/status`, body: { status: { images: [{}] } }, contentType: MERGE },
        ],
      ] as const) {
        note(title, objectOf(await quietly(call)).status?.["images"]);
      }
    },
  },
  {
    row: 504,
    title: "an empty preemption policy is kept",
    run: async ({ quietly, note, cleanUp }) => {
      const path = "/apis/scheduling.k8s.io/v1/priorityclasses";
      cleanUp(() => quietly({ method: "DELETE", path: `${path}/row-504` }));
      const body = { metadata: { name: "row-504" }, value: 5, preemptionPolicy: "" };
      for (const [title, call] of [
        ["created", { method: "POST", path, body }],
        ["read", { path: `${path}/row-504` }],
        ["set", { method: "PATCH", path: `${path}/row-504`, body: { preemptionPolicy: "Never" }, contentType: MERGE }],
        ["removed", { method: "PATCH", path: `${path}/row-504`, body: { preemptionPolicy: null }, contentType: MERGE }],
      ] as const) {
        const answer = objectOf(await quietly(call));
        note(title, { policy: answer["preemptionPolicy"], message: answer["message"] });
      }
    },
  },
];

const CORE = "/api/v1/namespaces/{namespace}";
const POD = (spec: Json): readonly [string, Json] => [`${CORE}/pods`, { spec }];
const CONTAINER = { name: "main", image: "main:1" };

const MISTYPED: readonly (readonly [path: string, object: Json])[] = [
  POD({ restartPolicy: 1 }),
  POD({ containers: [{ ...CONTAINER, imagePullPolicy: {} }] }),
  POD({ containers: [{ ...CONTAINER, ports: [{ protocol: [] }] }] }),
  POD({ containers: [{ ...CONTAINER, resources: { limits: "a" } }] }),
  POD({ containers: [{ ...CONTAINER, resources: { limits: [] } }] }),
  POD({ containers: [{ ...CONTAINER, securityContext: { capabilities: { add: [1] } } }] }),
  POD({ containers: [{ ...CONTAINER, securityContext: { capabilities: { add: {} } } }] }),
  POD({ containers: [{ ...CONTAINER, name: 1 }] }),
  POD({ ephemeralContainers: [{ ...CONTAINER, imagePullPolicy: 1 }] }),
  POD({ volumes: [{ name: "a", hostPath: { path: "/a", type: 1 } }] }),
  POD({ nodeSelector: { a: 1 } }),
  POD({ nodeSelector: "a" }),
  POD({ dnsPolicy: true }),
  [`${CORE}/services`, { spec: { type: 1 } }],
  [`${CORE}/services`, { spec: { ipFamilies: [1] } }],
  [`${CORE}/services`, { spec: { ipFamilies: "IPv4" } }],
  [`${CORE}/services`, { spec: { externalIPs: [1] } }],
  [`${CORE}/resourcequotas`, { spec: { scopes: [{}] } }],
  [`${CORE}/resourcequotas`, { spec: { hard: "a" } }],
  [`${CORE}/persistentvolumeclaims`, { spec: { accessModes: [1] } }],
  [`${CORE}/persistentvolumeclaims`, { spec: { accessModes: 1 } }],
  [`${CORE}/secrets`, { type: 1 }],
  [`${CORE}/secrets`, { data: { a: 1 } }],
  [`${CORE}/secrets`, { data: [] }],
  [`${CORE}/configmaps`, { data: { a: 1 } }],
  [`${CORE}/configmaps`, { metadata: { name: "a", uid: 1 } }],
  [`${CORE}/configmaps`, { metadata: { name: "a", ownerReferences: [{ uid: {} }] } }],
  ["/apis/apps/v1/namespaces/{namespace}/deployments", { spec: { strategy: { type: 1 } } }],
  ["/apis/batch/v1/namespaces/{namespace}/jobs", { spec: { completionMode: [] } }],
  ["/apis/networking.k8s.io/v1/namespaces/{namespace}/networkpolicies", { spec: { policyTypes: [1] } }],
  ["/apis/autoscaling/v2/namespaces/{namespace}/horizontalpodautoscalers", { spec: { metrics: [{ type: 1 }] } }],
  [
    "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
    { webhooks: [{ rules: [{ operations: [1] }] }] },
  ],
];
