import { type CompiledProgram, compileProgram, fieldFinder, type ProgramScope } from "../compiler/compile-program.ts";
import type { DeclaredType } from "../expressions/declared-type.ts";
import { issueText } from "../rules/compile-rule.ts";
import { type CelType, DYN, listOf, mapOf, structType } from "../values/cel-type.ts";
import { MUTATION_TYPES, mutationFieldType } from "./mutation-types.ts";
import { FIELDS, NAMESPACE, REQUEST, VARIABLES } from "./policy-types.ts";

/** The optional variables of the expressions of a policy. */
export interface PolicyVariables {
  /** Whether there is `params`. */
  readonly hasParams: boolean;
  /** Whether there are `authorizer` and `authorizer.requestResource`. */
  readonly hasAuthorizer: boolean;
  /** Whether the expression is a mutation, which makes messages of the types `Object` and `JSONPatch`. Default: false. */
  readonly isMutation?: boolean;
}

/** The types of objects, where they are known; without them every object is `dyn`, as when policies run. */
export interface PolicyObjectTypes {
  /** The type of `object` and `oldObject`. */
  readonly object: DeclaredType;
  /** The type of `params`; without it they are `dyn`. */
  readonly params: DeclaredType | undefined;
}

/** An expression of a policy, or why a server refuses it. */
export type PolicyExpression =
  | { readonly kind: "compiled"; readonly text: string; readonly program: CompiledProgram }
  | {
      readonly kind: "rejected";
      readonly text: string;
      /** Whether the refusal is reported as an internal error of the server. */
      readonly isInternal: boolean;
      readonly detail: string;
      /** The issues of the compiler alone; absent where it has none. */
      readonly issues: string | undefined;
    };

/** What an expression may evaluate to: the names of types, or anything. */
export type PolicyResult =
  | readonly ["bool"]
  | readonly ["string"]
  | readonly ["string", "null_type"]
  | readonly ["Object"]
  | readonly ["list(JSONPatch)"]
  | "any";

/**
 * Compiles the expressions of one admission policy, or the match conditions of one webhook, as an API server of 1.35 does.
 *
 * Variables must be compiled in their order, before what uses them: each adds its type to `variables`.
 */
export class PolicyCompiler {
  readonly #types: PolicyObjectTypes | undefined;
  readonly #variables: Map<string, CelType> | undefined;

  /** With `hasVariables`, expressions may use `variables`. */
  constructor(options: { readonly hasVariables: boolean; readonly types?: PolicyObjectTypes }) {
    this.#types = options.types;
    this.#variables = options.hasVariables ? new Map() : undefined;
  }

  /** Compiles an expression; without `returns` it may evaluate to anything. */
  compile(text: string, variables: PolicyVariables, returns: PolicyResult = "any"): PolicyExpression {
    const program = compileProgram(text, this.#scope(variables));
    if (program.kind === "rejected") {
      const [{ message }] = program.issues;
      const isInternal = message.startsWith("program instantiation failed");
      const issues = isInternal ? undefined : issueText(text, program.issues);
      return {
        kind: "rejected",
        text,
        isInternal,
        detail: issues === undefined ? message : `compilation failed: ${issues}`,
        issues,
      };
    }
    const detail = returns === "any" ? undefined : resultProblem(program.outputType, returns);
    return detail === undefined
      ? { kind: "compiled", text, program }
      : { kind: "rejected", text, isInternal: false, detail, issues: undefined };
  }

  /** Compiles a variable, and declares it for the expressions that follow. */
  declare(name: string, text: string, variables: PolicyVariables): PolicyExpression {
    const expression = this.compile(text, variables);
    this.#variables?.set(name, expression.kind === "compiled" ? variableType(expression.program.outputType) : DYN);
    return expression;
  }

  #scope({ hasParams, hasAuthorizer, isMutation = false }: PolicyVariables): ProgramScope {
    const object = this.#types?.object.celType ?? DYN;
    const findDeclared = fieldFinder([this.#types?.object, this.#types?.params].filter((type) => type !== undefined));
    return {
      variables: {
        object,
        oldObject: object,
        namespaceObject: NAMESPACE,
        request: REQUEST,
        ...(hasParams ? { params: this.#types?.params?.celType ?? DYN } : {}),
        ...(hasAuthorizer ? this.#authorizerVariables() : {}),
        ...(this.#variables === undefined ? {} : { variables: VARIABLES }),
      },
      fieldType: (typeName, field) =>
        typeName === VARIABLES.name
          ? this.#variables?.get(field)
          : (FIELDS[typeName]?.[field] ?? mutationFieldType(typeName, field) ?? findDeclared(typeName, field)),
      ...(isMutation ? { messages: MUTATION_TYPES } : {}),
    };
  }

  // The type checker of upstream does not know `authorizer.requestResource`.
  #authorizerVariables(): Readonly<Record<string, CelType>> {
    return this.#types === undefined
      ? { authorizer: AUTHORIZER, "authorizer.requestResource": RESOURCE_CHECK }
      : { authorizer: AUTHORIZER };
  }
}

const AUTHORIZER = structType("kubernetes.authorization.Authorizer");
const RESOURCE_CHECK = structType("kubernetes.authorization.ResourceCheck");

function resultProblem(type: CelType, returns: readonly string[]): string | undefined {
  if (returns.includes(typeText(type))) return undefined;
  const wanted = returns.length === 1 ? (returns[0] ?? "") : `one of [${returns.join(" ")}]`;
  return `must evaluate to ${wanted} but got ${typeText(type)}`;
}

/** Prints a type by its name at run time, as compilers print it, unlike the checker. */
export function typeText(type: CelType): string {
  if (type.kind === "param") return `<${type.name}>`;
  if (type.parameters.length === 0) return type.name;
  return `${type.name}(${type.parameters.map((parameter) => typeText(parameter)).join(", ")})`;
}

const TYPED: ReadonlySet<CelType["kind"]> = new Set([
  "bool", "bytes", "double", "duration", "int", "null", "string", "timestamp", "uint",
]); // prettier-ignore

// The types of objects and optionals are lost on the way into a variable.
function variableType(type: CelType): CelType {
  const [first, second] = type.parameters;
  if (type.kind === "list" && first !== undefined) return listOf(variableType(first));
  if (type.kind === "map" && first !== undefined && second !== undefined)
    return mapOf(variableType(first), variableType(second));
  return TYPED.has(type.kind) ? type : DYN;
}
