import { type Clause, clauseProblem, readClause } from "../evaluator/operations/format-text.ts";
import { compileGoPattern } from "../evaluator/operations/go-pattern.ts";
import type { CheckedExpression } from "../expressions/checked-expression.ts";
import { childrenOf, type CelNode, type CallNode } from "../expressions/expression-tree.ts";
import { timestampOf } from "../values/cel-time.ts";
import { formatCelType, type CelType, unwrapOptional } from "../values/cel-type.ts";
import { CelError } from "../values/cel-value.ts";
import { readGoDuration, readTimestamp } from "../values/read-time.ts";
import type { Objection } from "./check-expression.ts";

/** Returns what a server has against the literals of an expression that type-checks: times, patterns, formats, and mixed lists. */
export function checkLiterals(checked: CheckedExpression): readonly Objection[] {
  const objections: Objection[] = [];
  visit(checked.root, false);
  return objections;

  function visit(node: CelNode, isInFormat: boolean): void {
    if (node.kind === "call") objections.push(...checkCall(checked, node));
    if (!isInFormat) objections.push(...checkMixture(checked, node));
    const isFormat = isInFormat || (node.kind === "call" && node.function === "format");
    for (const child of childrenOf(node)) visit(child, isFormat);
  }
}

function checkCall(
  checked: CheckedExpression,
  node: Extract<CelNode, { readonly kind: "call" }>,
): readonly Objection[] {
  const [argument] = node.args;
  if (node.function === "format") return checkFormatCall(checked, node);
  if (argument?.kind !== "literal" || typeof argument.value === "object") return [];
  const isReadable = READERS[node.function]?.(argument.value) ?? true;
  return isReadable ? [] : [{ message: `invalid ${node.function} argument`, offset: argument.offset }];
}

type Scalar = string | number | boolean | bigint;

const READERS: Readonly<Record<string, (value: Scalar) => boolean>> = {
  duration: (value) => typeof value === "string" && readGoDuration(value) !== undefined,
  timestamp: (value) => !(timestampOfLiteral(value) instanceof CelError),
  matches: (value) => typeof value !== "string" || !(compileGoPattern(value) instanceof CelError),
};

function timestampOfLiteral(value: Scalar): unknown {
  if (typeof value === "bigint") return timestampOf(value * 1_000_000_000n);
  const moment = typeof value === "string" ? readTimestamp(value) : undefined;
  return moment === undefined ? new CelError("no timestamp") : timestampOf(moment.nanos);
}

// Elements of different types are let through by the checker where one of them is dyn, and stopped here.
function checkMixture(checked: CheckedExpression, node: CelNode): readonly Objection[] {
  if (node.kind === "list") {
    const types = node.elements.map((element, index) => {
      const type = checked.typeOf(element);
      return { node: element, type: node.optionalIndices.has(index) ? unwrapOptional(type) : type };
    });
    return firstDifferent(types).slice(0, 1);
  }
  if (node.kind !== "map") return [];
  const keys = node.entries.map(({ key }) => ({ node: key, type: checked.typeOf(key) }));
  const values = node.entries.map(({ value, isOptional }) => {
    const type = checked.typeOf(value);
    return { node: value, type: isOptional ? unwrapOptional(type) : type };
  });
  return [...firstDifferent(keys), ...firstDifferent(values)];
}

interface Typed {
  readonly node: CelNode;
  readonly type: CelType;
}

function firstDifferent([first, ...rest]: readonly Typed[]): readonly Objection[] {
  if (first === undefined) return [];
  return rest
    .filter(({ type }) => !isEquivalent(first.type, type))
    .map(({ node, type }) => ({
      message: `expected type '${formatCelType(first.type)}' but found '${formatCelType(type)}'`,
      offset: node.offset,
    }));
}

function isEquivalent(left: CelType, right: CelType): boolean {
  return (
    left.kind === right.kind &&
    (left.kind === "param" || left.name === right.name) &&
    left.parameters.length === right.parameters.length &&
    left.parameters.every((part, index) => {
      const other = right.parameters[index];
      return other !== undefined && isEquivalent(part, other);
    })
  );
}

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
function checkFormatCall(checked: CheckedExpression, node: CallNode): readonly Objection[] {
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
