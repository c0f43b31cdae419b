import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { reflectorMetrics, restClientMetrics } from "../../../packages/runtime/src/metrics/client-metrics.ts";
import { controllerMetrics, leaderElectionMetrics } from "../../../packages/runtime/src/metrics/controller-metrics.ts";
import { collectProcessMetrics, createMetricsRegistry } from "../../../packages/runtime/src/metrics/registry.ts";
import {
  certificateMetrics,
  selfManagedMetrics,
  webhookMetrics,
} from "../../../packages/runtime/src/metrics/webhook-metrics.ts";
import { workqueueMetrics } from "../../../packages/runtime/src/metrics/workqueue-metrics.ts";
import { ROOT } from "../../../test/architecture/source-files.ts";
import { CREATE_API, INIT, runCommand, runCommands } from "../../../test/support/run-command.ts";
import { runProgram } from "../../../test/support/run-program.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../../test/support/temporary-folder.ts";

const EDIT = "edit --plugins=grafana/v1-alpha";
const CONFIG = "grafana/custom-metrics/config.yaml";
const CUSTOM = "grafana/custom-metrics/custom-metrics-dashboard.json";
const DASHBOARDS = ["grafana/controller-runtime-metrics.json", "grafana/controller-resources-metrics.json"];

interface Target {
  readonly expr: string;
  readonly refId: string;
  readonly datasource: { readonly uid: string };
}

interface GrafanaPanel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig?: { readonly defaults: { readonly unit: string } };
  readonly targets?: readonly Target[];
}

interface GrafanaDashboard {
  readonly id: null;
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly panels: readonly GrafanaPanel[];
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly type: string; readonly definition?: string }[];
  };
}

async function project(): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, EDIT);
  return root;
}

function dashboard(root: string, file: string): GrafanaDashboard {
  return JSON.parse(readFileSync(path.join(root, file), "utf8")) as GrafanaDashboard;
}

function graphs(of: GrafanaDashboard): readonly GrafanaPanel[] {
  return of.panels.filter((panel) => panel.type !== "row");
}

function expressions(of: GrafanaDashboard): readonly string[] {
  return graphs(of).flatMap((panel) => (panel.targets ?? []).map((target) => target.expr));
}

// Everything the runtime can serve, by the names of series, with their labels.
function served(): ReadonlyMap<string, readonly string[]> {
  const registry = createMetricsRegistry();
  collectProcessMetrics(registry);
  for (const family of [
    controllerMetrics,
    workqueueMetrics,
    restClientMetrics,
    leaderElectionMetrics,
    reflectorMetrics,
    webhookMetrics,
    certificateMetrics,
    selfManagedMetrics,
  ])
    family(registry);
  return new Map(
    registry.getMetricsAsArray().flatMap((metric): readonly (readonly [string, readonly string[]])[] => {
      const {
        name,
        labelNames = [],
        type,
      } = metric as unknown as { name: string; labelNames?: string[]; type?: unknown };
      const isHistogram = "buckets" in metric || type === "histogram";
      return isHistogram
        ? [
            [`${name}_bucket`, [...labelNames, "le"]],
            [`${name}_sum`, labelNames],
            [`${name}_count`, labelNames],
          ]
        : [[name, labelNames]];
    }),
  );
}

