import { expect, it } from "vitest";

import { type Random, seededRandom } from "../../src/conversion/random-value.ts";
import { startCluster, startRealServer } from "../conformance/flag-row.ts";
import type { Json } from "../conformance/row.ts";
import { comparableOutcome, HUNG_UP, type Outcome, ValidatedServer } from "./validated-server.ts";

// Without a number of writes, no real control plane is started: `npm run fuzz:validation -- --services 1000` states it.
const WRITES = Number(process.env["VALIDATION_SERVICES"] ?? 0);
const SEED = Number(process.env["VALIDATION_SEED"] ?? 1);
const TIMEOUT_MS = 24 * 60 * 60 * 1000;
const SERVICES = "/api/v1/namespaces/default/services";
const ADDRESSES = "/apis/networking.k8s.io/v1/ipaddresses";

const SERVERS = [
  { flags: ["--service-cluster-ip-range=10.0.0.0/24,fd00::/108"] },
  { flags: ["--service-cluster-ip-range=fd00::/108,10.0.0.0/24", "--advertise-address=fd00::1"] },
  { flags: ["--service-cluster-ip-range=fd00::/108", "--advertise-address=fd00::1"] },
];

it("writes are the same for the same seed", () => {
  const take = (seed: number): unknown => {
    const random = seededRandom(seed);
    return Array.from({ length: 200 }, () => randomWrite(random));
  };
  expect(take(1)).toEqual(take(1));
  expect(take(1)).not.toEqual(take(2));
});

it.each(WRITES > 0 ? SERVERS : [])(
  "with $flags, both servers give Services the same addresses",
  { timeout: TIMEOUT_MS },
  async ({ flags }) => {
    const [embedded, kubernetes] = await Promise.all([startCluster(flags), startRealServer(flags, false)]);
    try {
      const servers = [new ValidatedServer(embedded.admin), new ValidatedServer(kubernetes.admin)] as const;
      expect(await differencesOf(servers, seededRandom(SEED))).toEqual([]);
    } finally {
      await Promise.all([embedded.stop(), kubernetes.stop()]);
    }
  },
);

type ServerPair = readonly [embedded: ValidatedServer, kubernetes: ValidatedServer];

// Later writes are not compared: their Services differ.
async function differencesOf(servers: ServerPair, random: Random): Promise<readonly Json[]> {
  for (let done = 0; done < WRITES; done += 1) {
    const write = randomWrite(random);
    const [embedded, kubernetes] = await Promise.all(servers.map(async (server) => await answerOf(server, write)));
    // kube-apiserver panics for some Services with a family that the cluster does not have.
    if (kubernetes?.status === HUNG_UP.status && (embedded?.status ?? 0) >= 400) continue;
    if (JSON.stringify(embedded) !== JSON.stringify(kubernetes)) return [{ done, write, embedded, kubernetes }];
    await Promise.all(servers.map(async (server) => await releaseLost(server, write)));
  }
  return [];
}

interface Write {
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly name: string;
  readonly body?: Json;
}

const ADDRESS_LISTS = [
  ["10.0.0.5"],
  ["10.0.0.6"],
  ["fd00::5"],
  ["fd00:0::6"],
  ["fd01::1"],
  ["10.1.0.1"],
  ["None"],
  ["10.0.0.5", "fd00::5"],
  ["10.0.0.6", "fd00::6"],
  ["fd00::6", "10.0.0.7"],
  ["fd00::7", "10.0.0.5"],
  ["10.0.0.5", "10.0.0.6"],
  ["10.0.0.7", "fd01::1"],
  ["fd00::", "10.0.0.255"],
  ["None", "fd00::5"],
  ["10.0.0.256"],
  ["::ffff:10.0.0.8"],
] as const;
const FAMILY_LISTS = [["IPv4"], ["IPv6"], ["IPv4", "IPv6"], ["IPv6", "IPv4"], ["IPv6", "IPv6"], ["IPv5"], []] as const;
const POLICIES = ["SingleStack", "PreferDualStack", "RequireDualStack", "PreferDualStack", "Dual"] as const;

