import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

import type { ReconcileRecord } from "../feed/protocol.ts";
import { formatAge, formatDuration, plural } from "../parts/format.ts";
import { useTheme } from "../theme/theme.ts";
import { isFailure, objectOf } from "./filter-reconciles.ts";
import { outcomeTitle } from "./outcomes.tsx";
import { barAt, timelineLanes, timelineTicks, type TimelineBar, type TimelineLane } from "./timeline.ts";

const TRACK = 9;
const LANE_PADDING = 6;
const AXIS = 18;
const LABEL_WIDTH = 150;

interface TimelineProps {
  readonly records: ReadonlyMap<string, ReconcileRecord>;
  readonly controllers: readonly string[];
  readonly spanMs: number;
  /** The end of the window. */
  readonly now: number;
  readonly selected: string;
  readonly onSelect: (record: ReconcileRecord) => void;
}

/** The reconciles of the last minutes, a lane for each controller. The grid below has the same reconciles for the keyboard and for screen readers. */
export function TimelineView({ records, controllers, spanMs, now, selected, onSelect }: TimelineProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(600);
  const [hover, setHover] = useState<{ readonly bar: TimelineBar; readonly x: number; readonly y: number }>();
  const { resolved } = useTheme();
  const window = useMemo(() => ({ from: now - spanMs, to: now, width }), [now, spanMs, width]);
  const lanes = useMemo(() => timelineLanes(records.values(), controllers, window), [records, controllers, window]);
  const height = lanes.reduce((sum, lane) => sum + laneHeight(lane), AXIS);
  useEffect(() => {
    const element = canvas.current?.parentElement;
    if (element === null || element === undefined) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(100, element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (canvas.current !== null) draw(canvas.current, { lanes, ticks: timelineTicks(window), width, height, selected });
  }, [lanes, width, height, selected, resolved]);
  const at = (event: MouseEvent): TimelineBar | undefined => hit(lanes, event.offsetX, event.offsetY);
  const shown = lanes.reduce((sum, lane) => sum + lane.bars.length, 0);
  return (
    <div class="timeline">
      <ul class="timeline-labels" aria-hidden="true" style={{ width: `${String(LABEL_WIDTH)}px` }}>
        {lanes.map((lane) => (
          <li key={lane.controller} style={{ height: `${String(laneHeight(lane))}px` }} title={lane.controller}>
            {lane.controller}
          </li>
        ))}
      </ul>
      <div class="timeline-plot">
        <canvas
          ref={canvas}
          role="img"
          aria-label={`Timeline: ${plural(shown, "reconcile")} in the last ${formatAge(spanMs)}. The grid below lists them.`}
          style={{ width: `${String(width)}px`, height: `${String(height)}px` }}
          onMouseMove={(event) => {
            const bar = at(event);
            setHover(bar === undefined ? undefined : { bar, x: event.offsetX, y: event.offsetY });
          }}
          onMouseLeave={() => setHover(undefined)}
          onClick={(event) => {
            const bar = at(event);
            if (bar !== undefined) onSelect(bar.record);
          }}
        />
        {hover === undefined ? null : <Tip record={hover.bar.record} x={hover.x} y={hover.y} width={width} />}
      </div>
    </div>
  );
}

function Tip({
  record,
  x,
  y,
  width,
}: {
  readonly record: ReconcileRecord;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}): JSX.Element {
  const side = x > width / 2 ? { right: `${String(width - x + 12)}px` } : { left: `${String(x + 12)}px` };
  return (
    <div class="tip" style={{ top: `${String(y + 14)}px`, ...side }}>
      <strong>{objectOf(record)}</strong>
      <span>
        {outcomeTitle(record)}
        {record.durationMs === undefined ? "" : ` · ${formatDuration(record.durationMs)}`}
        {record.writes.length === 0 ? "" : ` · ${plural(record.writes.length, "write")}`}
      </span>
      {record.error === undefined ? null : <span class="problem">{record.error.slice(0, 160)}</span>}
    </div>
  );
}

function laneHeight({ tracks }: TimelineLane): number {
  return Math.max(22, tracks * TRACK + 2 * LANE_PADDING);
}

function hit(lanes: readonly TimelineLane[], x: number, y: number): TimelineBar | undefined {
  let top = 0;
  for (const lane of lanes) {
    const height = laneHeight(lane);
    if (y < top + height)
      return barAt(lane, x, Math.min(lane.tracks - 1, Math.max(0, Math.floor((y - top - LANE_PADDING) / TRACK))));
    top += height;
  }
  return undefined;
}

interface Picture {
  readonly lanes: readonly TimelineLane[];
  readonly ticks: ReturnType<typeof timelineTicks>;
  readonly width: number;
  readonly height: number;
  readonly selected: string;
}

function draw(canvas: HTMLCanvasElement, { lanes, ticks, width, height, selected }: Picture): void {
  const ratio = devicePixelRatio;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const context = canvas.getContext("2d");
  if (context === null) return;
  const style = getComputedStyle(canvas);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  context.scale(ratio, ratio);
  context.font = "11px system-ui, sans-serif";
  for (const { x, ageMs } of ticks) {
    context.fillStyle = color("--line-faint");
    context.fillRect(Math.round(x), 0, 1, height - AXIS);
    context.fillStyle = color("--text-faint");
    context.textAlign = x > width - 20 ? "right" : x < 20 ? "left" : "center";
    context.fillText(ageMs === 0 ? "now" : `−${formatAge(ageMs)}`, x, height - 4);
  }
  let top = 0;
  for (const lane of lanes) {
    context.fillStyle = color("--line-faint");
    context.fillRect(0, top + laneHeight(lane) - 1, width, 1);
    for (const bar of lane.bars)
      drawBar(context, bar, { top: top + LANE_PADDING + bar.track * TRACK, color, selected });
    top += laneHeight(lane);
  }
}

function drawBar(
  context: CanvasRenderingContext2D,
  { record, x, width }: TimelineBar,
  {
    top,
    color,
    selected,
  }: { readonly top: number; readonly color: (name: string) => string; readonly selected: string },
): void {
  const height = TRACK - 2;
  context.fillStyle = color(colorOf(record));
  context.beginPath();
  context.roundRect(x, top, width, height, 1.5);
  context.fill();
  // Failures stand out by shape as well.
  if (isFailure(record)) context.fillRect(x, top - 2, Math.min(width, 3), height + 4);
  if (record.id !== selected) return;
  context.strokeStyle = color("--text");
  context.lineWidth = 1.5;
  context.strokeRect(x - 2, top - 2, width + 4, height + 4);
}

function colorOf(record: ReconcileRecord): string {
  const { outcome, writes } = record;
  if (isFailure(record)) return "--bad";
  if (outcome === "running") return "--busy";
  if (outcome === "success") return writes.length > 0 ? "--accent" : "--good-soft";
  return "--busy-soft";
}
