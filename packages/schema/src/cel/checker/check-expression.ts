import type { CheckedExpression } from "../expressions/checked-expression.ts";
import {
  type CallNode,
  type CelNode,
  type ComprehensionNode,
  type ListNode,
  type MapNode,
  type MessageNode,
  type SelectNode,
} from "../expressions/expression-tree.ts";
import type { FunctionDeclaration, Overload } from "../functions/function-declaration.ts";
import {
  BOOL,
  type CelType,
  DYN,
  ERROR,
  formatCelType,
  INT,
  isOptional,
  isSameType,
  listOf,
  mapOf,
  optionalOf,
  STRING,
  typeOf,
  typeParameter,
  unwrapOptional,
} from "../values/cel-type.ts";
import { runtimeType } from "../values/runtime-type.ts";
import { innerScope, lookUpIdent, type Scope } from "./scope.ts";
import { assign, mostGeneral, substitute, type Substitutions } from "./type-assignment.ts";

/** Is something the checker objects to, at an offset in code points. */
export interface Objection {
  readonly message: string;
  readonly offset: number;
}

export interface CheckOptions {
  readonly variables: Readonly<Record<string, CelType>>;
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  /** Finds the type of a field of a declared object, by the name of the object's type. */
  readonly fieldType: (typeName: string, field: string) => CelType | undefined;
  /** Finds the type of messages by its name. Default: there are none. */
  readonly messageType?: (name: string) => CelType | undefined;
}

/** Infers the types of an expression as cel-go does, and collects what does not fit, in the order in which it is met. */
export function checkExpression(
  root: CelNode,
  options: CheckOptions,
): { readonly checked: CheckedExpression; readonly objections: readonly Objection[] } {
  const checker = new Checker(options);
  checker.check(root);
  return { checked: checker.finish(root), objections: checker.objections };
}

class Checker {
  readonly objections: Objection[] = [];
  readonly #options: CheckOptions;
  readonly #types = new Map<number, CelType>();
  readonly #overloads = new Map<number, readonly string[]>();
  readonly #references = new Map<number, string>();
  #substitutions: Substitutions = new Map();
  #scope: Scope;
  #openTypes = 0;

  constructor(options: CheckOptions) {
    this.#options = options;
    this.#scope = { variables: new Map(Object.entries(options.variables)), parent: undefined };
  }

  check(node: CelNode): void {
    this.#types.set(node.id, this.#infer(node));
  }

  finish(root: CelNode): CheckedExpression {
    const types = new Map<number, CelType>();
    for (const [id, type] of this.#types) types.set(id, substitute(this.#substitutions, type, true));
    return {
      root,
      typeOf: (node) => types.get(node.id) ?? DYN,
      overloadsOf: (node) => this.#overloads.get(node.id) ?? [],
      referenceOf: (node) => this.#references.get(node.id),
    };
  }

  #infer(node: CelNode): CelType {
    switch (node.kind) {
      case "literal":
        return runtimeType(node.value);
      case "ident": {
        const type = this.#lookUp(node.name);
        if (type === undefined) return this.#object(node, `undeclared reference to '${node.name}' (in container '')`);
        this.#references.set(node.id, node.name);
        return type;
      }
      case "select":
        return this.#inferSelect(node);
      case "call":
        return this.#inferCall(node);
      case "list":
        return this.#inferList(node);
      case "map":
        return this.#inferMap(node);
      case "message":
        return this.#inferMessage(node);
      case "comprehension":
        return this.#inferComprehension(node);
    }
  }

  #inferSelect(node: SelectNode): CelType {
    const type = this.#inferField(node, node.operand, node.field, false);
    return node.isPresenceTest ? BOOL : substitute(this.#substitutions, type, false);
  }

