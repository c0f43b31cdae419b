import { readFileSync } from "node:fs";
import path from "node:path";

import { printYamlDocuments, readYaml } from "@kubescaffold/k8s/yaml";
import { asText, isMap, type Json, type JsonMap, listAt, mapAt, type Manifest, nameOf } from "kubescaffold/plugin";
import { describe, expect, it } from "vitest";

import { ROOT } from "../../../test/architecture/source-files.ts";
import { runCommands } from "../../../test/support/run-command.ts";
import { readFiles, temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { changeMaps, changeTexts, isOurs } from "./differences.ts";
import { byKey, HELM, render } from "./rendering.ts";

interface UpstreamChart {
  readonly project: string;
  readonly variant: "asScaffolded" | "withAllOptions";
  readonly release: string;
  readonly files: readonly string[];
  readonly values: JsonMap;
  readonly rendered: Readonly<
    Record<string, { readonly set: readonly string[]; readonly objects: readonly Manifest[] }>
  >;
}

const read = (name: string): unknown => JSON.parse(readFileSync(path.join(ROOT, "test/golden", name), "utf8"));
const { commit, charts } = read("upstream-charts.json") as {
  readonly commit: string;
  readonly charts: Readonly<Record<string, UpstreamChart>>;
};
const FACTS = read("upstream-facts.json") as {
  readonly commit: string;
  readonly projects: Readonly<Record<string, Readonly<Record<UpstreamChart["variant"], readonly Manifest[]>>>>;
};
const PAGE = readFileSync(path.join(ROOT, "docs/guides/helm.md"), "utf8");

// What a row of the second table in docs/guides/helm.md makes of an object that kubebuilder's chart renders.
const DIFFERENCES: Readonly<Record<string, (object: Manifest, chart: UpstreamChart) => Manifest>> = {
  "instance-selectors": (object, { release }) => {
    const add = (labels: JsonMap): JsonMap =>
      isOurs(labels) ? { ...labels, "app.kubernetes.io/instance": release } : labels;
    return changeMaps(changeMaps(object, "matchLabels", add), "selector", add);
  },
  "secrets-of-releases": (object, { release }) =>
    changeTexts(object, (text) => (/^(?:webhook|metrics)-server-cert$/u.test(text) ? `${release}-${text}` : text)),
  "order-of-arguments": (object) => changeMaps(object, "containers", withSortedArguments),
  "labels-of-policies": (object, chart) => {
    if (object.kind !== "NetworkPolicy" || !isAdded(chart)) return object;
    const added = { "app.kubernetes.io/instance": chart.release, "helm.sh/chart": `${chart.release}-0.1.0` };
    return { ...object, metadata: { ...object.metadata, labels: { ...mapAt(object.metadata, "labels"), ...added } } };
  },
  "callers-of-webhooks": (object, chart) =>
    nameOf(object).endsWith("-allow-webhook-traffic") && isAdded(chart)
      ? { ...object, spec: { ...mapAt(object, "spec"), ingress: [{ ports: [{ port: 9443, protocol: "TCP" }] }] } }
      : object,
  "unverified-monitor": (object, chart) =>
    object.kind === "ServiceMonitor" && isAdded(chart)
      ? changeMaps(object, "tlsConfig", () => ({ insecureSkipVerify: true }))
      : object,
  "no-empty-annotations": (object) => {
    if (object.metadata["annotations"] !== null) return object;
    const { annotations: _annotations, ...metadata } = object.metadata;
    return { ...object, metadata };
  },
};

// Policies and monitors of such a project are not from its manifests.
function isAdded({ variant }: UpstreamChart): boolean {
  return variant === "asScaffolded";
}

function withSortedArguments(container: JsonMap): JsonMap {
  const args = listAt(container, "args");
  return args.length === 0 ? container : { ...container, args: args.map((each) => asText(each)).toSorted() };
}

function asOurs(object: Manifest, chart: UpstreamChart): Manifest {
  return Object.values(DIFFERENCES).reduce((current, differ) => differ(current, chart), object);
}

async function ownChart({ project, variant, release }: UpstreamChart): Promise<string> {
  const { asScaffolded, [variant]: changed } = FACTS.projects[project] ?? {};
  const objects = { ...byKey(asScaffolded ?? []), ...byKey(changed ?? []) };
  const root = temporaryFolder({
    PROJECT: `cliVersion: 0.1.0\nlayout:\n- ts.kubescaffold.dev/v1\nprojectName: ${release}\nrepo: ${release}\nversion: "3"\n`,
    "bundle.yaml": printYamlDocuments(Object.values(objects)),
  });
  await runCommands(root, "edit --plugins=helm/v2-alpha --manifests=bundle.yaml --make=false");
  return path.join(root, "dist", "chart");
}

// Schemas are not among the facts.
function comparable(object: Manifest): Manifest {
  const sorted = changeMaps(object, "containers", withSortedArguments);
  if (object.kind !== "CustomResourceDefinition") return sorted;
  const { conversion, group = null } = mapAt(object, "spec");
  return { ...object, spec: { ...(conversion === undefined ? {} : { conversion }), group } };
}

function pathsOf(value: Json, path_: readonly string[] = []): readonly string[] {
  if (!isMap(value) || Object.keys(value).length === 0) return [path_.join(".")];
  return Object.entries(value).flatMap(([key, each]) => pathsOf(each, [...path_, key]));
}

function valueBelow(values: Json, path_: string): Json | undefined {
  let found: Json | undefined = values;
  for (const key of path_.split(".")) found = isMap(found) ? found[key] : undefined;
  return found;
}

describe("kubebuilder's charts", () => {
  it("are of the commit that the other facts are of, which the page names", () => {
    expect(commit).toBe(FACTS.commit);
    expect(PAGE).toContain(commit.slice(0, 8));
  });

  it("differ as the page says", () => {
    const [, table = ""] = PAGE.split("## Differences from kubebuilder's chart");
    expect([...table.matchAll(/^\| `([a-z-]+)` \|/gmu)].map(([, row]) => row)).toEqual(Object.keys(DIFFERENCES));
  });

  it.each(Object.entries(DIFFERENCES))("are changed by the row %s", (_row, differ) => {
    const changed = Object.values(charts).flatMap((chart) =>
      Object.values(chart.rendered).flatMap(({ objects }) =>
        objects.filter((object) => JSON.stringify(differ(object, chart)) !== JSON.stringify(object)),
      ),
    );
    expect(changed.length).toBeGreaterThan(0);
  });
});

describe.each(Object.entries(charts))("the chart of the same objects as kubebuilder's of %s", (_, upstream) => {
  it("has a template for each of its templates, and its values", async () => {
    const chart = await ownChart(upstream);
    const files = readFiles(chart);
    expect(Object.keys(files).toSorted()).toEqual(upstream.files.toSorted());
    const values = readYaml(files["values.yaml"] ?? "", { file: "values.yaml" }) as JsonMap;
    // A switch that does nothing in a project without such roles is omitted; empty lists and mappings stand for none.
    const unused = upstream.project === "with-plugins" ? ["rbac.namespaced"] : [];
    for (const each of pathsOf(upstream.values).filter((one) => !unused.includes(one)))
      expect({ [each]: valueBelow(values, each) }).toEqual({ [each]: valueBelow(upstream.values, each) });
    const more = pathsOf(values).filter((each) => valueBelow(upstream.values, each) === undefined);
    expect(more.filter((each) => each !== "manager.env" && each !== "manager.envOverrides")).toEqual([]);
  });

  // Needs the helm that `npm run test:control-plane` builds.
  it.skipIf(HELM === undefined).each(Object.entries(upstream.rendered))(
    "renders what it does: %s",
    async (_label, { set, objects }) => {
      const chart = await ownChart(upstream);
      const own = await render(chart, { release: upstream.release, namespace: `${upstream.release}-system`, set });
      expect({ status: own.status, output: own.status === 0 ? "" : own.output }).toEqual({ status: 0, output: "" });
      expect(own.objects.length).toBeGreaterThan(15);
      expect(byKey(own.objects.map(comparable))).toEqual(byKey(objects.map((each) => asOurs(each, upstream))));
      expect(own.objects.map(nameOf)).not.toContain("");
    },
  );
});
