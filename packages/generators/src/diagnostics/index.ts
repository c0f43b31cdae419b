/**
 * Findings in a user's files: each {@link Diagnostic} has a place, a stable code, a message, and usually a hint.
 */
export { type DiagnosticCode } from "./codes.ts";
export {
  type Diagnostic,
  hasErrors,
  type PrintedDiagnostic,
  renderDiagnostic,
  renderDiagnostics,
} from "./diagnostic.ts";
export { isExplained } from "./explained-error.ts";
