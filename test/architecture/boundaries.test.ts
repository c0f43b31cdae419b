import { builtinModules } from "node:module";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { importsOf, listSources, readSource } from "./source-files.ts";

// What each part may import of ours; `*` stands for every part. A part is the longest key that a file's path starts with.
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  "bin/": ["src/cli/", "src/scaffolds/", "src/plugin/", "plugins/"],
  "src/kustomize/": ["platform", "k8s", "schema"],
  "src/go-project/": ["platform", "k8s", "schema", "generators", "src/project/", "src/machinery/", "src/kustomize/"],
  "src/project/": ["platform", "k8s", "generators"],
  "src/machinery/": ["platform", "k8s", "generators", "src/project/"],
  "src/http/": ["platform", "k8s"],
  "src/image/": ["platform", "k8s", "generators", "src/http/", "src/machinery/"],
  "src/plugin/": ["platform", "k8s", "generators", "src/kustomize/", "src/machinery/", "src/project/"],
  "src/scaffolds/": ["platform", "k8s", "src/plugin/"],
  "src/git/": ["generators"],
  "src/changes/": ["platform", "k8s", "generators", "src/project/", "src/machinery/", "src/plugin/"],
  "src/doctor/": [
    "src/git/",
    "platform",
    "k8s",
    "schema",
    "generators",
    "src/project/",
    "src/machinery/",
    "src/plugin/",
    "src/changes/",
    "src/kustomize/",
  ],
  "src/restore/": ["platform", "k8s", "src/machinery/", "src/plugin/", "src/project/"],
  "src/upgrade/": ["platform", "k8s", "src/git/", "src/machinery/", "src/project/", "src/changes/"],
  "src/cli/": [
    "dashboard",
    "runtime",
    "platform",
    "k8s",
    "schema",
    "envtest",
    "generators",
    "src/plugin/",
    "src/project/",
    "src/machinery/",
    "src/http/",
    "src/image/",
    "src/go-project/",
    "src/kustomize/",
    "src/git/",
    "src/changes/",
    "src/doctor/",
    "src/upgrade/",
    "src/restore/",
  ],
  "src/index.ts": ["*"],
  "plugins/": ["platform", "k8s", "schema", "src/plugin/"],
  "packages/platform/": [],
  "packages/k8s/": ["platform"],
  "packages/schema/": ["platform", "k8s"],
  "packages/generators/": ["platform", "k8s", "schema"],
  "packages/runtime/": ["platform", "k8s", "schema"],
  "packages/apiserver/": ["platform", "k8s", "schema"],
  "packages/cluster/": ["platform", "k8s", "schema", "apiserver"],
  "packages/envtest/": ["platform", "k8s", "schema", "runtime", "apiserver", "cluster"],
  "packages/dashboard/src/server/": ["platform", "k8s", "runtime"],
  // Types alone: the page contains nothing of ours.
  "packages/dashboard/src/page/feed/": ["packages/dashboard/src/server/", "packages/dashboard/src/page/"],
  "packages/dashboard/src/page/": ["platform", "packages/dashboard/src/page/feed/"],
};

