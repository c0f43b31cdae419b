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
 * Controllers are sampled only while something changes, so that a value holds until the next sample; rates fall to zero after two seconds.
 */
export function chartData(
  controllers: ReadonlyMap<string, ControllerSeries>,
  lines: readonly ChartLine[],
  { from, to }: { readonly from: number; readonly to: number },
): ChartData {
  const times = new Set<number>([from, to]);
  for (const controller of new Set(lines.map((line) => line.controller)))
    for (const { at } of controllers.get(controller)?.samples ?? []) {
      if (at >= from && at <= to) times.add(at);
      if (at + IDLE_MS >= from && at + IDLE_MS <= to) times.add(at + IDLE_MS);
    }
  const axis = [...times].toSorted((left, right) => left - right);
  return [
    axis.map((at) => at / 1000),
    ...lines.map((line) => valuesAt(axis, controllers.get(line.controller), line.measure)),
  ];
}

const IDLE_MS = 2000;

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
    if (measure === "rate" && at - sample.at >= IDLE_MS) return 0;
    return sample[measure] ?? null;
  });
}
