import type { FlagRow } from "../flag-row.ts";
import { objectOf, type Answer, type Json, type KubeObject, type RowContext } from "../row.ts";

const NETWORKING = "/apis/networking.k8s.io/v1";
const MERGE = "application/merge-patch+json";
const BOTH = ["IPv4", "IPv6"];
const DUAL = { ipFamilyPolicy: "RequireDualStack" };
const PREFERRED = { ipFamilyPolicy: "PreferDualStack" };
const SELECTED = { selector: { app: "web" } };
const HEADLESS = { clusterIP: "None" };

// Addresses without a request are from the upper part of a range, in any order.
const FREE_ADDRESS = /\b10\.0\.0\.(?:1[7-9]|[2-9]\d|\d{3})\b/gu;
const FREE_ADDRESS_IPV6 = /\bfd00::[0-9a-f:]{3,}/gu;

const CREATES: Readonly<Record<string, Json>> = {
  plain: {},
  preferred: PREFERRED,
  required: DUAL,
  "required with a selector": { ...DUAL, ...SELECTED },
  "IPv6 alone": { ipFamilies: ["IPv6"] },
  "IPv6 first": { ...DUAL, ipFamilies: ["IPv6"] },
  "both families": { ...PREFERRED, ipFamilies: ["IPv6", "IPv4"] },
  "both families without a policy": { ipFamilies: BOTH },
  "a family twice": { ...DUAL, ipFamilies: ["IPv6", "IPv6"] },
  "an unknown family": { ipFamilies: ["IPv5"] },
  "an unknown policy": { ipFamilyPolicy: "Dual" },
  "an address of IPv6": { clusterIP: "fd00::5" },
  "the same address": { clusterIP: "fd00::5" },
  "the same address in another form": { clusterIP: "fd00:0:0::5" },
  "an address of IPv4": { ...PREFERRED, clusterIP: "10.0.0.5" },
  "both addresses": { ...DUAL, clusterIP: "fd00::6", clusterIPs: ["fd00::6", "10.0.0.6"] },
  "both addresses without a policy": { clusterIP: "fd00::7", clusterIPs: ["fd00::7", "10.0.0.7"] },
  "other families": { ...DUAL, clusterIP: "fd00::7", clusterIPs: ["fd00::7", "10.0.0.7"], ipFamilies: BOTH },
  "two addresses of a family": { ...DUAL, clusterIP: "fd00::7", clusterIPs: ["fd00::7", "fd00::8"] },
  "another first address": { ...DUAL, clusterIP: "fd00::7", clusterIPs: ["10.0.0.7", "fd00::7"] },
  "an address outside": { clusterIP: "fd01::1" },
  "a second address outside": { ...DUAL, clusterIP: "10.0.0.7", clusterIPs: ["10.0.0.7", "fd01::1"] },
  "the network": { clusterIP: "fd00::" },
  "the last address of IPv6": { clusterIP: "fd00::f:ffff" },
  "the last address of IPv4": { clusterIP: "10.0.0.255" },
  "a reserved address": { clusterIP: "fd00::9" },
  "an address of IPv4 in the form of IPv6": { clusterIP: "::ffff:10.0.0.8" },
  headless: { ...HEADLESS, ...SELECTED },
  "headless and preferred": { ...HEADLESS, ...SELECTED, ...PREFERRED },
  "headless with IPv6": { ...HEADLESS, ...SELECTED, ipFamilies: ["IPv6"] },
  "headless without a selector": HEADLESS,
  "headless without a selector, with one family": { ...HEADLESS, ipFamilyPolicy: "SingleStack", ipFamilies: ["IPv6"] },
  "headless with an address": { ...DUAL, ...HEADLESS, clusterIPs: ["None", "fd00::7"] },
  "node ports": { ...PREFERRED, type: "NodePort", ports: [{ port: 80, nodePort: 30_010 }] },
  "a load balancer": { ...DUAL, type: "LoadBalancer" },
  "an external name": { ...DUAL, type: "ExternalName", externalName: "example.com" },
};

