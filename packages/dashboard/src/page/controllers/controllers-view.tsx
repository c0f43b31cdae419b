import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";

import type { ReconcileRecord } from "../feed/protocol.ts";
import { Choice, SearchField, Segments, Toggle } from "../parts/controls.tsx";
import { plural } from "../parts/format.ts";
import { useRoute } from "../route/use-route.ts";
import { useCapability, useNow, useSelect, useSlowSelect } from "../state/hooks.ts";
import type { ControllerSeries } from "../state/model.ts";
import { Charts, spanOf, SPANS, type Span, SpanChoice } from "./controller-charts.tsx";
import { ControllerTable } from "./controller-tables.tsx";
import { filterReconciles, reconcileFilterOf, type OutcomeFilter } from "./filter-reconciles.ts";
import { MeasuredControllers } from "./measured-controllers.tsx";
import { ReconcilePanel } from "./reconcile-panel.tsx";
import { ReconcileTable } from "./reconcile-table.tsx";
import { TimelineView } from "./timeline-view.tsx";

/** The controllers: their state, a timeline of reconciles, charts, and the details of one reconcile. */
export function ControllersView(): JSX.Element {
  return useCapability("reconciles") ? <ObservedControllers /> : <MeasuredControllers />;
}

function ObservedControllers(): JSX.Element {
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
          <ReconcileTable rows={rows} isFiltered={records.size > 0} selected={selectedId} onSelect={select} />
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
  const time = useNow(500);
  const [pausedAt, setPausedAt] = useState<number>();
  const now = pausedAt ?? time;
  const window = { from: now - SPANS[span], to: now };
  useEffect(() => setPausedAt(undefined), [span]);
  return (
    <>
      <div class="toolbar">
        <h2>Timeline</h2>
        <SpanChoice span={span} />
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

function controllerNames(
  controllers: ReadonlyMap<string, ControllerSeries>,
  records: ReadonlyMap<string, ReconcileRecord>,
): readonly string[] {
  const names = new Set(controllers.keys());
  for (const { controller } of records.values()) names.add(controller);
  return [...names].toSorted();
}
