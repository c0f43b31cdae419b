import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { plural } from "../parts/format.ts";
import { toneOf } from "../parts/symbols.tsx";
import type { ObjectEntry } from "../state/model.ts";
import { inOwnTask } from "../state/own-task.ts";
import { NODE, type GraphLayout, type OwnerGraph } from "./object-graph.ts";
import { useGraphLayout } from "./use-graph-layout.ts";

const PADDING = 24;

/** The owners of objects as a graph. The arrow keys move among its nodes, which are buttons. */
export function OwnerGraphView({
  graph,
  selected,
  onSelect,
}: {
  /** Undefined until it is computed. */
  readonly graph: OwnerGraph | undefined;
  readonly selected: string;
  readonly onSelect: (entry: ObjectEntry) => void;
}): JSX.Element {
  const layout = useGraphLayout(graph);
  const [zoom, setZoom] = useState(1);
  const nodes = useMemo(() => new Map((graph?.nodes ?? []).map((entry) => [entry.summary.uid, entry])), [graph]);
  return (
    <div class="graph">
      {graph !== undefined && graph.omitted > 0 ? (
        <p class="notice">
          {`${plural(graph.omitted, "object")} left out: a graph shows at most ${String(graph.nodes.length)}. Filter by kind, namespace, or text to see the others.`}
        </p>
      ) : null}
      <div class="graph-zoom" role="group" aria-label="Zoom">
        <button
          type="button"
          class="button small"
          aria-label="Zoom out"
          onClick={() => setZoom(Math.max(0.4, zoom - 0.2))}
        >
          −
        </button>
        <button type="button" class="button small" onClick={() => setZoom(1)}>
          {`${String(Math.round(zoom * 100))}%`}
        </button>
        <button
          type="button"
          class="button small"
          aria-label="Zoom in"
          onClick={() => setZoom(Math.min(1.6, zoom + 0.2))}
        >
          +
        </button>
      </div>
      {graph === undefined || layout === undefined ? (
        <p class="nothing">Drawing…</p>
      ) : (
        <Drawing
          layout={layout}
          edges={graph.edges}
          nodes={nodes}
          zoom={zoom}
          selected={selected}
          onSelect={onSelect}
        />
      )}
    </div>
  );
}

interface DrawingProps {
  readonly layout: GraphLayout;
  readonly edges: OwnerGraph["edges"];
  readonly nodes: ReadonlyMap<string, ObjectEntry>;
  readonly zoom: number;
  readonly selected: string;
  readonly onSelect: (entry: ObjectEntry) => void;
}

function Drawing({ layout, edges, nodes, zoom, selected, onSelect }: DrawingProps): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const width = layout.width + 2 * PADDING;
  const height = layout.height + 2 * PADDING;
  const placed = Object.entries(layout.positions).filter(([uid]) => nodes.has(uid));
  const drawn = useGrowing(placed.length);
  useEffect(() => {
    scroller.current?.querySelector(".graph-node.is-selected")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [selected, layout, drawn >= placed.length]);
  return (
    <div ref={scroller} class="graph-scroller" tabIndex={0} role="group" aria-label="Graph of owners">
      <svg
        viewBox={`${String(-PADDING)} ${String(-PADDING)} ${String(width)} ${String(height)}`}
        width={width * zoom}
        height={height * zoom}
        role="group"
        aria-label={`Graph with ${plural(placed.length, "object")}`}
        onKeyDown={(event) => moveFocus(event, layout)}
      >
        <g aria-hidden="true">
          {edges.map(({ from, to, isController }) => (
            <path
              key={`${from} ${to}`}
              class={`graph-line ${isController ? "" : "is-other"} ${from === selected || to === selected ? "is-selected" : ""}`}
              d={pathBetween(layout.positions[from], layout.positions[to])}
            />
          ))}
        </g>
        {placed.slice(0, drawn).map(([uid, { x, y }]) => {
          const entry = nodes.get(uid);
          return entry === undefined ? null : (
            <GraphNode key={uid} entry={entry} x={x} y={y} isSelected={uid === selected} onSelect={onSelect} />
          );
        })}
      </svg>
    </div>
  );
}

