import type { JSX } from "preact";

import type { ReconcileRecord } from "../feed/protocol.ts";
import { formatDuration } from "../parts/format.ts";
import { Symbol, type Tone } from "../parts/symbols.tsx";

/** The names of outcomes. */
export const OUTCOME_TITLES: Readonly<Record<ReconcileRecord["outcome"], string>> = {
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

/** The outcome of a reconcile with its symbol. */
export function Outcome({ record }: { readonly record: ReconcileRecord }): JSX.Element {
  const { outcome, requeueAfterMs } = record;
  return (
    <span class={`outcome tone-text-${TONES[outcome]}`}>
      <Symbol tone={TONES[outcome]} /> {OUTCOME_TITLES[outcome]}
      {requeueAfterMs === undefined ? null : ` ${formatDuration(requeueAfterMs)}`}
    </span>
  );
}
