import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";

import type { ReconcileRecord } from "../feed/protocol.ts";
import { Choice, SearchField, Segments, Toggle } from "../parts/controls.tsx";
import { formatDuration, formatRate, plural } from "../parts/format.ts";
import { useRoute } from "../route/use-route.ts";
import { useNow, useSelect, useSlowSelect } from "../state/hooks.ts";
import type { ControllerSeries } from "../state/model.ts";
import { Chart } from "./chart.tsx";
import { CacheTable, ControllerTable } from "./controller-tables.tsx";
import { filterReconciles, reconcileFilterOf, type OutcomeFilter } from "./filter-reconciles.ts";
import { ReconcilePanel } from "./reconcile-panel.tsx";
import { ReconcileTable } from "./reconcile-table.tsx";
import { chartData, type ChartLine, type Measure } from "./series.ts";
import { TimelineView } from "./timeline-view.tsx";

const SPANS = { "1m": 60_000, "5m": 300_000, "15m": 900_000 } as const;
type Span = keyof typeof SPANS;

/** The controllers: their state, a timeline of reconciles, charts, and the details of one reconcile. */
export function ControllersView(): JSX.Element {
  const { route, set } = useRoute();
  const { params } = route;
  const records = useSlowSelect(
    (state) => state.reconciles,
    () => 200,
  );
  const controllers = useSelect((state) => state.controllers);
  const filter = reconcileFilterOf(params);
  const filterKey = JSON.stringify(filter);
  const rows = useMemo(() => filterReconciles(records.values(), filter), [records, filterKey]);
  const names = useMemo(() => controllerNames(controllers, records), [controllers, records]);
  const selectedId = params["sel"] ?? "";
  const selected = records.get(selectedId);
  const spanName = spanOf(params["span"]);
  const select = (record: ReconcileRecord, isOpened = false): void => set({ sel: record.id }, isOpened);
  return (
    <div class="view">
      <div class={selectedId === "" ? "split" : "split has-panel"}>
        <div class="split-main scrolls">
          <ControllerTable
            controllers={controllers}
            selected={filter.controller}
            onSelect={(controller) => set({ controller })}
          />
          <LiveCharts
            records={records}
            controllers={controllers}
            names={filter.controller === "" ? names : [filter.controller]}
            span={spanName}
            selected={selectedId}
            onSelect={(record) => select(record, true)}
          />
          <ReconcileFilters rows={rows.length} names={names} />
          <ReconcileTable rows={rows} selected={selectedId} onSelect={select} />
        </div>
        {selectedId === "" ? null : (
          <ReconcilePanel key={selectedId} record={selected} onClose={() => set({ sel: "" })} />
        )}
      </div>
    </div>
  );
}

function ReconcileFilters({ rows, names }: { readonly rows: number; readonly names: readonly string[] }): JSX.Element {
  const { route, set } = useRoute();
  const filter = reconcileFilterOf(route.params);
  return (
    <div class="toolbar" role="search" aria-label="Filter reconciles">
      <h2>Reconciles</h2>
      <SearchField value={filter.object} placeholder="Search by object" onChange={(object) => set({ object })} />
      <Choice
        label="Controller"
        all="All controllers"
        value={filter.controller}
        options={names.map((name) => [name, -1])}
        onChange={(controller) => set({ controller })}
      />
      <Segments<OutcomeFilter | "all">
        label="Outcome"
        value={filter.outcome === "" ? "all" : filter.outcome}
        options={[
          { value: "all", title: "All" },
          { value: "error", title: "Errors" },
          { value: "requeue", title: "Requeued" },
          { value: "writes", title: "With writes" },
          { value: "running", title: "Running" },
        ]}
        onChange={(outcome) => set({ outcome: outcome === "all" ? "" : outcome })}
      />
      <span class="muted">{plural(rows, "reconcile")}</span>
    </div>
  );
}

interface LiveProps {
  readonly records: ReadonlyMap<string, ReconcileRecord>;
  readonly controllers: ReadonlyMap<string, ControllerSeries>;
  readonly names: readonly string[];
  readonly span: Span;
  readonly selected: string;
  readonly onSelect: (record: ReconcileRecord) => void;
}