// Each changes what the one before has left.
const UPDATES: readonly (readonly [string, Json])[] = [
  ["become dual-stack by preference", PREFERRED],
  ["keep the preference", { ports: [{ port: 81 }] }],
  ["lose the second family without a policy", { ipFamilies: ["IPv4"] }],
  ["lose the second address without a policy", { ipFamilyPolicy: null, clusterIPs: ["10.0.0.4"] }],
  ["require both", DUAL],
  ["change the second family", { ipFamilies: ["IPv6", "IPv4"] }],
  ["change the second address", { clusterIPs: ["10.0.0.4", "fd00::4"] }],
  ["become single-stack", { ipFamilyPolicy: "SingleStack" }],
  ["change the first address", { clusterIP: "10.0.0.3", clusterIPs: ["10.0.0.3"] }],
  ["change the family", { ipFamilies: ["IPv6"] }],
  ["add a family without a policy", { ipFamilies: BOTH }],
  ["add an address that another Service has", { ...DUAL, clusterIPs: ["10.0.0.4", "fd00::6"] }],
  ["add an address outside", { ...DUAL, clusterIPs: ["10.0.0.4", "fd01::4"] }],
  ["add an address", { ...PREFERRED, clusterIPs: ["10.0.0.4", "fd00::4"] }],
  ["become single-stack, and state one family", { ipFamilyPolicy: "SingleStack", ipFamilies: ["IPv4"] }],
  ["add a family", { ...DUAL, ipFamilies: BOTH }],
  ["get node ports", { type: "NodePort", ports: [{ port: 80, nodePort: 30_020 }] }],
  ["become a name", { type: "ExternalName", externalName: "example.com" }],
  ["get addresses again", { ...DUAL, type: "ClusterIP" }],
  ["become headless", { clusterIP: "None", clusterIPs: ["None"] }],
];

const HEADLESS_UPDATES: readonly (readonly [string, Json])[] = [
  ["a headless Service prefers both", PREFERRED],
  ["a headless Service has one family", { ipFamilyPolicy: "SingleStack" }],
  ["a headless Service has the other family", { ipFamilies: ["IPv6"] }],
  ["a headless Service loses its selector", { ...DUAL, selector: null }],
  ["a headless Service gets an address", { clusterIP: "10.0.0.2", clusterIPs: ["10.0.0.2"] }],
];

const WITH_BOTH = "--service-cluster-ip-range=10.0.0.0/24,fd00::/108";

