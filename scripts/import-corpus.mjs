// Imports Go projects of other people, checks what was made of them, deploys it beside the manifests of the originals, and prints the table of
// docs/verification/import-corpus.md.
//
// node scripts/import-corpus.mjs <folder of checkouts> [name…]
//
// A checkout is a folder named project@commit. For each, `import project` runs into a folder below this repository's packages, so that its own type
// check and its own tests run. Then `config/default` of both projects is built (that of the original by kubectl, where there is one) and applied to a new
// embedded server each, and the definitions, roles, webhooks, and Deployments that the servers have are compared. The checkouts are not changed, and
// nothing of them is kept.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { isDeepStrictEqual } from "node:util";

import { ensureInstalled, ROOT, runStatus } from "./ensure-installed.mjs";
import { layoutOf, runScaffold, SOURCES } from "./imported-projects.mjs";

const [corpus, ...names] = process.argv.slice(2);

// The options that a project needs, since it has its manifests elsewhere.
const OPTIONS = {
  hive: ["--crds", "config/crds"],
  "redis-operator": ["--crds", "manifests"],
  "external-secrets": ["--crds", "config/crds/bases"],
  "cloudnative-pg": ["--project-name", "cnpg"],
};

const COMPARED = [
  { kinds: ["CustomResourceDefinition"], of: definitionOf },
  { kinds: ["ClusterRole", "Role"], of: (object) => object.rules ?? [] },
  { kinds: ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"], of: webhooksOf },
  { kinds: ["Deployment"], of: deploymentOf },
];

// Objects of cert-manager and of Prometheus need definitions that neither project has.
const BUILT_IN = /^(?:v1|[a-z]+\/v\w+|(?:[\w.-]+\.)?k8s\.io\/v\w+)$/u;

// The manager authenticates clients of its metrics itself, instead of a proxy.
const REPLACED = /(?:proxy-role|metrics-reader|metrics-role|metrics-auth-role)$/u;

if (corpus === undefined) {
  console.error("usage: node scripts/import-corpus.mjs <folder of checkouts> [name…]");
  process.exitCode = 2;
} else if (process.execArgv.includes(SOURCES)) {
  await printTable(path.resolve(corpus));
} else {
  ensureInstalled();
  const args = [SOURCES, "--import", "tsx", import.meta.filename, path.resolve(corpus), ...names];
  process.exitCode = runStatus(process.execPath, args);
}

async function printTable(folder) {
  console.log(
    "| Project | Commit | Layout | CRDs | Roles | Webhooks | Deployments | `config/default` | Types | Tests | Notes |",
  );
  console.log("|---|---|---|---|---|---|---|---|---|---|---|");
  const checkouts = readdirSync(folder, { withFileTypes: true })
    .filter((each) => each.isDirectory() && each.name.includes("@"))
    .map(({ name }) => name)
    .filter((name) => names.length === 0 || names.includes(name.split("@")[0]))
    .toSorted();
  const faults = [];
  for (const checkout of checkouts) {
    const [name, commit] = checkout.split("@");
    const { cells, problems } = await resultOf(path.join(folder, checkout), name);
    console.log(`| ${[name, commit, ...cells].join(" | ")} |`);
    faults.push(...problems.map((problem) => `${name}: ${problem}`));
  }
  for (const fault of faults) console.log(`\n${fault}`);
}

async function resultOf(folder, name) {
  const parent = mkdtempSync(path.join(tmpdir(), "import-corpus-"));
  try {
    // The folder gives the name of projects without one, and the packages of this repository are found above the new project.
    const [source, target] = [path.join(parent, "go", name), path.join(parent, "ts", name)];
    mkdirSync(path.dirname(source));
    symlinkSync(folder, source, "junction");
    symlinkSync(path.join(ROOT, "node_modules"), path.join(parent, "node_modules"), "junction");
    const words = ["import", "project", source, "--output-dir", target, "--skip-install", "--output", "json"];
    const imported = runScaffold(ROOT, [...words, ...(OPTIONS[name] ?? [])]);
    if (!imported.stdout.startsWith("{"))
      return { cells: Array(9).fill("none"), problems: [imported.stderr.trim() || String(imported.error)] };
    const result = JSON.parse(imported.stdout);
    const { scores, checks } = result;
    const [built, types, tests] = ["config/default", "types", "tests"].map((what) =>
      checks.find((check) => check.what === what),
    );
    const wanted = await originalOf(folder);
    const made = await (wanted.how === "config/default" ? objectsOf(target) : generatedOf(target));
    const deployed = await compareDeployed(wanted, made);
    return {
      cells: [
        layoutOf(result),
        ...deployed.cells,
        ...[built, types, tests].map((check) => wordOf(check)),
        deployed.note,
      ],
      problems: [
        ...deployed.problems,
        ...scores.flatMap(({ what, differences }) => differences.map((difference) => `${what}: ${difference}`)),
        ...checks.flatMap(({ what, problems }) => problems.map(({ where, why }) => `${what}: ${where}: ${why}`)),
      ],
    };
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

function wordOf(check) {
  if (check === undefined) return "not run";
  if (check.state === "failed") return `${check.problems.length} failed`;
  return check.state === "passed" ? check.note.replace(/^it builds /u, "").replace("they compile", "pass") : "not run";
}

async function objectsOf(project) {
  const { buildKustomization } = await import("../src/kustomize/build.ts");
  const read = (file) => (existsSync(path.join(project, file)) ? textOf(path.join(project, file)) : undefined);
  return { how: "config/default", objects: buildKustomization(read, "config/default") };
}

// kustomizations refer to folders, too.
function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

// What the original deploys; where that cannot be built, what its generators wrote.
async function originalOf(folder) {
  const { resolveAsset } = await import("@kubescaffold/envtest");
  const { readYamlDocuments } = await import("@kubescaffold/k8s/yaml");
  const kubectl = await resolveAsset("kubectl").catch(() => undefined);
  const place = path.join(folder, "config", "default");
  if (existsSync(place)) {
    const { status, stdout } = spawnSync(kubectl ?? "kubectl", ["kustomize", place], {
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    });
    if (status === 0) return { how: "config/default", objects: readYamlDocuments(stdout, { file: place }) };
  }
  return generatedOf(folder);
}

async function generatedOf(folder) {
  const { readYamlDocuments } = await import("@kubescaffold/k8s/yaml");
  const { findManifests } = await import("../src/go-project/manifest-places.ts");
  const paths = readdirSync(folder, { recursive: true }).map((each) => each.split(path.sep).join("/"));
  const [flag, value] = path.basename(folder).includes("@") ? (OPTIONS[path.basename(folder).split("@")[0]] ?? []) : [];
  const crds = flag === "--crds" ? value : undefined;
  const places = findManifests({ paths, ...(crds === undefined ? {} : { crds: `${crds}/` }) });
  const files = paths.filter(
    (each) => (each.startsWith(places.crds) && /\.ya?ml$/u.test(each)) || [places.role, places.webhooks].includes(each),
  );
  const objects = files.flatMap((file) =>
    readYamlDocuments(readFileSync(path.join(folder, file), "utf8"), { file }).filter(
      (each) => each?.kind && each.metadata?.name,
    ),
  );
  return { how: "generated manifests", objects };
}

async function compareDeployed(wanted, made) {
  const { grants } = await import("../src/go-project/compare-manifests.ts");
  const before = await deploy(wanted.objects);
  const after = await deploy(made.objects);
  const problems = [
    ...before.refused.map((each) => `the server refuses an object of the original: ${each}`),
    ...after.refused.map((each) => `the server refuses an object of the new project: ${each}`),
  ];
  const cells = [];
  for (const { kinds, of } of COMPARED) {
    const [old, next] = [before, after].map(({ stored }) => entriesOf(stored, kinds, of));
    const same = [...old].filter(([name, value]) =>
      covers(next.get(name), value, kinds.includes("ClusterRole") ? grants : undefined),
    );
    problems.push(
      ...[...old.keys()]
        .filter((name) => !same.some(([each]) => each === name))
        .map((name) => `${name} ${next.has(name) ? "differs" : "is missing"}`),
      ...[...next.keys()].filter((name) => !old.has(name)).map((name) => `${name} is new`),
    );
    cells.push(old.size === 0 ? "none" : `${same.length} of ${old.size}`);
  }
  return { cells, problems, note: wanted.how === "config/default" ? "" : "compared with the generated manifests" };
}

function entriesOf(stored, kinds, of) {
  return new Map(
    stored
      .filter(({ kind, metadata }) => kinds.includes(kind) && !REPLACED.test(metadata.name))
      .flatMap((object) => {
        const { name } = object.metadata;
        const value = of(object);
        return object.kind.endsWith("WebhookConfiguration")
          ? value.map((each) => [`${object.kind} ${name} ${each.name}`, each])
          : [[`${object.kind} ${name}`, value]];
      }),
  );
}

function covers(found, wanted, grants) {
  if (found === undefined) return false;
  return grants === undefined ? isDeepStrictEqual(found, wanted) : wanted.every((rule) => grants(found, rule));
}

function definitionOf({ spec }) {
  return { ...spec, conversion: undefined };
}

// The bundle is that of the cluster's certificates.
function webhooksOf({ webhooks = [] }) {
  return webhooks.map((webhook) => ({ ...webhook, clientConfig: { ...webhook.clientConfig, caBundle: undefined } }));
}

// Programs in Go and in TypeScript need other images, arguments, and resources.
function deploymentOf({ spec: { replicas } }) {
  return { replicas };
}

/** Applies objects to a new server; returns what it stores, and what it refuses. */
async function deploy(objects) {
  const { Environment } = await import("@kubescaffold/envtest");
  const { createClient } = await import("@kubescaffold/runtime");
  const environment = new Environment({});
  try {
    const client = createClient(await environment.start());
    /** @type {any[]} */
    const stored = [];
    /** @type {string[]} */
    const refused = [];
    const order = ["Namespace", "CustomResourceDefinition"];
    const rank = ({ kind }) => (order.includes(kind) ? order.indexOf(kind) : order.length);
    const isLast = ({ kind }) => kind.endsWith("WebhookConfiguration");
    const sorted = objects.toSorted(
      (one, other) => rank(one) - rank(other) || Number(isLast(one)) - Number(isLast(other)),
    );
    for (const object of sorted) {
      if (!BUILT_IN.test(object.apiVersion)) continue;
      try {
        stored.push(await client.create(structuredClone(withUnset(object))));
      } catch (error) {
        refused.push(`${object.kind} ${object.metadata.name}: ${error.message}`);
      }
    }
    return { stored, refused };
  } finally {
    await environment.stop();
  }
}

// Manifests of generators are in no namespace, and kustomizations may leave it to kubectl.
function withUnset(object) {
  const isNamespaced = [
    "ConfigMap",
    "Deployment",
    "NetworkPolicy",
    "Role",
    "RoleBinding",
    "Service",
    "ServiceAccount",
    "Secret",
  ].includes(object.kind);
  if (!isNamespaced || object.metadata.namespace !== undefined) return object;
  return { ...object, metadata: { ...object.metadata, namespace: "default" } };
}
