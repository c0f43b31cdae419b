import { checkerOf } from "../../../packages/schema/src/formats/string-formats.ts";
import { SAMPLED_FORMATS, samplesOf } from "../../../packages/schema/test/formats/format-samples.ts";
import type { FuzzTarget } from "../engine/fuzz-target.ts";

const CHECKERS = SAMPLED_FORMATS.map((format) => checkerOf(format));

/** Formats of schemas: each check ends, with a verdict, in time. */
export const target: FuzzTarget = {
  name: "format",
  kind: "text",
  seeds: SAMPLED_FORMATS.flatMap((format) => samplesOf(format).slice(0, 4)),
  dictionary: [
    "@",
    "<",
    ">",
    "(",
    ")",
    "[",
    "]",
    "=?",
    "?=",
    "utf-8",
    "::",
    ".",
    "-",
    ":",
    "http://",
    "%25",
    "1h",
    "µs",
    "rgb(",
    "T00:00:00Z",
    "/8",
  ],
  run: (text) => {
    for (const isValid of CHECKERS) isValid?.(text);
  },
};