// The only importers of each library: the parts whose sources may import it.
const LIBRARY_DOORS: Readonly<Record<string, readonly string[]>> = {
  commander: ["src/cli/", "packages/runtime/src/kubectl-plugin/parse-arguments.ts"],
  "@clack/prompts": ["src/cli/"],
  chokidar: ["src/cli/"],
  handlebars: ["src/machinery/"],
  "ts-morph": [
    "packages/generators/src/loader/",
    "src/machinery/syntax/check-syntax.ts",
    "src/machinery/type-markers.ts",
    "src/machinery/typescript-imports.ts",
  ],
  yaml: [
    "src/project/",
    "packages/generators/src/schemapatch/",
    "packages/dashboard/src/page/editor/",
    "packages/dashboard/src/page/parts/value-text.tsx",
  ],
  ajv: ["src/project/", "src/plugin/"],
  execa: ["src/cli/", "src/git/", "src/upgrade/", "src/doctor/", "src/plugin/", "packages/envtest/"],
  "signal-exit": ["src/machinery/commit/"],
  "js-yaml": ["packages/k8s/src/yaml/"],
  "@marcbachmann/cel-js": ["packages/schema/src/cel/"],
  "@bufbuild/protobuf": ["packages/apiserver/src/protobuf/"],
  picomatch: ["packages/generators/src/loader/"],
  re2js: ["packages/schema/"],
  ws: ["packages/runtime/src/rest/", "packages/apiserver/src/http/"],
  undici: ["packages/runtime/src/rest/", "packages/envtest/src/"],
  pino: ["packages/runtime/src/log/"],
  "@opentelemetry/api": ["packages/runtime/src/tracing/"],
  "prom-client": ["packages/runtime/src/metrics/"],
  "@peculiar/x509": ["packages/cluster/src/cluster/certificate-requests.ts", "packages/runtime/src/certificates/"],
  croner: ["packages/cluster/src/controllers/workload/cron-jobs/cron-schedule.ts"],
  "reflect-metadata": ["packages/cluster/src/cluster/certificate-requests.ts", "packages/runtime/src/certificates/"],
  "@noble/ciphers": ["src/image/signature/"],
  "tar-stream": [
    "src/image/",
    "src/cli/commands/k8s-docs/",
    "packages/envtest/src/",
    "packages/runtime/src/streams/",
    "packages/runtime/src/kubectl-plugin/krew-package.ts",
  ],
  vitest: ["packages/envtest/src/matchers/"],
  preact: ["packages/dashboard/src/page/"],
  uplot: ["packages/dashboard/src/page/controllers/chart.tsx"],
  "@dagrejs/dagre": ["packages/dashboard/src/page/objects/layout-graph.ts"],
};

// Inside the runtime, lowest layer first: a folder imports only from folders before it in this list, or from itself.
const RUNTIME_LAYERS: readonly (readonly string[])[] = [
  ["tracing"],
  ["node-version", "operator-project", "log", "metrics", "json-path"],
  ["wait"],
  ["observe"],
  ["retry"],
  ["http-server"],
  ["workqueue", "config"],
  ["rest", "healthz"],
  ["discovery"],
  ["client"],
  ["pager", "expansions", "streams", "recorder", "controllerutil", "event", "reconcile"],
  ["finalizer", "predicate", "cache", "kubectl-plugin"],
  ["handler", "informers", "stores", "watch-tools", "dependents"],
  ["source", "certificates", "storage-migration"],
  ["webhook", "leader-election"],
  ["manager"],
  ["controller"],
  ["builder"],
  ["multi-cluster", "sharding", "operator"],
];

// Inside the API server, in the same way; a folder below one of these belongs to it unless it has its own layer.
const APISERVER_LAYERS: readonly (readonly string[])[] = [
  ["release"],
  ["storage"],
  ["protobuf"],
  ["cbor"],
  ["request"],
  ["http"],
  ["resources"],
  ["resources/table"],
  ["resources/built-in/rules"],
  ["resources/custom"],
  ["resources/built-in"],
  ["output"],
  ["metrics"],
  ["pipeline"],
  ["controllers"],
  ["audit", "admission", "authentication", "authorization", "flow-control", "service-network"],
  ["handlers/field-management"],
  ["handlers"],
  ["discovery"],
  ["openapi"],
  ["aggregation"],
  ["server"],
];

// Inside the cluster, in the same way.
const CLUSTER_LAYERS: readonly (readonly string[])[] = [
  ["kubelet/containers", "controllers"],
  ["controllers/workload"],
  [
    "controllers/certificates",
    "controllers/disruption",
    "controllers/endpoints",
    "controllers/garbage-collector",
    "controllers/policies",
    "controllers/volumes",
  ],
  ["scheduler", "controllers/service-ranges"],
  ["kubelet"],
  ["controllers/autoscaling", "controllers/nodes"],
  ["cluster"],
];

