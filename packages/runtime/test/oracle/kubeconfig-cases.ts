import { printYaml } from "@kubescaffold/k8s/yaml";

/** A change of the kubeconfigs in a folder, which texts call ROOT; the Go program of this folder reads it. */
export interface KubeconfigCase {
  readonly files: Readonly<Record<string, string>>;
  /** The files of `KUBECONFIG`. */
  readonly kubeconfig: readonly string[];
  /** The file of `--kubeconfig`; empty without one. */
  readonly explicit: string;
  readonly relativize: boolean;
  /** A kubeconfig whose entries replace others. */
  readonly set: string;
  readonly delete: Readonly<Record<"clusters" | "users" | "contexts", readonly string[]>>;
  /** The new current context; null leaves it. */
  readonly currentContext: string | null;
}

/** Makes random cases, the same for the same seed. */
export function makeKubeconfigCases(count: number, seed = 1): readonly KubeconfigCase[] {
  const random = generator(seed);
  return Array.from({ length: count }, () => makeCase(random));
}

type Random = () => number;

// mulberry32
function generator(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const NAMES = ["a", "b", "prod/eu", "1", "kind-x", "Z"];
const FILES = ["one", "two.yaml", "three"];

function makeCase(random: Random): KubeconfigCase {
  const present = FILES.filter(() => random() < 0.7);
  const listed = FILES.filter(() => random() < 0.8).toSorted(() => random() - 0.5);
  const kubeconfig = listed.length === 0 ? ["one"] : listed;
  return {
    files: Object.fromEntries(present.map((name) => [name, random() < 0.05 ? "" : printYaml(makeDocument(random))])),
    kubeconfig: random() < 0.1 ? [...kubeconfig, ...kubeconfig] : kubeconfig,
    explicit: random() < 0.15 ? pick(random, FILES) : "",
    relativize: random() < 0.5,
    set: printYaml(makeDocument(random, 0.2)),
    delete: { clusters: some(random, 0.15), users: some(random, 0.15), contexts: some(random, 0.15) },
    currentContext: random() < 0.3 ? null : random() < 0.3 ? "" : pick(random, NAMES),
  };
}

function makeDocument(random: Random, density = 0.5): Readonly<Record<string, unknown>> {
  const named = (field: string, make: (random: Random) => unknown): unknown =>
    some(random, density).map((name) => ({ name, [field]: make(random) }));
  return {
    apiVersion: "v1",
    kind: "Config",
    ...(random() < 0.6 ? { "current-context": pick(random, NAMES) } : {}),
    ...(random() < 0.2 ? { preferences: { colors: true } } : {}),
    clusters: named("cluster", makeCluster),
    users: named("user", makeUser),
    contexts: named("context", makeContext),
  };
}

function makeCluster(random: Random): unknown {
  return {
    server: pick(random, ["https://a.example:6443", "http://localhost:8080", "https://[::1]:6443/prefix", ""]),
    ...maybe(random, "certificate-authority", makePath(random)),
    ...maybe(random, "certificate-authority-data", "YWJj"),
    ...maybe(random, "insecure-skip-tls-verify", random() < 0.5),
    ...maybe(random, "tls-server-name", "api.example"),
    ...maybe(random, "proxy-url", "socks5://proxy.example:1080"),
    ...maybe(random, "disable-compression", true),
    ...maybe(random, "extensions", [{ name: "x", extension: { deep: [1, "two", { three: null }] } }]),
  };
}

function makeUser(random: Random): unknown {
  return {
    ...maybe(random, "client-certificate", makePath(random)),
    ...maybe(random, "client-key", makePath(random)),
    ...maybe(random, "client-key-data", "a2V5"),
    ...maybe(random, "tokenFile", makePath(random)),
    ...maybe(random, "token", pick(random, ["secret", "yes", "0123", "a: b"])),
    ...maybe(random, "username", "admin"),
    ...maybe(random, "as", "system:admin"),
    ...maybe(random, "as-groups", ["one", "two"]),
    ...maybe(random, "as-user-extra", { scopes: ["view"] }),
    ...maybe(random, "auth-provider", { name: "oidc", config: { "client-id": "kubectl", "id-token": "x.y.z" } }),
    ...maybe(random, "exec", {
      apiVersion: "client.authentication.k8s.io/v1",
      command: pick(random, ["aws", "./bin/login", "ROOT/bin/login", "/usr/bin/login"]),
      args: ["--token"],
      env: [{ name: "A", value: "1" }],
      interactiveMode: "Never",
      provideClusterInfo: false,
    }),
  };
}

function makeContext(random: Random): unknown {
  return {
    cluster: pick(random, NAMES),
    user: pick(random, NAMES),
    ...maybe(random, "namespace", pick(random, ["default", "kube-system"])),
    ...maybe(random, "extensions", [{ name: "minikube", extension: { "last-update": "now" } }]),
  };
}

function makePath(random: Random): string {
  return pick(random, ["ca.crt", "./certs/../ca.crt", "ROOT/certs/ca.crt", "/etc/ssl/ca.crt", "../outside.crt", ""]);
}

function maybe(random: Random, name: string, value: unknown): Readonly<Record<string, unknown>> {
  return random() < 0.3 ? { [name]: value } : {};
}

function some(random: Random, density: number): readonly string[] {
  return NAMES.filter(() => random() < density);
}

function pick<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)] as T;
}