  #inferField(node: CelNode, operand: CelNode, field: string, isOptionalSelect: boolean): CelType {
    const operandType = this.#settledType(operand);
    const type = this.#inferFieldOf(node, unwrapOptional(operandType), field);
    return isOptional(operandType) || isOptionalSelect ? optionalOf(type) : type;
  }

  #inferFieldOf(node: CelNode, type: CelType, field: string): CelType {
    switch (type.kind) {
      case "map":
        return type.parameters[1] ?? DYN;
      case "struct":
        return this.#options.fieldType(type.name, field) ?? this.#object(node, fieldProblem(type, field));
      case "param":
        this.#isAssignable(DYN, type);
        return DYN;
      case "dyn":
      case "error":
        return DYN;
      default:
        this.#object(node, `type '${formatCelType(type)}' does not support field selection`);
        return DYN;
    }
  }

  #inferCall(node: CallNode): CelType {
    if (node.function === "_?._") return this.#inferOptionalSelect(node);
    for (const arg of node.args) this.check(arg);
    if (node.target !== undefined) this.check(node.target);
    return this.#resolveFunction(node, node.target === undefined ? node.args : [node.target, ...node.args]);
  }

  #inferOptionalSelect(node: CallNode): CelType {
    const [operand, field] = node.args;
    if (operand === undefined || field?.kind !== "literal" || typeof field.value !== "string") {
      return this.#object(node, "unsupported optional field selection");
    }
    this.#types.set(field.id, STRING);
    this.#overloads.set(node.id, ["select_optional_field"]);
    return substitute(this.#substitutions, this.#inferField(node, operand, field.value, true), false);
  }

  #resolveFunction(node: CallNode, args: readonly CelNode[]): CelType {
    const name = node.function;
    const declaration = this.#options.functions.get(name);
    if (declaration === undefined) return this.#object(node, `undeclared reference to '${name}' (in container '')`);
    if (name === "_&&_" || name === "_||_") return this.#inferLogic(node, declaration, args);
    return this.#resolveOverload(node, declaration, args) ?? this.#objectToArguments(node, args);
  }

  #inferLogic(node: CallNode, declaration: FunctionDeclaration, args: readonly CelNode[]): CelType {
    let type = BOOL;
    for (const arg of args) {
      if (!this.#isAssignable(this.#typeOf(arg), BOOL)) type = this.#objectToType(arg, BOOL, this.#typeOf(arg));
    }
    if (type === BOOL)
      this.#overloads.set(
        node.id,
        declaration.overloads.map((overload) => overload.id),
      );
    return type;
  }

  #resolveOverload(node: CallNode, declaration: FunctionDeclaration, args: readonly CelNode[]): CelType | undefined {
    const types = args.map((arg) => this.#typeOf(arg));
    const matches: string[] = [];
    let result: CelType | undefined;
    for (const overload of declaration.overloads) {
      if (overload.isMember !== (node.target !== undefined)) continue;
      const matched = this.#matchOverload(overload, types);
      if (matched === undefined) continue;
      matches.push(overload.id);
      if (result === undefined) result = matched;
      else if (result.kind !== "dyn" && !isSameType(matched, result)) result = DYN;
    }
    if (matches.length > 0) this.#overloads.set(node.id, matches);
    return result;
  }

  // Each try takes fresh type parameters; those of a match stay bound for the tries after it, as in cel-go.
  #matchOverload(overload: Overload, types: readonly CelType[]): CelType | undefined {
    const fresh = new Map(overload.typeParameters.map((name) => [name, this.#openType()]));
    const wanted = overload.args.map((arg) => substitute(fresh, arg, false));
    const substitutions = assign(this.#substitutions, types, wanted);
    if (substitutions === undefined) return undefined;
    this.#substitutions = substitutions;
    return substitute(substitutions, substitute(fresh, overload.result, false), false);
  }

  #inferList(node: ListNode): CelType {
    let type: CelType | undefined;
    for (const [index, element] of node.elements.entries()) {
      this.check(element);
      const elementType = node.optionalIndices.has(index) ? this.#heldType(element) : this.#typeOf(element);
      type = this.#join(type, elementType);
    }
    return listOf(type ?? this.#openType());
  }

  #inferMap(node: MapNode): CelType {
    let [keyType, valueType]: (CelType | undefined)[] = [];
    for (const { key, value, isOptional: isHeld } of node.entries) {
      this.check(key);
      keyType = this.#join(keyType, this.#typeOf(key));
      this.check(value);
      valueType = this.#join(valueType, isHeld ? this.#heldType(value) : this.#typeOf(value));
    }
    return mapOf(keyType ?? this.#openType(), valueType ?? this.#openType());
  }

  #lookUp(name: string): CelType | undefined {
    const known = lookUpIdent(this.#scope, name);
    if (known !== undefined) return known;
    const message = this.#options.messageType?.(name);
    return message && typeOf(message);
  }

  #inferMessage(node: MessageNode): CelType {
    const known = this.#lookUp(node.typeName);
    if (known === undefined) return this.#object(node, `undeclared reference to '${node.typeName}' (in container '')`);
    const type = this.#messageTypeOf(node, known);
    for (const field of node.fields) {
      this.check(field.value);
      const given = field.isOptional ? this.#heldType(field.value) : this.#typeOf(field.value);
      const wanted = type === ERROR ? ERROR : this.#options.fieldType(type.name, field.name);
      if (type === ERROR) this.#object(field, `unexpected failed resolution of '${node.typeName}'`);
      if (wanted !== undefined && this.#isAssignable(wanted, given)) continue;
      const texts = [wanted === undefined ? "" : formatCelType(wanted), formatCelType(given)] as const;
      this.#object(field, `expected type of field '${field.name}' is '${texts[0]}' but provided type is '${texts[1]}'`);
    }
    return type;
  }

  #messageTypeOf(node: MessageNode, known: CelType): CelType {
    const [named] = known.parameters;
    if (known.kind !== "type" || named === undefined) return this.#object(node, `'${known.name}' is not a type`);
    return named.kind === "struct" ? named : this.#object(node, `'${named.name}' is not a message type`);
  }

  // What an optional element or entry adds is what it holds.
  #heldType(node: CelNode): CelType {
    const type = this.#typeOf(node);
    if (!isOptional(type) && type.kind !== "dyn") this.#objectToType(node, optionalOf(type), type);
    return unwrapOptional(type);
  }

  // What does not fit makes all of them dyn here; the check of literals objects to it.
  #join(previous: CelType | undefined, current: CelType): CelType {
    if (previous === undefined) return current;
    return this.#isAssignable(previous, current) ? mostGeneral(previous, current) : DYN;
  }

  #inferComprehension(node: ComprehensionNode): CelType {
    this.check(node.range);
    this.check(node.accumulatorInit);
    const range = substitute(this.#substitutions, this.#typeOf(node.range), false);
    const accumulatorType = this.#typeOf(node.accumulatorInit);
    const outer = this.#scope;
    this.#scope = innerScope(outer, { [node.accumulator]: accumulatorType });
    const accumulatorScope = this.#scope;
    this.#scope = innerScope(accumulatorScope, this.#loopVariables(node, range));
    this.#checkAgainst(node.condition, BOOL);
    this.#checkAgainst(node.step, accumulatorType);
    this.#scope = accumulatorScope;
    this.check(node.result);
    this.#scope = outer;
    return substitute(this.#substitutions, this.#typeOf(node.result), false);
  }

  #loopVariables(node: ComprehensionNode, range: CelType): Readonly<Record<string, CelType>> {
    const { variable, secondVariable } = node;
    const [first, second] = this.#rangeTypes(node, range);
    return secondVariable === undefined
      ? { [variable]: range.kind === "list" ? second : first }
      : { [variable]: first, [secondVariable]: second };
  }

  // Index and element of a list, key and value of a map.
  #rangeTypes(node: ComprehensionNode, range: CelType): readonly [CelType, CelType] {
    switch (range.kind) {
      case "list":
        return [INT, range.parameters[0] ?? DYN];
      case "map":
        return [range.parameters[0] ?? DYN, range.parameters[1] ?? DYN];
      case "dyn":
      case "error":
      case "param":
        this.#isAssignable(DYN, range);
        return [DYN, DYN];
      default: {
        const type = formatCelType(range);
        const needs = "(must be list, map, or dynamic)";
        this.#object(node.range, `expression of type '${type}' cannot be range of a comprehension ${needs}`);
        return [ERROR, ERROR];
      }
    }
  }

  #checkAgainst(node: CelNode, wanted: CelType): void {
    this.check(node);
    const type = this.#typeOf(node);
    if (!this.#isAssignable(wanted, type)) this.#objectToType(node, wanted, type);
  }

  #settledType(node: CelNode): CelType {
    this.check(node);
    return substitute(this.#substitutions, this.#typeOf(node), false);
  }

  #typeOf(node: CelNode): CelType {
    return this.#types.get(node.id) ?? ERROR;
  }

  #openType(): CelType {
    return typeParameter(`_var${String(this.#openTypes++)}`);
  }

  #isAssignable(wanted: CelType, given: CelType): boolean {
    const substitutions = assign(this.#substitutions, [wanted], [given]);
    if (substitutions !== undefined) this.#substitutions = substitutions;
    return substitutions !== undefined;
  }

  #objectToArguments(node: CallNode, args: readonly CelNode[]): CelType {
    const types = args.map((arg) => formatCelType(substitute(this.#substitutions, this.#typeOf(arg), true)));
    const [target = "", ...rest] = types;
    const signature = node.target === undefined ? `(${types.join(", ")})` : `${target}.(${rest.join(", ")})`;
    return this.#object(node, `found no matching overload for '${node.function}' applied to '${signature}'`);
  }

  #objectToType(node: CelNode, wanted: CelType, given: CelType): CelType {
    return this.#object(node, `expected type '${formatCelType(wanted)}' but found '${formatCelType(given)}'`);
  }

  #object(node: Pick<CelNode, "offset">, message: string): CelType {
    this.objections.push({ message, offset: node.offset });
    return ERROR;
  }
}

// The types of the authorizer have no declaration that their fields could be looked up in.
function fieldProblem({ name }: CelType, field: string): string {
  return name.startsWith("kubernetes.authorization.")
    ? `unexpected failed resolution of '${name}'`
    : `undefined field '${field}'`;
}