/** Nodes that are added to the picture in a frame. */
const NODES_PER_FRAME = 40;

// Hundreds of nodes at once would block input.
function useGrowing(count: number): number {
  const [drawn, setDrawn] = useState(NODES_PER_FRAME);
  useEffect(() => {
    if (drawn >= count) return undefined;
    const frame = requestAnimationFrame(() => inOwnTask(() => setDrawn((last) => last + NODES_PER_FRAME)));
    return () => cancelAnimationFrame(frame);
  }, [drawn, count]);
  return drawn;
}

function GraphNode({
  entry,
  x,
  y,
  isSelected,
  onSelect,
}: {
  readonly entry: ObjectEntry;
  readonly x: number;
  readonly y: number;
  readonly isSelected: boolean;
  readonly onSelect: (entry: ObjectEntry) => void;
}): JSX.Element {
  const { kind, name, namespace, phase, uid } = entry.summary;
  const tone = toneOf(entry.readiness);
  const label = `${kind} ${namespace === "" ? name : `${namespace}/${name}`}${phase === undefined ? "" : `, ${phase}`}`;
  return (
    <g
      class={`graph-node tone-${tone} ${isSelected ? "is-selected" : ""} ${entry.isDeleted ? "is-deleted" : ""}`}
      transform={`translate(${String(x - NODE.width / 2)} ${String(y - NODE.height / 2)})`}
      role="button"
      tabindex={0}
      aria-pressed={isSelected}
      data-uid={uid}
      onClick={() => onSelect(entry)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        onSelect(entry);
      }}
    >
      <title>{label}</title>
      <rect width={NODE.width} height={NODE.height} rx={5} />
      <rect class="graph-tone" width={4} height={NODE.height - 12} x={5} y={6} rx={2} />
      <text class="graph-kind" x={17} y={17}>
        {fit(`${kind}${phase === undefined ? "" : ` · ${phase}`}`, 28)}
      </text>
      <text class="graph-name" x={17} y={34}>
        {fit(name, 23)}
      </text>
    </g>
  );
}

function fit(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 9)}…${text.slice(-8)}`;
}

type Point = { readonly x: number; readonly y: number } | undefined;

// From the right side of the owner to the left side of the object.
function pathBetween(from: Point, to: Point): string {
  if (from === undefined || to === undefined) return "";
  const start = from.x + NODE.width / 2;
  const end = to.x - NODE.width / 2;
  const middle = (start + end) / 2;
  return `M${String(start)} ${String(from.y)}C${String(middle)} ${String(from.y)} ${String(middle)} ${String(to.y)} ${String(end)} ${String(to.y)}`;
}

// The nearest node in the direction of the key.
function moveFocus(event: KeyboardEvent, layout: GraphLayout): void {
  const current = event.target instanceof Element ? event.target.closest<SVGElement>("[data-uid]") : null;
  const from = layout.positions[current?.dataset["uid"] ?? ""];
  const direction = DIRECTIONS[event.key];
  if (from === undefined || direction === undefined) return;
  event.preventDefault();
  const best = Object.entries(layout.positions)
    .map(([uid, { x, y }]) => {
      const along = (x - from.x) * direction.x + (y - from.y) * direction.y;
      const across = Math.abs((x - from.x) * direction.y) + Math.abs((y - from.y) * direction.x);
      return { uid, along, cost: along + 2 * across };
    })
    .filter(({ along }) => along > 1)
    .toSorted((left, right) => left.cost - right.cost)[0];
  if (best === undefined) return;
  for (const node of document.querySelectorAll<SVGElement>(".graph-node"))
    if (node.dataset["uid"] === best.uid) node.focus();
}

const DIRECTIONS: Readonly<Record<string, { readonly x: number; readonly y: number }>> = {
  ArrowRight: { x: 1, y: 0 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowDown: { x: 0, y: 1 },
  ArrowUp: { x: 0, y: -1 },
};
