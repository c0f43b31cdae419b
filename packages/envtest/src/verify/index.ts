/**
 * Verifies that an operator converges: {@link verifyOperator} runs it as a process, kills it after each of its writes, loses and delays answers, and
 * compares the states that it reaches.
 */
export { verifyOperator, replayFinding } from "./verify-operator.ts";
export type { VerifyEvent, VerifyOptions } from "./verify-options.ts";
export { type KnownViolation, readBaseline, writeBaseline } from "./baseline.ts";
export { readFinding, removeFindings, writeFinding } from "./finding-files.ts";
export { renderMarkdown } from "./markdown-report.ts";
export { describeSchedule } from "./schedule.ts";
export type { Finding, SchedulesCount, VerifyReport } from "./finding.ts";
export type { FieldChange, LatePerturbation, Perturbation, Schedule, Step, WritePerturbation } from "./schedule.ts";
export type { OracleName, Violation } from "../oracles/oracles.ts";
export type { StateDifference } from "../oracles/compare-states.ts";
export { VerifyOptionsError } from "../failures/errors.ts";
