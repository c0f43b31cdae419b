import type { CelNode } from "../expressions/expression-tree.ts";
import { CelSyntaxError } from "./syntax-error.ts";
import type { TreeBuilder } from "./tree-builder.ts";

/** A call that may be one of a macro. */
export interface MacroCall {
  readonly name: string;
  readonly target: CelNode | undefined;
  readonly args: readonly CelNode[];
  readonly offset: number;
}

type Expand = (call: Expansion) => CelNode;

interface Expansion {
  readonly build: TreeBuilder;
  readonly target: CelNode;
  readonly args: readonly CelNode[];
  readonly offset: number;
}

const ACCUMULATOR = "@result";
const UNUSED = "#unused";

// By name and number of arguments, as a macro is only one with them.
const MEMBER_MACROS: ReadonlyMap<string, Expand> = new Map<string, Expand>([
  ["all/2", all],
  ["all/3", all],
  ["exists/2", exists],
  ["exists/3", exists],
  ["exists_one/2", existsOne],
  ["exists_one/3", existsOne],
  ["existsOne/3", existsOne],
  ["map/2", mapElements],
  ["map/3", mapElements],
  ["filter/2", filter],
  ["optMap/2", optMap],
  ["optFlatMap/2", optFlatMap],
  ["sortBy/2", sortBy],
  ["transformList/3", transformList],
  ["transformList/4", transformList],
  ["transformMap/3", transformMap],
  ["transformMap/4", transformMap],
  ["transformMapEntry/3", transformMapEntry],
  ["transformMapEntry/4", transformMapEntry],
]);

/**
 * Writes a macro out in calls and comprehensions, or returns undefined where the call is one of a function.
 *
 * Fails: {@link CelSyntaxError} when an argument is not what the macro needs.
 */
export function expandMacro(build: TreeBuilder, { name, target, args, offset }: MacroCall): CelNode | undefined {
  if (target === undefined) return name === "has" && args.length === 1 ? expandHas(build, args, offset) : undefined;
  return MEMBER_MACROS.get(`${name}/${String(args.length)}`)?.({ build, target, args, offset });
}

/** Writes `cel.bind(name, value, result)` out in a comprehension, or returns undefined where a call is another one. */
export function expandBinding(build: TreeBuilder, { name, target, args, offset }: MacroCall): CelNode | undefined {
  if (name !== "bind" || args.length !== 3 || target?.kind !== "ident" || target.name !== "cel") return undefined;
  const variable = identifier(argAt(args, 0), "cel.bind() variable names must be simple identifiers");
  return build.comprehension(offset, {
    range: build.list(offset, []),
    variable: UNUSED,
    secondVariable: undefined,
    accumulator: variable,
    accumulatorInit: argAt(args, 1),
    condition: build.literal(offset, false),
    step: build.ident(offset, variable),
    result: argAt(args, 2),
  });
}

function expandHas(build: TreeBuilder, args: readonly CelNode[], offset: number): CelNode {
  const argument = argAt(args, 0);
  if (argument.kind !== "select") throw new CelSyntaxError("invalid argument to has() macro", argument.offset);
  return build.presenceTest(offset, argument.operand, argument.field);
}

function all(call: Expansion): CelNode {
  const { build, offset } = call;
  return fold(call, quantifierVariables(call), {
    init: build.literal(offset, true),
    condition: build.call(offset, "@not_strictly_false", accumulator(call)),
    step: build.call(offset, "_&&_", accumulator(call), lastArg(call)),
    result: accumulator(call),
  });
}

function exists(call: Expansion): CelNode {
  const { build, offset } = call;
  return fold(call, quantifierVariables(call), {
    init: build.literal(offset, false),
    condition: build.call(offset, "@not_strictly_false", build.call(offset, "!_", accumulator(call))),
    step: build.call(offset, "_||_", accumulator(call), lastArg(call)),
    result: accumulator(call),
  });
}

function existsOne(call: Expansion): CelNode {
  const { build, offset } = call;
  const increased = build.call(offset, "_+_", accumulator(call), build.literal(offset, 1n));
  return fold(call, quantifierVariables(call), {
    init: build.literal(offset, 0n),
    condition: build.literal(offset, true),
    step: build.call(offset, "_?_:_", lastArg(call), increased, accumulator(call)),
    result: build.call(offset, "_==_", accumulator(call), build.literal(offset, 1n)),
  });
}

function mapElements(call: Expansion): CelNode {
  const filterNode = call.args.length === 3 ? argAt(call.args, 1) : undefined;
  return collect(call, [elementVariable(call)], lastArg(call), filterNode);
}

function filter(call: Expansion): CelNode {
  return collect(call, [elementVariable(call)], argAt(call.args, 0), argAt(call.args, 1));
}

function transformList(call: Expansion): CelNode {
  const filterNode = call.args.length === 4 ? argAt(call.args, 2) : undefined;
  return collect(call, twoVariables(call), lastArg(call), filterNode);
}

function transformMap(call: Expansion): CelNode {
  const { build, offset } = call;
  const variables = twoVariables(call);
  const key = build.ident(offset, variables[0]);
  return insertEntries(call, variables, build.call(offset, "cel.@mapInsert", accumulator(call), key, lastArg(call)));
}

