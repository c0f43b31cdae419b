import type { JSX } from "preact";
import { useMemo } from "preact/hooks";

import type { ObjectCondition } from "../feed/protocol.ts";
import { Grid, type Column } from "../parts/grid.tsx";
import { ReadinessSymbol, Symbol } from "../parts/symbols.tsx";
import { Age } from "../parts/text.tsx";
import type { ObjectEntry } from "../state/model.ts";
import { conditionTone } from "../state/readiness.ts";
import type { TreeRow } from "./object-tree.ts";

/** How long a row shows that its object has just changed. */
const FRESH_MS = 2000;

/** The tree of objects. */
export function ObjectTable({
  rows,
  selected,
  onSelect,
  onToggle,
  isFiltered,
  isCompact,
}: {
  readonly rows: readonly TreeRow[];
  readonly selected: string;
  readonly onSelect: (entry: ObjectEntry, isOpened: boolean) => void;
  readonly onToggle: (uid: string, isExpanded: boolean) => void;
  readonly isFiltered: boolean;
  readonly isCompact: boolean;
}): JSX.Element {
  const columns = useMemo<readonly Column<TreeRow>[]>(
    () => [
      {
        key: "name",
        title: "Object",
        width: "minmax(260px, 3.4fr)",
        render: (row) => <Name row={row} onToggle={onToggle} />,
      },
      {
        key: "namespace",
        title: "Namespace",
        width: "minmax(80px, 0.8fr)",
        render: ({ entry }) => entry.summary.namespace,
      },
      { key: "status", title: "Status", width: "minmax(110px, 1fr)", render: ({ entry }) => <Status entry={entry} /> },
      {
        key: "conditions",
        title: "Conditions",
        width: "minmax(120px, 1.6fr)",
        isSecondary: true,
        render: ({ entry }) => <Conditions conditions={entry.summary.conditions ?? []} />,
      },
      {
        key: "age",
        title: "Age",
        width: "56px",
        isNumber: true,
        render: ({ entry }) => <Age at={entry.summary.createdAt} />,
      },
    ],
    [onToggle],
  );
  return (
    <Grid
      label="Objects"
      columns={columns}
      isCompact={isCompact}
      rows={rows}
      keyOf={({ entry }) => entry.summary.uid}
      selected={selected}
      onSelect={({ entry }, isOpened) => onSelect(entry, isOpened)}
      levelOf={({ level, children, isExpanded }) => ({ level, isExpanded: children === 0 ? undefined : isExpanded })}
      onToggle={({ entry }, isExpanded) => onToggle(entry.summary.uid, isExpanded)}
      classOf={({ entry, isContext }) => (entry.isDeleted ? "is-deleted" : isContext ? "is-context" : freshness(entry))}
      empty={isFiltered ? "No object matches the filters." : "There are no objects yet."}
    />
  );
}

function freshness({ seenAt }: ObjectEntry): string {
  return Date.now() - seenAt < FRESH_MS ? "is-fresh" : "";
}

function Name({
  row,
  onToggle,
}: {
  readonly row: TreeRow;
  readonly onToggle: (uid: string, isExpanded: boolean) => void;
}): JSX.Element {
  const { entry, level, children, isExpanded } = row;
  const { kind, name, uid } = entry.summary;
  return (
    <span class="tree-name" style={{ paddingLeft: `${String((level - 1) * 18)}px` }}>
      {children === 0 ? (
        <span class="twisty" />
      ) : (
        <button
          type="button"
          class="twisty"
          tabIndex={-1}
          aria-label={isExpanded ? `Collapse ${name}` : `Expand ${name}`}
          onClick={() => onToggle(uid, !isExpanded)}
        >
          <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
            <path
              d={isExpanded ? "M1.500 3.200 5 6.800 8.500 3.200" : "M3.200 1.500 6.800 5 3.200 8.500"}
              class="hollow"
            />
          </svg>
        </button>
      )}
      <ReadinessSymbol readiness={entry.readiness} />
      <span class="kind">{kind}</span>
      <span class="name" title={name}>
        {name}
      </span>
      {isExpanded || children === 0 ? null : <span class="count">{children}</span>}
    </span>
  );
}

function Status({ entry }: { readonly entry: ObjectEntry }): JSX.Element {
  const { phase, deletedAt, finalizers = [] } = entry.summary;
  if (entry.isDeleted) return <span class="muted">Deleted</span>;
  if (deletedAt !== undefined)
    return (
      <span title={`Waits for ${finalizers.join(", ")}`}>
        Deleting
        {finalizers.length === 0
          ? ""
          : ` · ${String(finalizers.length)} finalizer${finalizers.length === 1 ? "" : "s"}`}
      </span>
    );
  return (
    <span class={`readiness-${entry.readiness}`}>{phase ?? (entry.readiness === "none" ? "" : words(entry))}</span>
  );
}

function words({ readiness }: ObjectEntry): string {
  return readiness === "ready" ? "Ready" : readiness === "failed" ? "Failed" : "Not ready";
}

/** Short conditions: the name in the color of its meaning. */
function Conditions({ conditions }: { readonly conditions: readonly ObjectCondition[] }): JSX.Element {
  return (
    <span class="conditions">
      {conditions.map((condition) => {
        const tone = conditionTone(condition);
        const { type, status, reason, message } = condition;
        return (
          <span
            key={type}
            class={`condition is-${tone}`}
            title={[`${type}=${status}`, reason, message].filter(Boolean).join("\n")}
          >
            {tone === "neutral" ? null : <Symbol tone={tone} />}
            {status === "True" ? type : `${type}=${status}`}
          </span>
        );
      })}
    </span>
  );
}
