import type { JSX } from "preact";
import { useMemo } from "preact/hooks";

import { Choice, SearchField, Segments, Toggle } from "../parts/controls.tsx";
import { formatTime, plural } from "../parts/format.ts";
import { Grid, type Column } from "../parts/grid.tsx";
import { useRoute } from "../route/use-route.ts";
import { useSelect, useSlowSelect } from "../state/hooks.ts";
import { filterLines, lineFilterOf, objectOfEvent, type Entry, type Level, type LineFilter } from "./filter-lines.ts";
import { LinePanel } from "./line-panel.tsx";
import { LevelTag } from "./log-lines.tsx";

const COLUMNS: readonly Column<Entry>[] = [
  { key: "at", title: "Time", width: "104px", render: ({ at }) => <span class="mono">{formatTime(at)}</span> },
  { key: "level", title: "Level", width: "76px", render: (entry) => <EntryLevel entry={entry} /> },
  { key: "source", title: "Source", width: "minmax(90px, 0.9fr)", isSecondary: true, render: sourceOf },
  { key: "object", title: "Object", width: "minmax(110px, 1fr)", render: objectOf },
  { key: "message", title: "Message", width: "minmax(240px, 4fr)", render: (entry) => <Message entry={entry} /> },
];

/** The Events of the API and the lines of the manager's log, merged by time. */
export function LogsView(): JSX.Element {
  const { route, set } = useRoute();
  const { params } = route;
  const logs = useSlowSelect(
    (state) => state.logs,
    () => 150,
  );
  const events = useSelect((state) => state.events);
  const filter = lineFilterOf(params);
  const filterKey = JSON.stringify(filter);
  const rows = useMemo(() => filterLines(logs, events.values(), filter), [logs, events, filterKey]);
  const selectedId = params["sel"] ?? "";
  const selected = rows.find(({ id }) => id === selectedId);
  const isFollowing = params["follow"] !== "0" && selectedId === "";
  return (
    <div class="view">
      <LineFilters filter={filter} isFollowing={isFollowing} />
      <div class={selected === undefined ? "split" : "split has-panel"}>
        <div class="split-main">
          <Grid
            label="Events and logs"
            columns={COLUMNS}
            isCompact={selected !== undefined}
            rows={rows}
            keyOf={({ id }) => id}
            selected={selectedId}
            onSelect={(entry, isOpened) => set({ sel: entry.id }, isOpened)}
            classOf={classOf}
            isFollowing={isFollowing}
            onFollowing={(follow) => set({ follow: follow ? "" : "0" })}
            empty={
              logs.length + events.size === 0
                ? "There are no Events, and the manager has logged nothing yet."
                : "Nothing matches the filters."
            }
          />
          <p class="status-line">
            {plural(rows.length, "line")}
            {filter.reconcile === "" ? "" : ` of reconcile ${filter.reconcile.slice(0, 8)}`}
          </p>
        </div>
        {selected === undefined ? null : <LinePanel entry={selected} onClose={() => set({ sel: "" })} />}
      </div>
    </div>
  );
}

function LineFilters({
  filter,
  isFollowing,
}: {
  readonly filter: LineFilter;
  readonly isFollowing: boolean;
}): JSX.Element {
  const { set } = useRoute();
  const controllers = useSelect((state) => state.controllers);
  const replicas = useSelect((state) => state.replicas) ?? [];
  return (
    <div class="toolbar" role="search" aria-label="Filter events and logs">
      <SearchField value={filter.text} placeholder="Search events and logs" onChange={(q) => set({ q })} />
      <Segments<LineFilter["source"] | "all">
        label="Source"
        value={filter.source === "" ? "all" : filter.source}
        options={[
          { value: "all", title: "All" },
          { value: "log", title: "Logs" },
          { value: "event", title: "Events" },
        ]}
        onChange={(source) => set({ source: source === "all" ? "" : source })}
      />
      <Segments<Level>
        label="Level"
        value={filter.level}
        options={[
          { value: "error", title: "Errors" },
          { value: "info", title: "Info" },
          { value: "debug", title: "Debug" },
        ]}
        onChange={(level) => set({ level: level === "info" ? "" : level })}
      />
      <Choice
        label="Controller"
        all="All controllers"
        value={filter.controller}
        options={[...controllers.keys()].toSorted().map((name) => [name, -1])}
        onChange={(controller) => set({ controller })}
      />
      {replicas.length > 1 ? (
        <Choice
          label="Pod"
          all="All Pods"
          value={filter.pod}
          options={replicas.map(({ pod }) => [pod, -1])}
          onChange={(pod) => set({ pod })}
        />
      ) : (
        <FilterChip name="Pod" value={filter.pod} onClear={() => set({ pod: "" })} />
      )}
      <FilterChip name="Object" value={filter.object} onClear={() => set({ object: "" })} />
      <FilterChip name="Reconcile" value={filter.reconcile} onClear={() => set({ reconcile: "" })} />
      <span class="spacer" />
      <Toggle
        isOn={isFollowing}
        title="Stay at the newest line (f)"
        onChange={(isOn) => set({ follow: isOn ? "" : "0", ...(isOn ? { sel: "" } : {}) })}
      >
        <span data-follow>Follow</span>
      </Toggle>
    </div>
  );
}

function FilterChip({
  name,
  value,
  onClear,
}: {
  readonly name: string;
  readonly value: string;
  readonly onClear: () => void;
}): JSX.Element | null {
  if (value === "") return null;
  return (
    <button type="button" class="chip" onClick={onClear} aria-label={`Remove the filter ${name} ${value}`}>
      {name}: {value.length > 40 ? `${value.slice(0, 12)}…` : value} <span aria-hidden="true">×</span>
    </button>
  );
}

function EntryLevel({ entry }: { readonly entry: Entry }): JSX.Element {
  if (entry.kind === "log") return <LevelTag level={entry.line.level} />;
  return entry.event.severity === "Warning" ? (
    <span class="level level-warning">Warning</span>
  ) : (
    <span class="level level-event">Event</span>
  );
}

function Message({ entry }: { readonly entry: Entry }): JSX.Element {
  if (entry.kind === "event") {
    const { reason, message, count } = entry.event;
    return (
      <>
        <strong>{reason}</strong> {message}
        {count > 1 ? <span class="count">×{count}</span> : null}
      </>
    );
  }
  const { message, error, hint } = entry.line;
  return (
    <>
      {message}
      {error === undefined ? null : <span class="problem"> {error}</span>}
      {hint === undefined ? null : <span class="tag">hint</span>}
    </>
  );
}

function sourceOf(entry: Entry): string {
  if (entry.kind === "event") return entry.event.source;
  return entry.line.controller ?? entry.line.logger;
}

function objectOf(entry: Entry): string {
  return entry.kind === "event" ? `${entry.event.kind} ${objectOfEvent(entry.event)}` : (entry.line.object ?? "");
}

function classOf(entry: Entry): string {
  if (entry.kind === "log") return entry.line.level === "error" ? "is-failed" : `is-${entry.line.level}`;
  return entry.event.severity === "Warning" ? "is-warning" : "";
}
