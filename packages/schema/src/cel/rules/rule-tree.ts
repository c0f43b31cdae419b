import { additionalSchemaOf, itemsOf, type JsonSchema, type ValidationRule } from "../../model/json-schema.ts";
import { readRuleFieldPath } from "../../structural/rule-field-path.ts";
import { type DeclaredType, declaredTypeAt, declareType } from "../expressions/declared-type.ts";
import { escapePropertyName } from "../values/property-names.ts";
import { isEmbeddedResource } from "../values/resource-fields.ts";
import { type CompiledRule, compileRule } from "./compile-rule.ts";
import { hasRules } from "./rule-scope.ts";

/** A schema with its rules compiled, and those below it; what has no rules is left out. */
export interface RuleNode {
  readonly schema: JsonSchema;
  readonly isResourceRoot: boolean;
  /** Undefined where CEL cannot see the values, which no server accepts. */
  readonly rules: readonly RunnableRule[] | undefined;
  readonly items: RuleNode | undefined;
  readonly additional: RuleNode | undefined;
  readonly properties: ReadonlyMap<string, RuleNode>;
}

/** A rule ready to run. */
export interface RunnableRule {
  readonly source: ValidationRule;
  readonly compiled: CompiledRule;
  /** What its `fieldPath` adds to the path of the value. */
  readonly fieldPath: string | undefined;
}

const trees = { root: new WeakMap<JsonSchema, RuleTree>(), part: new WeakMap<JsonSchema, RuleTree>() };

interface RuleTree {
  readonly node: RuleNode | undefined;
}

/** Compiles the rules of a schema and of all in it, once for every schema; undefined where there are none. */
export function ruleTreeOf(schema: JsonSchema, isResourceRoot: boolean): RuleNode | undefined {
  const known = isResourceRoot ? trees.root : trees.part;
  let tree = known.get(schema);
  if (tree === undefined) {
    tree = { node: compileTree(schema, declareType(schema, { isResourceRoot }), isResourceRoot) };
    known.set(schema, tree);
  }
  return tree.node;
}

function compileTree(
  schema: JsonSchema,
  declared: DeclaredType | undefined,
  isResourceRoot: boolean,
): RuleNode | undefined {
  const below = (part: JsonSchema | undefined, step: string): RuleNode | undefined =>
    part === undefined
      ? undefined
      : compileTree(
          part,
          declared === undefined ? undefined : declaredTypeAt(declared, [step]),
          isEmbeddedResource(part),
        );
  const node: RuleNode = {
    schema,
    isResourceRoot,
    rules: !hasRules(schema) ? [] : declared === undefined ? undefined : runnableRules(schema, declared),
    items: below(itemsOf(schema), "@items"),
    additional: below(additionalSchemaOf(schema), "@values"),
    properties: propertyTrees(schema, declared),
  };
  const isEmpty = node.rules?.length === 0 && node.properties.size === 0;
  return isEmpty && node.items === undefined && node.additional === undefined ? undefined : node;
}

function runnableRules(schema: JsonSchema, declared: DeclaredType): readonly RunnableRule[] {
  return (schema["x-kubernetes-validations"] ?? []).map((source) => ({
    source,
    compiled: compileRule(source, declared),
    fieldPath: (source.fieldPath ?? "") === "" ? undefined : readRuleFieldPath(source.fieldPath ?? "", schema),
  }));
}

// What CEL has a name for but no type is left out; what it has no name for is seen by its own rules only.
function propertyTrees(schema: JsonSchema, declared: DeclaredType | undefined): ReadonlyMap<string, RuleNode> {
  const trees = new Map<string, RuleNode>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isResourceRoot = isEmbeddedResource(property);
    const escaped = escapePropertyName(name);
    const seen =
      escaped === undefined
        ? declareType(property, { isResourceRoot })
        : declared && declaredTypeAt(declared, [escaped]);
    const node = seen === undefined ? undefined : compileTree(property, seen, isResourceRoot);
    if (node !== undefined) {
      trees.set(name, node);
    }
  }
  return trees;
}