// Inside the generators, in the same way.
const GENERATORS_LAYERS: readonly (readonly string[])[] = [
  ["typescript", "diagnostics", "output"],
  ["cache"],
  ["loader"],
  ["markers/definitions"],
  ["markers"],
  ["crd/model"],
  ["contract", "descriptions"],
  ["crd"],
  ["rbac", "webhook", "object", "applyconfiguration", "conversion", "schemapatch", "checks"],
  ["compat", "releases"],
  ["arguments"],
  ["run"],
  ["importer"],
];

const LAYERS = {
  generators: GENERATORS_LAYERS,
  runtime: RUNTIME_LAYERS,
  apiserver: APISERVER_LAYERS,
  cluster: CLUSTER_LAYERS,
} as const;

// The entry points, which choose the default release, and those that export it.
const RELEASE_ENTRIES: ReadonlySet<string> = new Set([
  "packages/apiserver/src/cluster-api.ts",
  "packages/apiserver/src/index.ts",
  "packages/apiserver/src/server/create-api-server.ts",
  "packages/cluster/src/cluster/embedded-cluster.ts",
]);

// Constants, and functions of modules, of the version whose types @kubescaffold/k8s contains.
const OF_ONE_VERSION: ReadonlySet<string> = new Set([
  "KUBERNETES_MINOR",
  "KUBERNETES_VERSION",
  "SERVER_VERSION",
  "builtInApi",
  "builtInGroups",
  "builtInResource",
  "builtInResources",
  "builtInSchema",
  "builtInSchemasOf",
  "defaultRelease",
  "definitionNameOf",
  "definitionOf",
  "gatedResources",
  "preferredVersions",
]);

function importedNames(file: string): readonly string[] {
  const lists = [...readSource(file).matchAll(/^import (?:type )?\{([^}]*)\}/gmu)];
  return lists.flatMap(([, names = ""]) => names.split(",").map((name) => name.trim()));
}

// Each source with the files it imports from its own package, types included.
const LINKS: ReadonlyMap<string, readonly string[]> = new Map(
  listSources().map((file) => [
    file,
    importsOf(file)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => resolveImport(file, specifier)),
  ]),
);

