import { objectOf, type Answer, type Call, type Json, type KubeObject, type Row, type RowContext } from "../row.ts";

const MERGE = "application/merge-patch+json";

export const ENDPOINT_ROWS: readonly Row[] = [
  {
    row: 234,
    title: "the Pods that a Service selects are its Endpoints and EndpointSlices, by readiness and ports",
    needs: ["controllers"],
    run: async (tools) => {
      const { quietly, namespace } = tools;
      await createNode(tools, "zone-a");
      await createService(tools, "web", {
        selector: { app: "web" },
        ports: [
          { name: "http", port: 80, targetPort: "http", appProtocol: "http" },
          { name: "metrics", port: 9090, targetPort: 9100 },
        ],
      });
      await noteEndpoints(tools, "web", "without Pods", 0);
      await createPod(tools, "first", { ip: "10.1.0.1", isReady: true, port: 8080 });
      await noteEndpoints(tools, "web", "one Pod", 1);
      await createPod(tools, "second", { ip: "10.1.0.2", isReady: false, port: 8080 });
      await createPod(tools, "third", { ip: "10.1.0.3", isReady: true, port: 8081 });
      await createPod(tools, "nameless", { ip: "10.1.0.4", isReady: true });
      await noteEndpoints(tools, "web", "Pods with other ports", 4);
      await setStatus(tools, "second", { ip: "10.1.0.2", isReady: true });
      await noteEndpoints(tools, "web", "a Pod became ready", 4, (endpoints) =>
        endpoints.every(({ conditions }) => (conditions as Json)["ready"] === true),
      );
      await quietly({ method: "DELETE", path: `${podsOf(tools)}/third?gracePeriodSeconds=0` });
      await quietly({ method: "DELETE", path: `${podsOf(tools)}/nameless?gracePeriodSeconds=0` });
      await noteEndpoints(tools, "web", "two deleted Pods", 2);
      await quietly({
        method: "PATCH",
        path: `/api/v1/namespaces/${namespace}/services/web`,
        body: { metadata: { labels: { tier: "front" } } },
        contentType: MERGE,
      });
      await noteEndpoints(
        tools,
        "web",
        "another label",
        2,
        undefined,
        ({ metadata }) => labelsOf(metadata)["tier"] !== undefined,
      );
      await quietly({ method: "DELETE", path: `/api/v1/namespaces/${namespace}/services/web` });
      const gone = await tools.eventually(
        { path: `/api/v1/namespaces/${namespace}/endpoints/web` },
        ({ status }) => status === 404,
      );
      tools.note("the Endpoints of a deleted Service", gone.status);
      const slices = await tools.eventually(slicesOf(tools, "web"), (answer) => itemsOf(answer).length === 0);
      tools.note("the slices of a deleted Service", itemsOf(slices).length);
    },
  },
  {
    row: 235,
    title: "headless Services have host names, and addresses that are not ready if they are published",
    needs: ["controllers"],
    run: async (tools) => {
      const { quietly } = tools;
      await createNode(tools);
      await createService(tools, "db", { clusterIP: "None", selector: { app: "web" } });
      await createService(tools, "peers", {
        clusterIP: "None",
        selector: { app: "web" },
        publishNotReadyAddresses: true,
        trafficDistribution: "PreferSameNode",
        ports: [{ port: 1 }],
      });
      await createPod(tools, "named", {
        ip: "10.1.1.1",
        isReady: true,
        spec: { hostname: "named", subdomain: "db" },
        finalizers: ["example.com/hold"],
      });
      await createPod(tools, "waiting", { ip: "10.1.1.2", isReady: false });
      await noteEndpoints(tools, "db", "headless", 2);
      await noteEndpoints(tools, "peers", "published", 2);
      // A kubelet would report how the Pod has ended.
      await quietly({
        method: "PATCH",
        path: `${podsOf(tools)}/named`,
        body: { metadata: { annotations: { "kubescaffold.dev/simulate": "manual" } } },
        contentType: MERGE,
      });
      await quietly({ method: "DELETE", path: `${podsOf(tools)}/named?gracePeriodSeconds=0` });
      await noteEndpoints(tools, "db", "headless with a terminating Pod", 2, isTerminating);
      await noteEndpoints(tools, "peers", "published with a terminating Pod", 2, isTerminating);
      await quietly({
        method: "PATCH",
        path: `${podsOf(tools)}/named`,
        body: { metadata: { finalizers: null } },
        contentType: MERGE,
      });
    },
  },
  {
    row: 236,
    title: "Endpoints that a user writes for a Service without a selector are mirrored",
    needs: ["controllers"],
    run: async (tools) => {
      const { quietly, namespace } = tools;
      await createService(tools, "outside", { ports: [{ name: "db", port: 5432 }] });
      const path = `/api/v1/namespaces/${namespace}/endpoints`;
      const body = (addresses: readonly string[], labels: Json = {}): Json => ({
        metadata: { name: "outside", labels, annotations: { note: "kept" } },
        subsets: [
          {
            addresses: addresses.map((ip) => ({ ip })),
            notReadyAddresses: [{ ip: "192.0.2.9", hostname: "spare" }],
            ports: [{ name: "db", port: 5432 }],
          },
        ],
      });
      await quietly({ method: "POST", path, body: body(["192.0.2.1", "2001:db8::1"], { a: "b" }) });
      await noteSlices(tools, "outside", "mirrored", 3);
      await quietly({ method: "PUT", path: `${path}/outside`, body: body(["192.0.2.1", "192.0.2.2"], { a: "c" }) });
      await noteSlices(tools, "outside", "changed", 3, (slice) => labelsOf(slice.metadata)["a"] === "c");
      await quietly({
        method: "PATCH",
        path: `${path}/outside`,
        body: { metadata: { labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } } },
        contentType: MERGE,
      });
      await noteSlices(tools, "outside", "skipped", 0);
    },
  },
];

