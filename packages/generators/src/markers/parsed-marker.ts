import type { DiagnosticCode } from "../diagnostics/codes.ts";
import type { MarkerDefinition, MarkerValue } from "./definitions/marker-definition.ts";

/** Definitions by name. */
export type MarkerCatalogue = ReadonlyMap<string, MarkerDefinition>;

/** What is wrong with a marker; `offset` and `length` count within its text. */
export interface MarkerProblem {
  /** The code of the diagnostic. */
  readonly code: DiagnosticCode;
  /** The problem, in lower case. */
  readonly message: string;
  /** How to fix it. */
  readonly hint: string;
  /** The start of the wrong part in the text of the marker. */
  readonly offset: number;
  /** The length of the wrong part. */
  readonly length: number;
}

/** The outcome of reading one marker; the value of one with named arguments is an object, that of a flag is true. */
export type ParsedMarker =
  | { readonly kind: "marker"; readonly definition: MarkerDefinition; readonly value: MarkerValue }
  | { readonly kind: "unknown"; readonly name: string }
  | { readonly kind: "problem"; readonly definition: MarkerDefinition; readonly problem: MarkerProblem };