export const DUAL_STACK_ROWS: readonly FlagRow[] = [
  {
    row: 525,
    title: "with two ranges, Services get addresses of both families as their policy says",
    flags: async () => await Promise.resolve([WITH_BOTH]),
    run: async (tools) => {
      await noteFirstObjects(tools);
      await reserve(tools, "fd00::9");
      for (const [step, spec] of Object.entries(CREATES)) {
        await create(tools, `${step}, as a dry run`, spec, "?dryRun=All");
        await create(tools, step, spec);
      }
      await create(tools, "changed", { clusterIP: "10.0.0.4" });
      for (const [step, spec] of UPDATES) {
        await update(tools, `${step}, as a dry run`, "changed", spec, "?dryRun=All");
        await update(tools, step, "changed", spec);
      }
      await create(tools, "changed-headless", { ...HEADLESS, ...SELECTED });
      for (const [step, spec] of HEADLESS_UPDATES) await update(tools, step, "changed-headless", spec);
      await noteAddresses(tools, "the addresses");
    },
  },
  {
    row: 526,
    title: "the family of the first range is the default",
    flags: async () =>
      await Promise.resolve(["--service-cluster-ip-range=fd00::/108,10.0.0.0/24", "--advertise-address=fd00::1"]),
    run: async (tools) => {
      await noteFirstObjects(tools);
      for (const step of ["plain", "preferred", "IPv6 alone", "an address of IPv4", "headless without a selector"]) {
        await create(tools, step, CREATES[step] ?? {});
      }
      await create(tools, "IPv4 alone", { ipFamilies: ["IPv4"] });
    },
  },
  {
    row: 527,
    title: "with a range of IPv6, Services have no other family",
    flags: async () =>
      await Promise.resolve(["--service-cluster-ip-range=fd00::ff00/124", "--advertise-address=fd00::1"]),
    run: async (tools) => {
      await noteFirstObjects(tools);
      await create(tools, "the last address", { clusterIP: "fd00::ff0f" });
      const steps = ["plain", "preferred", "required", "an address of IPv4", "headless without a selector", "headless"];
      for (const step of steps) await create(tools, step, CREATES[step] ?? {});
      await create(tools, "IPv4 alone", { ipFamilies: ["IPv4"] });
      const { namespace, quietly } = tools;
      for (let number = 0; number < 11; number += 1) {
        const body = { metadata: { name: `filler-${String(number)}` }, spec: { ports: [{ port: 80 }] } };
        await quietly({ method: "POST", path: `/api/v1/namespaces/${namespace}/services`, body });
      }
      await create(tools, "a full range", {});
      await create(tools, "a full range, as a dry run", {}, "?dryRun=All");
    },
  },
  {
    row: 528,
    title: "Services have EndpointSlices of each of their families, and Endpoints of the first one",
    hasControllers: true,
    flags: async () => await Promise.resolve([WITH_BOTH]),
    run: async (tools) => {
      const { namespace, quietly } = tools;
      await quietly({ method: "POST", path: "/api/v1/nodes", body: { metadata: { name: "node-a" } } });
      await createPod(tools, "both", ["10.1.0.1", "fd01::1"]);
      await createPod(tools, "four", ["10.1.0.2"]);
      await createPod(tools, "six", ["fd01::3"]);
      const services: Readonly<Record<string, Json>> = {
        single: {},
        "dual-stack": DUAL,
        "six-first": { ...DUAL, ipFamilies: ["IPv6", "IPv4"] },
        headless: { ...HEADLESS, ...PREFERRED },
        "six-alone": { ...HEADLESS, ipFamilies: ["IPv6"] },
      };
      for (const [name, spec] of Object.entries(services)) {
        const body = { metadata: { name }, spec: { ...SELECTED, ports: [{ port: 80 }], ...spec } };
        await quietly({ method: "POST", path: `/api/v1/namespaces/${namespace}/services`, body });
        await noteEndpoints(tools, name, spec["ipFamilyPolicy"] === undefined ? 1 : 2);
      }
      await update(tools, "become single-stack", "six-first", { ipFamilyPolicy: "SingleStack" });
      await noteEndpoints(tools, "six-first", 1);
      await update(tools, "become dual-stack", "single", PREFERRED);
      await noteEndpoints(tools, "single", 2);
      const range = { metadata: { name: "more" }, spec: { cidrs: ["10.5.0.0/24", "fd05::/112"] } };
      await quietly({ method: "POST", path: `${NETWORKING}/servicecidrs`, body: range });
      const body = { metadata: { name: "more" }, spec: { ports: [{ port: 80 }], ...DUAL } };
      const stated = { ...body.spec, clusterIP: "fd05::5", clusterIPs: ["fd05::5", "10.5.0.5"] };
      // Servers notice new ranges after a while.
      const answer = await tools.eventually(
        { method: "POST", path: `/api/v1/namespaces/${namespace}/services`, body: { ...body, spec: stated } },
        ({ status }) => status === 201,
      );
      noteService(tools, "create: in a new range", answer);
    },
  },
];