describe("the dashboards", () => {
  it("query only metrics and labels that the runtime has", async () => {
    const root = await project();
    const series = served();
    const all = DASHBOARDS.flatMap((file) => expressions(dashboard(root, file)));
    expect(all.length).toBeGreaterThan(30);
    for (const expr of all) {
      const [, metric = ""] = /(?<name>[a-zA-Z_:][\w:]*)\{/u.exec(expr) ?? [];
      expect([...series.keys()]).toContain(metric);
      const [, by = ""] = / by \((?<labels>[^)]*)\)/u.exec(expr) ?? [];
      const labels = [...(series.get(metric) ?? []), "pod"];
      expect(labels).toEqual(expect.arrayContaining(by.split(", ")));
    }
  });

  it("show every metric of the controllers, queues and clients", async () => {
    const root = await project();
    const text = DASHBOARDS.flatMap((file) => expressions(dashboard(root, file))).join("\n");
    const own = [...served().keys()].filter((name) =>
      /^(?:controller_runtime|workqueue|rest_client|leader_election|kubescaffold)_/u.test(name),
    );
    const shown = own.filter((name) => text.includes(`${name}{`));
    const left = own.filter((name) => !shown.includes(name) && !/_(?:sum|count)$/u.test(name));
    // Bugs in webhooks and unreadable events end up in the log; there is nothing to see in how many there were.
    expect(left).toEqual([
      "kubescaffold_reflector_unreadable_events_total",
      "controller_runtime_webhook_panics_total",
      "controller_runtime_conversion_webhook_panics_total",
    ]);
  });

  it("are what Grafana imports without a question: no id, a choice of data source, panels that do not overlap", async () => {
    const root = await project();
    const all = DASHBOARDS.map((file) => dashboard(root, file));
    expect(new Set(all.map(({ uid }) => uid)).size).toBe(2);
    for (const each of all) {
      expect(each).toMatchObject({
        id: null,
        schemaVersion: expect.any(Number),
        title: expect.stringContaining("guestbook"),
      });
      expect(each.uid).toMatch(/^[\w-]{1,40}$/u);
      expect(each).not.toHaveProperty("__inputs");
      expect(each.templating.list.map(({ name, type }) => `${name} ${type}`)).toEqual([
        "datasource datasource",
        "job query",
        "namespace query",
        "pod query",
      ]);
      const definitions = each.templating.list.flatMap(({ definition }) => definition ?? []);
      const metrics = definitions.map((text) => /\((?<name>\w+)/u.exec(text)?.[1] ?? "");
      expect([...served().keys()]).toEqual(expect.arrayContaining(metrics));
      const targets = graphs(each).flatMap((panel) => panel.targets ?? []);
      expect(new Set(targets.map(({ datasource }) => datasource.uid))).toEqual(new Set(["${datasource}"]));
      expect(new Set(each.panels.map(({ id }) => id)).size).toBe(each.panels.length);
      expect(overlaps(each.panels)).toEqual([]);
    }
  });

  it("are formatted as the project's own formatter does it", async () => {
    const root = await project();
    writeFiles(root, { [CONFIG]: "customMetrics:\n- {metric: a_total, type: counter}\n" });
    await runCommands(root, EDIT);
    const oxfmt = path.join(ROOT, "node_modules/.bin/oxfmt");
    const { status, output } = await runProgram(oxfmt, ["--check", "grafana"], { cwd: root });
    expect({ status, output }).toMatchObject({ status: 0 });
  });

  it("have uids that fit for a project of the longest name", async () => {
    const root = temporaryFolder();
    const name = "g".repeat(28);
    await runCommands(root, `init --domain demo --project-name ${name} --skip-install`, EDIT);
    const uids = DASHBOARDS.map((file) => dashboard(root, file).uid);
    expect(uids.every((uid) => uid.length <= 40)).toBe(true);
    expect(new Set(uids).size).toBe(2);
  });
});

function overlaps(panels: readonly GrafanaPanel[]): readonly string[] {
  const cells = new Map<string, number>();
  return panels.flatMap(({ id, title, gridPos: { x, y, w, h } }) => {
    const own = Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`);
    const taken = own.some((cell) => cells.has(cell)) || x + w > 24;
    for (const cell of own) cells.set(cell, id);
    return taken ? [title] : [];
  });
}

describe("edit --plugins=grafana/v1-alpha", () => {
  it("writes the same again, and is recorded in PROJECT without data", async () => {
    const root = await project();
    const files = readFiles(root);
    expect(files["PROJECT"]).toContain("\n  grafana.kubescaffold.dev/v1-alpha: {}\n");
    expect(Object.keys(files).filter((name) => name.startsWith("grafana/"))).toEqual([
      ...DASHBOARDS.toSorted(),
      CONFIG,
    ]);
    await runCommands(root, EDIT);
    expect(readFiles(root)).toEqual(files);
  });

  it("makes a panel of every metric of the project's own", async () => {
    const root = await project();
    writeFiles(root, {
      [CONFIG]: [
        "customMetrics:",
        "- {metric: guestbook_entries_total, type: counter}",
        "- {metric: guestbook_memory_bytes, type: gauge}",
        "- {metric: guestbook_answer_seconds, type: histogram}",
        "- {metric: guestbook_ratio, type: gauge, unit: percent, expr: 'sum(guestbook_ratio) / 2'}",
        "",
      ].join("\n"),
    });
    const { status, stdout } = await runCommand(root, EDIT);
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.not.stringContaining("warning") });
    const panels = graphs(dashboard(root, CUSTOM));
    expect(
      panels.map((panel) => [panel.title, panel.fieldConfig?.defaults.unit, panel.targets?.map(({ expr }) => expr)]),
    ).toEqual([
      [
        "guestbook_entries_total",
        "ops",
        [
          expect.stringMatching(
            /^sum by \(pod\) \(rate\(guestbook_entries_total\{job=~"\$job".*\[\$__rate_interval\]\)\)$/u,
          ),
        ],
      ],
      [
        "guestbook_memory_bytes",
        "bytes",
        [expect.stringMatching(/^sum by \(pod\) \(guestbook_memory_bytes\{.*\}\)$/u)],
      ],
      [
        "guestbook_answer_seconds",
        "s",
        ["0.5", "0.9", "0.99"].map((q) =>
          expect.stringContaining(`histogram_quantile(${q}, sum by (pod, le) (rate(guestbook_answer_seconds_bucket{`),
        ),
      ],
      ["guestbook_ratio", "percent", ["sum(guestbook_ratio) / 2"]],
    ]);
    expect(readFiles(root)[CONFIG]).toContain("guestbook_entries_total");
  });

  it.for([
    [
      "customMetrics:\n- {metric: a_total, type: summary}\n",
      'a_total, has the type "summary": use one of counter, gauge, histogram',
    ],
    ["customMetrics:\n- {metric: a_total}\n", "a_total, has no type"],
    ["customMetrics:\n- {type: counter}\n", "entry 1 has no metric"],
    ["customMetrics:\n- {metric: 'a b', type: counter}\n", '"a b" is not a metric name'],
    ["customMetrics:\n- {metric: a_total, type: counter, expr: [1]}\n", "expr is not a string"],
    ["customMetrics: 1\n", "customMetrics is not a list"],
    ["customMetrics: [\n", CONFIG],
    ["- 1\n", ""],
  ] as const)("tells what is wrong with %j, and carries on", async ([text, message]) => {
    const root = await project();
    writeFiles(root, { [CONFIG]: text });
    writeFileSync(path.join(root, DASHBOARDS[0] ?? ""), "{}\n");
    const { status, stdout } = await runCommand(root, EDIT);
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining(message) });
    expect(stdout.includes("warning:")).toBe(message !== "");
    expect(readFiles(root)[CUSTOM]).toBeUndefined();
    expect(graphs(dashboard(root, DASHBOARDS[0] ?? "")).length).toBeGreaterThan(10);
  });

  it("reports an entry that cannot be used even when nothing else changes, and the others get panels", async () => {
    const root = await project();
    writeFiles(root, {
      [CONFIG]: "customMetrics:\n- {metric: a_total, type: summary}\n- {metric: b_total, type: counter}\n",
    });
    await runCommands(root, EDIT);
    expect(graphs(dashboard(root, CUSTOM)).map(({ title }) => title)).toEqual(["b_total"]);
    expect((await runCommand(root, EDIT)).stdout).toContain("warning:");
  });

  it("is regenerated by alpha generate, with the list of the user", async () => {
    const root = await project();
    await runCommands(root, CREATE_API);
    writeFiles(root, { [CONFIG]: "customMetrics:\n- {metric: a_total, type: counter} # mine\n" });
    await runCommands(root, EDIT, "alpha generate --make=false --output-dir again");
    const files = readFiles(root);
    const grafana = Object.entries(files).filter(([name]) => name.startsWith("grafana/"));
    expect(grafana).toHaveLength(4);
    for (const [name, text] of grafana) expect(files[`again/${name}`]).toBe(text);
  });
});

describe("init with grafana/v1-alpha", () => {
  it("keeps the list of the user when the project is regenerated", async () => {
    const root = temporaryFolder();
    await runCommands(root, `${INIT} --plugins=ts/v1,grafana/v1-alpha`);
    writeFiles(root, { [CONFIG]: "customMetrics:\n- {metric: a_total, type: counter} # mine\n" });
    await runCommands(root, EDIT);
    const files = readFiles(root);
    await runCommands(root, "alpha generate --make=false");
    expect(readFiles(root)).toEqual(files);
    await runCommands(root, "alpha generate --make=false --output-dir again");
    expect(readFiles(root)[`again/${CONFIG}`]).toBe(files[CONFIG]);
  });

  it("starts with the dashboards", async () => {
    const root = temporaryFolder();
    await runCommands(root, `${INIT} --plugins=ts/v1,grafana/v1-alpha`);
    expect(Object.keys(readFiles(root))).toEqual(expect.arrayContaining([...DASHBOARDS, CONFIG]));
  });
});
