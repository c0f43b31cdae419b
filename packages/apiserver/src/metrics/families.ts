/** The labels of a sample. */
export type Labels = Readonly<Record<string, string>>;

/** A value at the time of the scrape. */
export interface Sample {
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
}

/** A metric with its samples. */
export interface Family {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly samples: readonly Sample[];
}

/** A value with its labels. */
export type Value = readonly [labels: Labels, value: number];

/** Returns a gauge with its values. */
export function gauge(name: string, values: readonly Value[]): Family {
  return { name, type: "gauge", samples: values.map(([labels, value]) => ({ name, labels, value })) };
}

/** Returns the gauge of the time at which the process was started. */
export function startTime(): Family {
  return gauge("process_start_time_seconds", [[{}, Date.now() / 1000 - process.uptime()]]);
}
