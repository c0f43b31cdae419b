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
