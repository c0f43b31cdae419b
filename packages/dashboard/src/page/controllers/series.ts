import type { ControllerSample } from "../feed/protocol.ts";
import type { ControllerSeries } from "../state/model.ts";

/** Rows of numbers for uPlot: the times in seconds, and a row for each series. */
export type ChartData = readonly [readonly number[], ...(readonly (number | null)[])[]];

/** What a chart draws of a sample. */
export type Measure = "rate" | "queueDepth" | "p50Ms" | "p90Ms" | "p99Ms";

/** A line of a chart: a measure of a controller. */
export interface ChartLine {
  readonly controller: string;
  readonly measure: Measure;
  readonly title: string;
}

/**
 * Aligns the samples of controllers on one axis of times.
 *
 * Controllers are sampled only while something changes, so that a value holds until the next sample; rates fall to zero after two intervals.
 */
export function chartData(
  controllers: ReadonlyMap<string, ControllerSeries>,
  lines: readonly ChartLine[],
  { from, to }: { readonly from: number; readonly to: number },
): ChartData {
  const times = new Set<number>([from, to]);
  for (const controller of new Set(lines.map((line) => line.controller)))
    for (const sample of controllers.get(controller)?.samples ?? []) {
      const { at } = sample;
      const idleAt = at + idleAfterMs(sample);
      if (at >= from && at <= to) times.add(at);
      if (idleAt >= from && idleAt <= to) times.add(idleAt);
    }
  const axis = [...times].toSorted((left, right) => left - right);
  return [
    axis.map((at) => at / 1000),
    ...lines.map((line) => valuesAt(axis, controllers.get(line.controller), line.measure)),
  ];
}

function idleAfterMs({ intervalMs = 1000 }: ControllerSample): number {
  return 2 * intervalMs;
}

function valuesAt(
  axis: readonly number[],
  series: ControllerSeries | undefined,
  measure: Measure,
): readonly (number | null)[] {
  const samples = series?.samples ?? [];
  let index = -1;
  return axis.map((at) => {
    while ((samples[index + 1]?.at ?? Number.POSITIVE_INFINITY) <= at) index += 1;
    const sample = samples[index];
    if (sample === undefined) return null;
    if (measure === "rate" && at - sample.at >= idleAfterMs(sample)) return 0;
    return sample[measure] ?? null;
  });
}
