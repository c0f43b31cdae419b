import type { CheckedExpression } from "../checked-expression.ts";
import { type Clause, clauseProblem, readClause } from "../evaluator/operations/format-text.ts";
import type { CallNode, CelNode } from "../expression-tree.ts";
import type { Objection } from "./check-expression.ts";

const ACCEPTED: Readonly<Record<string, readonly string[]>> = {
  s: ["list", "map", "int", "uint", "double", "bool", "string", "timestamp", "bytes", "duration", "type", "null"],
  d: ["int", "uint"],
  f: ["double", "string"],
  e: ["double", "string"],
  b: ["int", "uint", "bool"],
  x: ["int", "uint", "string", "bytes"],
  X: ["int", "uint", "string", "bytes"],
  o: ["int", "uint"],
};

/** Returns what is wrong with a call of `format` on a literal with a literal list: its clauses, and how many there are. */
export function checkFormatCall(checked: CheckedExpression, node: CallNode): readonly Objection[] {
  const [list] = node.args;
  if (node.target?.kind !== "literal" || typeof node.target.value !== "string" || list?.kind !== "list") return [];
  const object = (message: string, offset = node.offset): readonly Objection[] => [{ message, offset }];
  let used = 0;
  for (const clause of clausesOf(node.target.value)) {
    const argument = list.elements[used];
    if (argument === undefined) return object(`index ${String(used)} out of range`);
    if (clause.problem !== undefined) return object(clause.problem);
    const bad = misfit(checked, clause, argument);
    if (bad !== undefined) {
      const problem = clauseProblem(clause.verb, checked.typeOf(bad).name);
      return object(`error during formatting: ${problem}`, bad.offset);
    }
    used++;
  }
  const given = list.elements.length;
  const counts = `(expected ${String(used)}, got ${String(given)})`;
  return given > used ? object(`too many arguments supplied to string.format ${counts}`) : [];
}

function clausesOf(format: string): readonly Clause[] {
  const clauses: Clause[] = [];
  for (let index = 0; index < format.length; index++) {
    const clause = readClause(format, index);
    if (clause === undefined) continue;
    if (clause.verb !== "%") clauses.push(clause);
    index += clause.length - 1;
  }
  return clauses;
}

function misfit(checked: CheckedExpression, { verb }: Clause, argument: CelNode): CelNode | undefined {
  const { kind } = checked.typeOf(argument);
  if (kind === "dyn") return undefined;
  if (ACCEPTED[verb]?.includes(kind) !== true) return argument;
  return verb === "s" ? nestedMisfit(checked, argument) : undefined;
}

function nestedMisfit(checked: CheckedExpression, argument: CelNode): CelNode | undefined {
  const parts =
    argument.kind === "list"
      ? argument.elements
      : argument.kind === "map"
        ? argument.entries.flatMap(({ key, value }) => [key, value])
        : [];
  const misfits = parts.map((part) => misfit(checked, STRING_CLAUSE, part));
  return misfits.find((part) => part !== undefined);
}

const STRING_CLAUSE: Clause = { verb: "s", precision: undefined, length: 2, problem: undefined };