describe("import directions", () => {
  it("every import between parts is one the table allows", () => {
    const violations = listSources().flatMap((file) =>
      importsOf(file).flatMap((specifier) => judgePart(file, specifier)),
    );
    expect(violations).toEqual([]);
  });

  it("the cluster sees the API server through one entry", () => {
    const others = listSources()
      .filter((file) => file.startsWith("packages/cluster/"))
      .flatMap((file) => importsOf(file).map((specifier) => `${file} imports ${specifier}`))
      .filter((line) => / @kubescaffold\/apiserver(?!\/cluster-api$)/u.test(line));
    expect(others).toEqual([]);
  });

  it("the server and the cluster read what depends on the version of Kubernetes from their release", () => {
    const readers = listSources()
      .filter((file) => /^packages\/(?:apiserver|cluster)\/src\//u.test(file))
      .filter((file) => !file.startsWith("packages/apiserver/src/release/") && !RELEASE_ENTRIES.has(file))
      .filter((file) => importedNames(file).some((name) => OF_ONE_VERSION.has(name)));
    expect(readers).toEqual([]);
  });

  it("a library enters through its one door", () => {
    const violations = listSources().flatMap((file) =>
      importsOf(file)
        .filter((specifier) => isLibrary(specifier))
        .filter((specifier) => !(LIBRARY_DOORS[libraryOf(specifier)] ?? []).some((door) => file.startsWith(door)))
        .map((specifier) => `${file} imports ${specifier}`),
    );
    expect(violations).toEqual([]);
  });

  for (const [name, layers] of Object.entries(LAYERS)) {
    it(`the folders of the ${name} import only from lower layers`, () => {
      const root = `packages/${name}/src/`;
      const levelOf = new Map(layers.flatMap((folders, level) => folders.map((folder) => [folder, level] as const)));
      const violations = [...LINKS]
        .filter(([file]) => file.startsWith(root))
        .flatMap(([file, targets]) =>
          targets
            .filter((target) => isAbove(levelOf, layerOf(layers, file, root), layerOf(layers, target, root)))
            .map((target) => `${file} imports ${target}`),
        );
      expect(violations).toEqual([]);
    });

    it(`every folder of the ${name} has its layer`, () => {
      const root = `packages/${name}/src/`;
      const folders = new Set(
        [...LINKS.keys()].filter((file) => file.startsWith(root)).map((each) => path.posix.dirname(each)),
      );
      const unknown = [...folders].filter(
        (folder) => `${folder}/` !== root && layerOf(layers, `${folder}/file.ts`, root) === undefined,
      );
      expect(unknown).toEqual([]);
      expect(layers.flat().filter((folder) => ![...folders].some((each) => isBelow(root + folder, each)))).toEqual([]);
    });
  }
});

describe("import cycles", () => {
  it("no file imports itself through others, by types either", () => {
    expect(cyclesOf(LINKS)).toEqual([]);
  });

  it("no folder imports itself through others", () => {
    const links = new Map<string, string[]>();
    for (const [file, targets] of LINKS) {
      const folder = path.posix.dirname(file);
      const others = targets.map((each) => path.posix.dirname(each)).filter((target) => target !== folder);
      links.set(folder, [...(links.get(folder) ?? []), ...others]);
    }
    expect(cyclesOf(links)).toEqual([]);
  });
});

function judgePart(file: string, specifier: string): readonly string[] {
  const target = targetPart(file, specifier);
  const from = partOf(file);
  if (target === undefined || target === from) return [];
  const allowed = ALLOWED[from] ?? [];
  if (allowed.includes("*") || allowed.includes(target)) return [];
  return [`${file} imports ${specifier}`];
}

function targetPart(file: string, specifier: string): string | undefined {
  const ours = /^@kubescaffold\/([^/]+)/u.exec(specifier)?.[1];
  if (ours !== undefined) return partOf(file) === `packages/${ours}/` ? partOf(file) : ours;
  if (specifier === "kubescaffold/plugin") return "src/plugin/";
  if (!specifier.startsWith(".")) return undefined;
  return partOf(path.posix.join(path.posix.dirname(file), specifier));
}

function partOf(file: string): string {
  return (
    Object.keys(ALLOWED)
      .filter((part) => file.startsWith(part))
      .toSorted((left, right) => right.length - left.length)[0] ?? file
  );
}

function isLibrary(specifier: string): boolean {
  if (specifier.startsWith(".") || specifier.startsWith("@kubescaffold/") || specifier.startsWith("kubescaffold"))
    return false;
  return !specifier.startsWith("node:") && !builtinModules.includes(specifier);
}

function libraryOf(specifier: string): string {
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? specifier);
}

function resolveImport(file: string, specifier: string): string {
  return path.posix.join(path.posix.dirname(file), specifier);
}

// The longest folder of the table that a file is in.
function layerOf(layers: readonly (readonly string[])[], file: string, root: string): string | undefined {
  return layers
    .flat()
    .filter((folder) => file.startsWith(`${root}${folder}/`))
    .toSorted((left, right) => right.length - left.length)[0];
}

function isBelow(folder: string, file: string): boolean {
  return file === folder || file.startsWith(`${folder}/`);
}

function isAbove(levelOf: ReadonlyMap<string, number>, from: string | undefined, to: string | undefined): boolean {
  if (from === undefined || to === undefined || from === to) return false;
  return (levelOf.get(to) ?? 0) >= (levelOf.get(from) ?? 0);
}

// The strongly connected components with more than one node, after Tarjan.
function cyclesOf(links: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const cycles: string[][] = [];
  const visit = (node: string): void => {
    index.set(node, index.size);
    low.set(node, index.size - 1);
    open.push(node);
    for (const target of links.get(node) ?? []) {
      if (!links.has(target)) continue;
      if (!index.has(target)) visit(target);
      if (open.includes(target)) low.set(node, Math.min(low.get(node) ?? 0, low.get(target) ?? 0));
    }
    if (low.get(node) !== index.get(node)) return;
    const members = open.splice(open.indexOf(node));
    if (members.length > 1) cycles.push(members);
  };
  for (const node of links.keys()) if (!index.has(node)) visit(node);
  return cycles;
}