function randomWrite(random: Random): Write {
  const name = pick(random, ["a", "b", "c", "d"]);
  const query = random() < 0.25 ? "?dryRun=All" : "";
  const path = `${SERVICES}/${name}${query}`;
  const chance = random();
  if (chance < 0.15) return { method: "DELETE", path, name };
  const isPatch = chance < 0.65;
  const spec = randomSpec(random, isPatch);
  return isPatch
    ? { method: "PATCH", path, name, body: { spec } }
    : { method: "POST", path: `${SERVICES}${query}`, name, body: { metadata: { name }, spec } };
}

function randomSpec(random: Random, isPatch: boolean): Json {
  const addresses = pick(random, ADDRESS_LISTS);
  const [first] = addresses;
  const spec: Json = isPatch ? {} : { ports: [{ port: 80 }] };
  const change = (field: string, probability: number, value: () => unknown): void => {
    if (random() < probability) spec[field] = isPatch && random() < 0.15 ? null : value();
  };
  change("ipFamilyPolicy", 0.5, () => pick(random, POLICIES));
  change("ipFamilies", 0.3, () => pick(random, FAMILY_LISTS));
  change("selector", 0.3, () => ({ app: "a" }));
  const isStated = random() < 0.35;
  if (isStated) change("clusterIP", 0.9, () => first);
  if (isStated) change("clusterIPs", 0.7, () => addresses);
  if (random() < 0.15) {
    const type = pick(random, ["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"]);
    Object.assign(spec, { type }, type === "ExternalName" ? { externalName: "example.com" } : {});
  }
  return spec;
}

function pick<Value>(random: Random, values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)] as Value;
}

async function answerOf(server: ValidatedServer, write: Write): Promise<Outcome> {
  const { status, warnings, body } = comparableOutcome(await send(server, write));
  const { ports: _ports, healthCheckNodePort: _port, ...spec } = (body["spec"] ?? {}) as Json;
  const { details, message } = body;
  return JSON.parse(
    JSON.stringify({ status, warnings, body: { spec: sorted(spec), details: sorted(details), message } })
      .replaceAll(/\b10\.0\.0\.(?:1[7-9]|[2-9]\d|\d{3})\b|<address>/gu, (address) =>
        address.endsWith(".255") || address.endsWith(".256") ? address : "<IPv4>",
      )
      .replaceAll(/\bfd00::[0-9a-f:]{3,}/gu, "<IPv6>")
      // Of two addresses that cannot be had, kube-apiserver reports either.
      .replaceAll(/failed to allocate IP [^"]*/gu, "failed to allocate IP"),
  ) as Outcome;
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

async function send(server: ValidatedServer, { method, path, body }: Omit<Write, "name">): Promise<Outcome> {
  const contentType = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  return await server.send({ method, path, contentType, ...(body === undefined ? {} : { body }), isRepeatable: false });
}

// kube-apiserver keeps the first address of a Service for a while although it refuses the second one.
async function releaseLost(server: ValidatedServer, { name }: Write): Promise<void> {
  const read = async (path: string): Promise<Json> =>
    (await server.send({ method: "GET", path, contentType: "application/json", isRepeatable: true })).body;
  const { items } = await read(ADDRESSES);
  const service = await read(`${SERVICES}/${name}`);
  const used = (((service["spec"] ?? {}) as Json)["clusterIPs"] ?? []) as readonly string[];
  for (const { metadata, spec } of items as readonly { readonly metadata: Json; readonly spec: Json }[]) {
    const address = String(metadata["name"]);
    const isOwn = (spec["parentRef"] as Json)["name"] === name;
    if (!isOwn || used.some((each) => each.replace("fd00:0::", "fd00::") === address)) continue;
    await send(server, { method: "DELETE", path: `${ADDRESSES}/${address}` });
  }
}