const podsOf = ({ namespace }: RowContext): string => `/api/v1/namespaces/${namespace}/pods`;

async function createNode({ quietly, eventually, cleanUp, namespace }: RowContext, zone: string = ""): Promise<void> {
  const labels = zone === "" ? {} : { "topology.kubernetes.io/zone": zone };
  await quietly({ method: "POST", path: "/api/v1/nodes", body: { metadata: { name: `${namespace}-node`, labels } } });
  cleanUp(async () => quietly({ method: "DELETE", path: `/api/v1/nodes/${namespace}-node` }));
  await eventually({ path: `/api/v1/nodes/${namespace}-node` }, ({ status }) => status === 200);
}

async function createService({ quietly, namespace }: RowContext, name: string, spec: Json): Promise<void> {
  const labels = { team: "conformance", "service.kubernetes.io/headless": "ignored" };
  const body = { metadata: { name, labels }, spec };
  await quietly({ method: "POST", path: `/api/v1/namespaces/${namespace}/services`, body });
}

interface PodInput {
  readonly ip: string;
  readonly isReady: boolean;
  readonly port?: number;
  readonly spec?: Json;
  readonly finalizers?: readonly string[];
}

// Nothing runs the Pods of this node: the row writes their status.
async function createPod(tools: RowContext, name: string, input: PodInput): Promise<void> {
  const ports = input.port === undefined ? [] : [{ name: "http", containerPort: input.port }];
  const body = {
    metadata: {
      name,
      labels: { app: "web" },
      annotations: input.isReady ? {} : { [SIMULATION]: "NeverReady" },
      finalizers: [...(input.finalizers ?? [])],
    },
    spec: {
      nodeName: `${tools.namespace}-node`,
      automountServiceAccountToken: false,
      containers: [{ name: "c", image: "nginx", ports }],
      ...input.spec,
    },
  };
  await tools.quietly({ method: "POST", path: podsOf(tools), body });
  await tools.eventually(
    { path: `${podsOf(tools)}/${name}` },
    (answer) => objectOf(answer).status?.["phase"] === "Running",
  );
  await setStatus(tools, name, input);
}

const SIMULATION = "kubescaffold.dev/simulate";

async function setStatus(tools: RowContext, name: string, input: PodInput): Promise<void> {
  const { ip, isReady } = input;
  await tools.quietly({
    method: "PATCH",
    path: `${podsOf(tools)}/${name}`,
    // The embedded server would report the status of its container again.
    body: { metadata: { annotations: { [SIMULATION]: isReady ? null : "manual" } } },
    contentType: MERGE,
  });
  const conditions = [
    { type: "Ready", status: isReady ? "True" : "False", lastTransitionTime: "2026-01-01T00:00:00Z" },
  ];
  await tools.quietly({
    method: "PATCH",
    path: `${podsOf(tools)}/${name}/status`,
    body: { status: { podIP: ip, podIPs: [{ ip }], conditions } },
    contentType: MERGE,
  });
}

type Endpoint = Json & { readonly addresses: readonly string[] };

function isTerminating(endpoints: readonly Endpoint[]): boolean {
  return endpoints.some(({ conditions }) => (conditions as Json)["terminating"] === true);
}

