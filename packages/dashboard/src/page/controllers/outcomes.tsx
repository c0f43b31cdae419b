import type { JSX } from "preact";

import type { ReconcileRecord } from "../feed/protocol.ts";
import { formatDuration } from "../parts/format.ts";
import { Symbol, type Tone } from "../parts/symbols.tsx";
import { isConflict } from "./filter-reconciles.ts";

/** The names of outcomes. */
const OUTCOME_TITLES: Readonly<Record<ReconcileRecord["outcome"], string>> = {
  running: "Running",
  success: "Success",
  requeue: "Requeue",
  "requeue-after": "Requeue after",
  error: "Error",
  "terminal-error": "Terminal error",
  panic: "Panic",
};

const TONES: Readonly<Record<ReconcileRecord["outcome"], Tone>> = {
  running: "busy",
  success: "good",
  requeue: "neutral",
  "requeue-after": "neutral",
  error: "bad",
  "terminal-error": "bad",
  panic: "bad",
};

/** Returns the name of a reconcile's outcome. */
export function outcomeTitle(record: Pick<ReconcileRecord, "outcome" | "errorCode">): string {
  return isConflict(record) ? "Conflict, repeated" : OUTCOME_TITLES[record.outcome];
}

/** The outcome of a reconcile with its symbol. */
export function Outcome({ record }: { readonly record: ReconcileRecord }): JSX.Element {
  const { requeueAfterMs } = record;
  const tone = isConflict(record) ? "neutral" : TONES[record.outcome];
  return (
    <span class={`outcome tone-text-${tone}`}>
      <Symbol tone={tone} /> {outcomeTitle(record)}
      {requeueAfterMs === undefined ? null : ` ${formatDuration(requeueAfterMs)}`}
    </span>
  );
}