function LiveCharts({ records, controllers, names, span, selected, onSelect }: LiveProps): JSX.Element {
  const { set } = useRoute();
  const time = useNow(500);
  const [pausedAt, setPausedAt] = useState<number>();
  const now = pausedAt ?? time;
  const window = { from: now - SPANS[span], to: now };
  useEffect(() => setPausedAt(undefined), [span]);
  return (
    <>
      <div class="toolbar">
        <h2>Timeline</h2>
        <Segments<Span>
          label="Time shown"
          value={span}
          options={[
            { value: "1m", title: "1 min" },
            { value: "5m", title: "5 min" },
            { value: "15m", title: "15 min" },
          ]}
          onChange={(value) => set({ span: value === "5m" ? "" : value })}
        />
        <Toggle isOn={pausedAt !== undefined} onChange={(isOn) => setPausedAt(isOn ? time : undefined)}>
          Pause
        </Toggle>
        <Legend />
      </div>
      <TimelineView
        records={records}
        controllers={names}
        spanMs={SPANS[span]}
        now={now}
        selected={selected}
        onSelect={onSelect}
      />
      {controllers.size > 0 ? <Charts controllers={controllers} names={names} window={window} /> : null}
    </>
  );
}

function Legend(): JSX.Element {
  const items = [
    ["accent", "with writes"],
    ["good-soft", "no change"],
    ["busy-soft", "requeue"],
    ["busy", "running"],
    ["bad", "error"],
  ] as const;
  return (
    <ul class="legend" aria-label="Colors of the timeline">
      {items.map(([name, title]) => (
        <li key={name}>
          <span class={`swatch fill-${name}`} /> {title}
        </li>
      ))}
    </ul>
  );
}

function Charts({
  controllers,
  names,
  window,
}: {
  readonly controllers: ReadonlyMap<string, ControllerSeries>;
  readonly names: readonly string[];
  readonly window: { readonly from: number; readonly to: number };
}): JSX.Element {
  const linesOf = (measures: readonly Measure[]): readonly ChartLine[] =>
    names.flatMap((controller) => measures.map((measure) => ({ controller, measure, title: controller })));
  const latencies: readonly Measure[] = names.length === 1 ? ["p50Ms", "p90Ms", "p99Ms"] : ["p90Ms"];
  const latest = names.flatMap((name) => controllers.get(name)?.latest ?? []);
  const sum = (pick: (sample: (typeof latest)[number]) => number): number =>
    latest.reduce((total, sample) => total + pick(sample), 0);
  const all = [...controllers.keys()].toSorted();
  const colors = names.map((name) => (Math.max(0, all.indexOf(name)) % 6) + 1);
  const largest = Math.max(0, ...latest.map(({ p90Ms = 0 }) => p90Ms));
  return (
    <div class="charts">
      <Chart
        title="Rate"
        summary={`${formatRate(sum(({ rate }) => rate))} reconciles/s`}
        names={names}
        colors={colors}
        data={chartData(controllers, linesOf(["rate"]), window)}
        format={formatRate}
      />
      <Chart
        title="Queue depth"
        summary={`${String(sum(({ queueDepth }) => queueDepth))} waiting`}
        names={names}
        colors={colors}
        data={chartData(controllers, linesOf(["queueDepth"]), window)}
        format={(value) => (Number.isInteger(value) ? String(value) : "")}
      />
      <Chart
        title={names.length === 1 ? "Latency" : "Latency p90"}
        legend={names.length === 1 ? ["p50", "p90", "p99"] : []}
        summary={formatDuration(largest)}
        names={linesOf(latencies).map(({ controller, measure }) => `${controller} ${measure}`)}
        colors={names.length === 1 ? [3, 1, 2] : colors}
        data={chartData(controllers, linesOf(latencies), window)}
        format={formatDuration}
      />
      <CacheTable />
    </div>
  );
}

function spanOf(text: string | undefined): Span {
  return text === "1m" || text === "15m" ? text : "5m";
}

function controllerNames(
  controllers: ReadonlyMap<string, ControllerSeries>,
  records: ReadonlyMap<string, ReconcileRecord>,
): readonly string[] {
  const names = new Set(controllers.keys());
  for (const { controller } of records.values()) names.add(controller);
  return [...names].toSorted();
}