function slicesOf({ namespace }: RowContext, name: string): Call {
  const selector = encodeURIComponent(`kubernetes.io/service-name=${name}`);
  return { path: `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices?labelSelector=${selector}` };
}

function itemsOf(answer: Answer): readonly KubeObject[] {
  return objectOf(answer).items ?? [];
}

function labelsOf(metadata: Json): Json {
  return (metadata["labels"] ?? {}) as Json;
}

function endpointsOf(slices: readonly KubeObject[]): readonly Endpoint[] {
  return slices.flatMap((slice) => (slice["endpoints"] ?? []) as readonly Endpoint[]);
}

async function noteSlices(
  tools: RowContext,
  name: string,
  step: string,
  count: number,
  isWanted: (slice: KubeObject) => boolean = () => true,
  areWanted: (endpoints: readonly Endpoint[]) => boolean = () => true,
): Promise<void> {
  const answer = await tools.eventually(slicesOf(tools, name), (each) => {
    const slices = itemsOf(each);
    const endpoints = endpointsOf(slices);
    return endpoints.length === count && slices.every(isWanted) && areWanted(endpoints);
  });
  tools.note(`slices: ${step}`, sorted(itemsOf(answer).map(comparable)));
}

// Generated names, versions, and times differ between runs, and so does the order of endpoints and ports.
function comparable({ metadata, ...slice }: KubeObject): Json {
  const { labels, annotations, ownerReferences, generateName, generation: _generation } = metadata;
  const [endpoints, ports] = [slice["endpoints"], slice["ports"]] as readonly (readonly Json[] | null)[];
  return {
    labels,
    annotations: withoutTime(annotations as Json | undefined),
    generateName,
    ownerReferences,
    addressType: slice["addressType"],
    endpoints: endpoints === null ? null : sorted(endpoints ?? []),
    ports: ports === null ? null : sorted(ports ?? []),
  };
}

function withoutTime(annotations: Json = {}): unknown {
  const { "endpoints.kubernetes.io/last-change-trigger-time": _time, ...others } = annotations;
  return others;
}

// The same fields in the same order, whoever wrote them.
function sorted(values: readonly Json[]): readonly Json[] {
  const key = (value: Json): string =>
    JSON.stringify(value["addresses"] ?? value["port"] ?? value["ip"] ?? [value["endpoints"], value["ports"]]);
  return [...values].sort((left, right) => (key(left) < key(right) ? -1 : 1));
}

async function noteEndpoints(
  tools: RowContext,
  name: string,
  step: string,
  count: number,
  areWanted: (endpoints: readonly Endpoint[]) => boolean = () => true,
  isWanted: (slice: KubeObject) => boolean = () => true,
): Promise<void> {
  // A Service always has a slice.
  await tools.eventually(slicesOf(tools, name), (each) => itemsOf(each).length > 0);
  await noteSlices(tools, name, `${name} ${step}`, count, isWanted, areWanted);
  const path = `/api/v1/namespaces/${tools.namespace}/endpoints/${name}`;
  const isStable = stableOver(5);
  const answer = await tools.eventually({ path }, (each) => each.status === 200 && isStable(each));
  const { metadata, subsets } = objectOf(answer);
  tools.note(`endpoints: ${name} ${step}`, {
    labels: metadata["labels"],
    subsets: subsets === undefined ? undefined : sortedSubsets(subsets as readonly Json[]),
  });
}

// Both controllers write by themselves.
function stableOver(times: number): (answer: Answer) => boolean {
  let version = "";
  let same = 0;
  return (answer) => {
    const { resourceVersion } = objectOf(answer).metadata ?? {};
    same = resourceVersion === version ? same + 1 : 0;
    version = resourceVersion ?? "";
    return same >= times;
  };
}

function sortedSubsets(subsets: readonly Json[]): readonly Json[] {
  return subsets
    .map((subset) => ({
      ...subset,
      ...(subset["ports"] === undefined ? {} : { ports: sorted(subset["ports"] as readonly Json[]) }),
    }))
    .sort((left, right) => (firstAddress(left) < firstAddress(right) ? -1 : 1));
}

function firstAddress({ addresses, notReadyAddresses, ports }: Json): string {
  const all = [addresses, notReadyAddresses].flatMap((list) => (list ?? []) as readonly Json[]);
  return `${String(all[0]?.["ip"])} ${JSON.stringify(all.length)} ${String((ports as readonly Json[] | undefined)?.[0]?.["name"])}`;
}
