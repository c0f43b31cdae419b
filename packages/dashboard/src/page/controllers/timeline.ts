import type { ReconcileRecord } from "../feed/protocol.ts";

/** A bar of the timeline in pixels, relative to its lane. */
export interface TimelineBar {
  readonly record: ReconcileRecord;
  readonly x: number;
  readonly width: number;
  /** Reconciles of a controller that run at the same time have different tracks. */
  readonly track: number;
}

/** The bars of a controller. */
export interface TimelineLane {
  readonly controller: string;
  readonly bars: readonly TimelineBar[];
  readonly tracks: number;
}

/** The time that a timeline shows. */
export interface TimelineWindow {
  readonly from: number;
  readonly to: number;
  readonly width: number;
}

/** A reconcile of a millisecond has to be visible, too. */
const SMALLEST_BAR = 3;
const MOST_TRACKS = 6;
const TICK_STEPS_MS = [1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000];
const TICK_WIDTH = 90;

/** Places the reconciles of a window of time. Lanes are in the order of `controllers`, and exist without reconciles, too. */
export function timelineLanes(
  records: Iterable<ReconcileRecord>,
  controllers: readonly string[],
  window: TimelineWindow,
): readonly TimelineLane[] {
  const groups = new Map<string, ReconcileRecord[]>(controllers.map((name) => [name, []]));
  for (const record of records) {
    const end = record.durationMs === undefined ? window.to : record.startedAt + record.durationMs;
    if (end < window.from || record.startedAt > window.to) continue;
    groups.get(record.controller)?.push(record);
  }
  return [...groups].map(([controller, group]) => {
    const bars = placeBars(group, window);
    return { controller, bars, tracks: Math.max(1, ...bars.map(({ track }) => track + 1)) };
  });
}

/** Returns the bar at a point of a lane. Later bars cover earlier ones; two pixels beside a bar still hit it. */
export function barAt(lane: TimelineLane, x: number, track: number): TimelineBar | undefined {
  return lane.bars.findLast((bar) => bar.track === track && x >= bar.x - 2 && x <= bar.x + bar.width + 2);
}

/** Returns the ticks of the axis: round numbers of seconds before the end. */
export function timelineTicks({
  from,
  to,
  width,
}: TimelineWindow): readonly { readonly x: number; readonly ageMs: number }[] {
  const span = to - from;
  const wanted = (span / Math.max(1, width)) * TICK_WIDTH;
  const step = TICK_STEPS_MS.find((each) => each >= wanted) ?? TICK_STEPS_MS.at(-1) ?? span;
  const count = Math.floor(span / step);
  return Array.from({ length: count + 1 }, (_unused, index) => ({
    x: width - ((index * step) / span) * width,
    ageMs: index * step,
  }));
}

function placeBars(records: readonly ReconcileRecord[], { from, to, width }: TimelineWindow): readonly TimelineBar[] {
  const scale = width / (to - from);
  const ends: number[] = [];
  return records
    .toSorted((left, right) => left.startedAt - right.startedAt)
    .map((record) => {
      const start = Math.max(0, (record.startedAt - from) * scale);
      const end = record.durationMs === undefined ? width : (record.startedAt + record.durationMs - from) * scale;
      const barWidth = Math.max(SMALLEST_BAR, Math.min(width, end) - start);
      const x = Math.min(start, width - SMALLEST_BAR);
      let track = ends.findIndex((each) => each <= record.startedAt);
      if (track === -1) track = Math.min(ends.length, MOST_TRACKS - 1);
      ends[track] = record.durationMs === undefined ? Number.POSITIVE_INFINITY : record.startedAt + record.durationMs;
      return { record, x, width: barWidth, track };
    });
}
