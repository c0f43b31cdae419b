import { isPlainString } from "./plain-scalar.ts";

/** How a string is written. */
export type ScalarStyle = "plain" | "single-quoted" | "double-quoted" | "literal";

/** What is known of a string once each of its characters was looked at. */
export interface ScalarAnalysis {
  readonly isMultiline: boolean;
  readonly allows: Readonly<Record<ScalarStyle, boolean>>;
}

const SIMPLE = /^[A-Za-z_/][\w/.,=+()-]*$/;
const LEADING_INDICATOR = /^[#,[\]{}&*!|>'"%@`]|^[?:-](?:[ \t]|$)|^---|^\.\.\./;
const INNER_INDICATOR = /:(?:[ \t]|$)|[ \t\r\n\0\u0085\u2028\u2029]#/;
const BREAK = /[\r\n\u0085\u2028\u2029]/;
// Everything else is written as an escape, characters beyond the basic plane included.
const UNPRINTABLE = /[^\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;
const SPACE_THEN_BREAK = / [\r\n\u0085\u2028\u2029]/;
const BREAK_THEN_SPACE = /[\r\n\u0085\u2028\u2029] /;
const ONLY_PLAIN: ScalarAnalysis = {
  isMultiline: false,
  allows: { plain: true, "single-quoted": true, "double-quoted": true, literal: true },
};
const EMPTY: ScalarAnalysis = { isMultiline: false, allows: { ...ONLY_PLAIN.allows, literal: false } };

/** Finds out in which styles a string can be written. */
export function analyzeScalar(text: string): ScalarAnalysis {
  if (text === "") return EMPTY;
  if (SIMPLE.test(text)) return ONLY_PLAIN;
  const isMultiline = BREAK.test(text);
  const isSpecial = UNPRINTABLE.test(text) || SPACE_THEN_BREAK.test(text);
  const isBroken = isSpecial || BREAK_THEN_SPACE.test(text);
  const hasIndicator = LEADING_INDICATOR.test(text) || INNER_INDICATOR.test(text.slice(1)) || hasHashAfterFirst(text);
  return {
    isMultiline,
    allows: {
      plain: !isBroken && !isMultiline && !hasIndicator && !text.startsWith(" ") && !text.endsWith(" "),
      "single-quoted": !isBroken,
      "double-quoted": true,
      literal: !isSpecial && !text.endsWith(" "),
    },
  };
}

/** Chooses the style in which yaml.v2 writes a string; keys that stand on one line with their colon are `simple`. */
export function scalarStyle(text: string, analysis: ScalarAnalysis, isSimpleKey: boolean): ScalarStyle {
  // The sign of a merge means that only as a key, where yaml.v2 forgets to quote it.
  const isPlain = isPlainString(text) || (text === "<<" && !isSimpleKey);
  const wanted: ScalarStyle = text.includes("\n") ? "literal" : isPlain ? "plain" : "double-quoted";
  if (wanted === "literal") return analysis.allows.literal && !isSimpleKey ? "literal" : "double-quoted";
  if (wanted === "double-quoted" || analysis.allows.plain) return wanted;
  return analysis.allows["single-quoted"] ? "single-quoted" : "double-quoted";
}

function hasHashAfterFirst(text: string): boolean {
  return text.charAt(1) === "#" && /^[ \t]/.test(text);
}