function transformMapEntry(call: Expansion): CelNode {
  const insert = call.build.call(call.offset, "cel.@mapInsert", accumulator(call), lastArg(call));
  return insertEntries(call, twoVariables(call), insert);
}

function insertEntries(call: Expansion, variables: Variables, insert: CelNode): CelNode {
  const { build, offset, args } = call;
  const isFiltered = args.length === 4;
  return fold(call, variables, {
    init: build.map(offset, []),
    condition: build.literal(offset, true),
    step: isFiltered ? build.call(offset, "_?_:_", argAt(args, 2), insert, accumulator(call)) : insert,
    result: accumulator(call),
  });
}

function optMap(call: Expansion): CelNode {
  const { build, offset } = call;
  return ifPresent(
    call,
    build.call(offset, "optional.of", bindValue(call, "optMap() variable name must be a simple identifier")),
  );
}

function optFlatMap(call: Expansion): CelNode {
  return ifPresent(call, bindValue(call, "optFlatMap() variable name must be a simple identifier"));
}

function ifPresent({ build, offset, target }: Expansion, present: CelNode): CelNode {
  const hasValue = build.memberCall(offset, "hasValue", target);
  return build.call(offset, "_?_:_", hasValue, present, build.call(offset, "optional.none"));
}

// A comprehension over nothing: its accumulator is a variable with the value of the optional.
function bindValue({ build, offset, target, args }: Expansion, problem: string): CelNode {
  const name = identifier(argAt(args, 0), problem);
  return build.comprehension(offset, {
    range: build.list(offset, []),
    variable: UNUSED,
    secondVariable: undefined,
    accumulator: name,
    accumulatorInit: build.memberCall(offset, "value", target),
    condition: build.literal(offset, false),
    step: build.ident(offset, name),
    result: argAt(args, 1),
  });
}

const SORTED_INPUT = "@__sortBy_input__";

function sortBy(call: Expansion): CelNode {
  const { build, offset, target } = call;
  if (target.kind === "literal" || target.kind === "map") {
    const kinds = "a list, identifier, comprehension, call or select expression";
    throw new CelSyntaxError(`sortBy can only be applied to ${kinds}`, target.offset);
  }
  const keys = mapElements({ ...call, target: build.ident(offset, SORTED_INPUT) });
  return build.comprehension(offset, {
    range: build.list(offset, []),
    variable: UNUSED,
    secondVariable: undefined,
    accumulator: SORTED_INPUT,
    accumulatorInit: target,
    condition: build.literal(offset, false),
    step: build.ident(offset, SORTED_INPUT),
    result: build.memberCall(offset, "@sortByAssociatedKeys", build.ident(offset, SORTED_INPUT), keys),
  });
}

function collect(call: Expansion, variables: Variables, element: CelNode, filterNode: CelNode | undefined): CelNode {
  const { build, offset } = call;
  const added = build.call(offset, "_+_", accumulator(call), build.list(offset, [element]));
  return fold(call, variables, {
    init: build.list(offset, []),
    condition: build.literal(offset, true),
    step: filterNode === undefined ? added : build.call(offset, "_?_:_", filterNode, added, accumulator(call)),
    result: accumulator(call),
  });
}

interface Fold {
  readonly init: CelNode;
  readonly condition: CelNode;
  readonly step: CelNode;
  readonly result: CelNode;
}

type Variables = readonly [string, string?];

function fold({ build, offset, target }: Expansion, variables: Variables, { init, ...parts }: Fold): CelNode {
  const [variable, secondVariable] = variables;
  const names = { variable, secondVariable, accumulator: ACCUMULATOR };
  return build.comprehension(offset, { range: target, ...names, accumulatorInit: init, ...parts });
}

function accumulator({ build, offset }: Expansion): CelNode {
  return build.ident(offset, ACCUMULATOR);
}

function quantifierVariables(call: Expansion): Variables {
  if (call.args.length === 3) return twoVariables(call);
  return [loopVariable(argAt(call.args, 0), "argument must be a simple name")];
}

function elementVariable({ args }: Expansion): string {
  return loopVariable(argAt(args, 0), "argument is not an identifier");
}

function twoVariables({ args }: Expansion): readonly [string, string] {
  const [first, second] = [argAt(args, 0), argAt(args, 1)];
  const names = [
    identifier(first, "argument must be a simple name"),
    identifier(second, "argument must be a simple name"),
  ] as const;
  if (names[0] === names[1]) throw new CelSyntaxError(`duplicate variable name: ${names[0]}`, second.offset);
  loopVariable(first, "");
  loopVariable(second, "");
  return names;
}

function loopVariable(node: CelNode, problem: string): string {
  const name = identifier(node, problem);
  if (name !== ACCUMULATOR && name !== "__result__") return name;
  throw new CelSyntaxError("iteration variable overwrites accumulator variable", node.offset);
}

function identifier(node: CelNode, problem: string): string {
  if (node.kind !== "ident") throw new CelSyntaxError(problem, node.offset);
  return node.name;
}

function lastArg({ args }: Expansion): CelNode {
  return argAt(args, args.length - 1);
}

function argAt(args: readonly CelNode[], index: number): CelNode {
  const node = args[index];
  if (node === undefined) throw new CelSyntaxError("missing argument", 0);
  return node;
}