async function createPod(
  { namespace, quietly }: RowContext,
  name: string,
  addresses: readonly string[],
): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/pods`;
  const spec = { nodeName: "node-a", containers: [{ name: "c", image: "c" }], automountServiceAccountToken: false };
  await quietly({ method: "POST", path, body: { metadata: { name, labels: SELECTED.selector }, spec } });
  const podIPs = addresses.map((ip) => ({ ip }));
  const conditions = [{ type: "Ready", status: "True" }];
  await quietly({
    method: "PATCH",
    path: `${path}/${name}/status`,
    contentType: MERGE,
    body: { status: { phase: "Running", podIP: addresses[0], podIPs, conditions } },
  });
}

async function noteEndpoints({ namespace, eventually, note }: RowContext, name: string, count: number): Promise<void> {
  const query = `?labelSelector=kubernetes.io/service-name=${name}`;
  const slices = await eventually(
    { path: `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices${query}` },
    (answer) => objectOf(answer).items?.length === count,
  );
  const lines = (objectOf(slices).items ?? []).map(({ metadata, addressType, endpoints, ports }) => ({
    addressType,
    labels: metadata["labels"],
    addresses: ((endpoints ?? []) as readonly Json[])
      .flatMap(({ addresses }) => addresses as readonly string[])
      .toSorted(),
    ports,
  }));
  const path = `/api/v1/namespaces/${namespace}/endpoints/${name}`;
  const { subsets } = objectOf(await eventually({ path }, ({ status }) => status === 200));
  const ips = ((subsets ?? []) as readonly Json[]).flatMap(({ addresses }) =>
    (addresses as readonly Json[]).map(({ ip }) => ip),
  );
  note(`endpoints of ${name}, ${String(count)}`, { slices: lines.toSorted(byType), endpoints: ips });
}

function byType(left: { readonly addressType: unknown }, right: { readonly addressType: unknown }): number {
  return String(left.addressType) < String(right.addressType) ? -1 : 1;
}

async function noteFirstObjects(tools: RowContext): Promise<void> {
  const { eventually, note } = tools;
  // Both are created after the server is ready.
  const created = async (path: string): Promise<KubeObject> =>
    objectOf(await eventually({ path }, ({ status }) => status === 200));
  const range = await created(`${NETWORKING}/servicecidrs/kubernetes`);
  const { spec = {} } = await created("/api/v1/namespaces/default/services/kubernetes");
  note("the range", { spec: range.spec, status: range.status });
  // The server listens on any port.
  const { ports: _ports, ...others } = spec;
  note("the Service kubernetes", others);
  await noteAddresses(tools, "the first addresses");
}

async function noteAddresses({ quietly, eventually, note }: RowContext, step: string): Promise<void> {
  const { items: services = [] } = objectOf(await quietly({ path: "/api/v1/services" }));
  const wanted = services
    .filter(({ metadata }) => !NOT_COMPARED.has(metadata.name))
    .flatMap(({ spec }) => (spec?.["clusterIPs"] ?? []) as readonly string[])
    .filter((address) => address !== "None").length;
  const read = (answer: Answer): readonly KubeObject[] =>
    (objectOf(answer).items ?? []).filter((address) => !NOT_COMPARED.has(parentOf(address)));
  const path = `${NETWORKING}/ipaddresses`;
  const answer = await eventually({ path }, (each) => read(each).length === wanted);
  const lines = read(answer).map(({ metadata, ...address }) =>
    JSON.stringify([withoutFree(metadata.name), metadata["labels"], parentOf({ metadata, ...address })]),
  );
  note(step, lines.toSorted());
}

function parentOf({ spec }: KubeObject): string {
  return String(((spec?.["parentRef"] ?? {}) as Json)["name"]);
}

// A reserved address, a Service of which kube-apiserver keeps the first address for a while although it refuses the second one,
// and one that loses its addresses and gets others, which kube-apiserver's repair may delete for minutes: it still knows the Service without addresses.
const NOT_COMPARED: ReadonlySet<string> = new Set(["later", "a-second-address-outside", "changed"]);

async function reserve({ quietly }: RowContext, name: string): Promise<void> {
  const parentRef = { resource: "services", namespace: "default", name: "later" };
  await quietly({
    method: "POST",
    path: `${NETWORKING}/ipaddresses`,
    body: { metadata: { name }, spec: { parentRef } },
  });
}

async function create(tools: RowContext, step: string, spec: Json, query = ""): Promise<void> {
  const { namespace, quietly } = tools;
  const name = step.replaceAll(/[^a-zA-Z0-9]+/gu, "-").toLowerCase();
  noteService(
    tools,
    `create: ${step}`,
    await quietly({
      method: "POST",
      path: `/api/v1/namespaces/${namespace}/services${query}`,
      body: { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } },
    }),
  );
}

async function update(tools: RowContext, step: string, name: string, spec: Json, query = ""): Promise<void> {
  const { namespace, quietly } = tools;
  noteService(
    tools,
    `update: ${step}`,
    await quietly({
      method: "PATCH",
      path: `/api/v1/namespaces/${namespace}/services/${name}${query}`,
      contentType: MERGE,
      body: { spec },
    }),
  );
}

function noteService({ note }: RowContext, step: string, answer: Answer): void {
  const { spec = {}, message, details } = answer.body as KubeObject;
  const { ipFamilies, ipFamilyPolicy, clusterIP, clusterIPs, ports } = spec;
  const fact =
    answer.status < 300
      ? { status: answer.status, ipFamilies, ipFamilyPolicy, clusterIP, clusterIPs, nodePorts: statedNodePorts(ports) }
      : { status: answer.status, message, details };
  note(step, JSON.parse(withoutFree(JSON.stringify(fact))));
}

function statedNodePorts(ports: unknown): readonly unknown[] {
  return ((ports ?? []) as readonly Json[]).map(({ nodePort }) =>
    nodePort === 30_010 || nodePort === 30_020 ? nodePort : typeof nodePort,
  );
}

function withoutFree(text: string): string {
  return text.replaceAll(FREE_ADDRESS, "<IPv4>").replaceAll(FREE_ADDRESS_IPV6, "<IPv6>");
}
