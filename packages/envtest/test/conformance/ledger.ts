import { isDeepStrictEqual } from "node:util";

import type { TranscriptStep } from "./transcript.ts";

/** A difference between the embedded and the real server that is accepted. */
export interface LedgerEntry {
  readonly row: number;
  readonly step: string;
  /** Path of what differs inside the step, such as `body.metadata.generation`. */
  readonly path: string;
  readonly reason: string;
}

/** All accepted differences; ten at most. */
export const LEDGER: readonly LedgerEntry[] = [
  {
    row: 53,
    step: "another version",
    path: "warnings",
    reason:
      "The reference looks for the schema of the body's version before it refuses that version, and so warns of every field.",
  },
];

/** A row's steps on the embedded server beside those that were recorded. */
export interface Comparison {
  readonly row: number;
  readonly steps: readonly TranscriptStep[];
  readonly recorded: readonly TranscriptStep[];
  readonly ledger?: readonly LedgerEntry[];
}

/** Returns the embedded server's steps with the recorded value wherever the ledger accepts a difference. */
export function applyLedger({ row, steps, recorded, ledger = LEDGER }: Comparison): readonly TranscriptStep[] {
  return ledger.filter((entry) => entry.row === row).reduce((result, entry) => accept(result, recorded, entry), steps);
}

/** Returns the entries of a row that accept nothing, since the servers agree. */
export function idleEntries({ row, steps, recorded, ledger = LEDGER }: Comparison): readonly LedgerEntry[] {
  return ledger.filter((entry) => entry.row === row && isDeepStrictEqual(accept(steps, recorded, entry), steps));
}

function accept(
  steps: readonly TranscriptStep[],
  recorded: readonly TranscriptStep[],
  { step, path }: LedgerEntry,
): readonly TranscriptStep[] {
  const reference = recorded.find((other) => other.step === step);
  return steps.map((own) =>
    own.step === step && reference !== undefined ? (copyAt(own, reference, path.split(".")) as TranscriptStep) : own,
  );
}

function copyAt(own: unknown, reference: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return reference;
  const fields = own as Readonly<Record<string, unknown>>;
  const value = copyAt(fields?.[key], (reference as Readonly<Record<string, unknown>> | undefined)?.[key], rest);
  if (Array.isArray(own)) return own.map((item: unknown, index) => (String(index) === key ? value : item));
  const { [key]: _replaced, ...others } = fields;
  return value === undefined ? others : { ...others, [key]: value };
}
