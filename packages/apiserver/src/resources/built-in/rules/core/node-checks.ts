import type { BuiltInChecks } from "../checks/built-in-checks.ts";
import { nodeWarnings } from "../warnings/node-warnings.ts";
import { nodeErrors, nodeStatusErrors } from "./node-errors.ts";

/** Checks of Nodes. */
export const nodeChecks: BuiltInChecks = {
  validate: (node, _context, old) => nodeErrors(node, old),
  validateStatus: (node, old) => nodeStatusErrors(node, old),
  warnings: (node) => nodeWarnings(node),
};
