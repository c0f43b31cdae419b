import type { JSX } from "preact";

import type { ReconcileRecord } from "../feed/protocol.ts";
import { formatDuration, formatTime } from "../parts/format.ts";
import { Grid, type Column } from "../parts/grid.tsx";
import { isFailure, objectOf, triggerOf } from "./filter-reconciles.ts";
import { Outcome } from "./outcomes.tsx";

const COLUMNS: readonly Column<ReconcileRecord>[] = [
  {
    key: "at",
    title: "Started",
    width: "100px",
    render: ({ startedAt }) => <span class="mono">{formatTime(startedAt)}</span>,
  },
  {
    key: "controller",
    title: "Controller",
    width: "minmax(80px, 0.7fr)",
    isSecondary: true,
    render: ({ controller }) => controller,
  },
  { key: "object", title: "Object", width: "minmax(104px, 1.4fr)", render: (record) => objectOf(record) },
  {
    key: "trigger",
    title: "Trigger",
    isSecondary: true,
    width: "minmax(88px, 2.8fr)",
    render: (record) => <span title={triggerOf(record)}>{triggerOf(record, record.namespace)}</span>,
  },
  { key: "outcome", title: "Outcome", width: "minmax(128px, 0.8fr)", render: (record) => <Outcome record={record} /> },
  {
    key: "duration",
    title: "Duration",
    width: "72px",
    isNumber: true,
    render: ({ durationMs }) => (durationMs === undefined ? "…" : formatDuration(durationMs)),
  },
  {
    key: "writes",
    title: "Writes",
    width: "52px",
    isNumber: true,
    render: ({ writes }) => (writes.length === 0 ? <span class="muted">0</span> : writes.length),
  },
  {
    key: "error",
    title: "Error",
    isSecondary: true,
    width: "minmax(72px, 1.4fr)",
    render: ({ error }) => (error === undefined ? "" : <span title={error}>{error}</span>),
  },
];

/** The reconciles, newest first. */
export function ReconcileTable({
  rows,
  isFiltered,
  selected,
  onSelect,
}: {
  readonly rows: readonly ReconcileRecord[];
  readonly isFiltered: boolean;
  readonly selected: string;
  readonly onSelect: (record: ReconcileRecord, isOpened: boolean) => void;
}): JSX.Element {
  return (
    <Grid
      label="Reconciles"
      columns={COLUMNS}
      isCompact={selected !== ""}
      rows={rows}
      keyOf={({ id }) => id}
      selected={selected}
      onSelect={onSelect}
      classOf={(record) => (isFailure(record) ? "is-failed" : "")}
      empty={isFiltered ? "No reconcile matches the filters." : "No controller has reconciled an object yet."}
    />
  );
}
