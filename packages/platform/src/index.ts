/**
 * Pure functions on values of JavaScript, with nothing of Kubernetes: guards for parsed JSON, durations of Go, near names, and differences of texts.
 */
export { readBoundedInteger, skipDigits } from "./digits.ts";
export { formatGoDuration, goDurationProblem, parseGoDuration, readGoNanoseconds } from "./go-duration.ts";
export { handledLater } from "./handled-later.ts";
export { asList, asRecord, asString, isRecord } from "./json-guards.ts";
export { compareLines, type ComparedLine, diffLines, type DiffLine } from "./line-diff.ts";
export { nearestName } from "./nearest-name.ts";
export { seededRandom } from "./seeded-random.ts";
export { addToList } from "./grouped-lists.ts";
