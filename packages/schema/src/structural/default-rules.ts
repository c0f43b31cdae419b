import { type FieldError, fieldErrorToString, invalidField, type JSONValue } from "@kubescaffold/k8s";

import { isJsonObject, type JsonObject } from "../json/json-value.ts";
import { childPath, keyPath } from "../model/field-path.ts";
import { defaultOf, itemsOf, type JsonSchema } from "../model/json-schema.ts";
import { checkEmbeddedResources } from "../object-meta/embedded-resources.ts";
import type { MetaWording } from "../object-meta/validate-object-meta.ts";
import { validateAgainstSchema } from "../validation/schema-validation.ts";
import { prune } from "./prune.ts";
import type { DefaultsBudget, RuleChecks } from "./rule-checks.ts";

/** How the defaults of a schema are checked. */
export interface DefaultChecks {
  readonly requiresPruned: boolean;
  /** Applies CEL rules; without it they are not looked at. */
  readonly rules?: RuleChecks | undefined;
  readonly metaWording?: MetaWording | undefined;
  readonly checksNumberFormats?: boolean | undefined;
}

// The most that the rules of an object may cost.
const RULES_BUDGET = 10_000_000;

/** Checks that every default of a schema is pruned and valid against its own schema. */
export function checkDefaults(schema: JsonSchema, path: string, checks: DefaultChecks): readonly FieldError[] {
  const root = { ...schema, "x-kubernetes-embedded-resource": true };
  const budget = { remaining: RULES_BUDGET };
  return checkNode(root, { path, root, surround: asObject, isInsideMeta: false, budget, ...checks });
}

interface DefaultStep extends DefaultChecks {
  readonly path: string;
  /** The schema of the nearest object that carries metadata, and how a value of this place becomes such an object. */
  readonly root: JsonSchema;
  readonly surround: (value: JSONValue) => JSONValue;
  readonly isInsideMeta: boolean;
  readonly budget: DefaultsBudget;
}

function asObject(value: JSONValue): JSONValue {
  return isJsonObject(value) ? { kind: "Validation", apiVersion: "validation/v1", ...value } : value;
}

function checkNode(schema: JsonSchema, outer: DefaultStep): readonly FieldError[] {
  if (outer.budget.remaining < 0) {
    return [];
  }
  const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
  const step = isEmbedded ? { ...outer, root: schema, surround: asObject, isInsideMeta: false } : outer;
  const items = itemsOf(schema);
  return [
    ...checkDefault(schema, step),
    ...(items === undefined
      ? []
      : checkNode(items, {
          ...step,
          path: childPath(step.path, "items"),
          surround: (value) => step.surround([value]),
        })),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      checkNode(property, {
        ...step,
        path: keyPath(childPath(step.path, "properties"), name),
        surround: (value) => step.surround({ [name]: value }),
        isInsideMeta: step.isInsideMeta || (isEmbedded && META_MEMBERS.has(name)),
      }),
    ),
  ];
}

const META_MEMBERS: ReadonlySet<string> = new Set(["metadata", "kind", "apiVersion"]);

function checkDefault(schema: JsonSchema, step: DefaultStep): readonly FieldError[] {
  const value = defaultOf(schema);
  if (value === undefined) {
    return [];
  }
  const at = childPath(step.path, "default");
  if (step.isInsideMeta) {
    const problems = metaProblems(value, step);
    return problems === undefined ? validateDefault(schema, value, { at, step }) : [invalidField(at, value, problems)];
  }
  const isPruned = !step.requiresPruned || prune(schema, value, { isResourceRoot: false }).value === value;
  const metaErrors = checkEmbeddedResources(schema, value, at, step.metaWording);
  return [
    ...(isPruned ? [] : [invalidField(at, value, "must not have unknown fields")]),
    ...(metaErrors.length > 0 ? metaErrors : validateDefault(schema, value, { at, step })),
  ];
}

function validateDefault(
  schema: JsonSchema,
  value: JSONValue,
  { at, step }: { readonly at: string; readonly step: DefaultStep },
): readonly FieldError[] {
  const errors = validateAgainstSchema(schema, value, {
    path: at,
    isForDefault: true,
    checksNumberFormats: step.checksNumberFormats === true,
  });
  const { rules, budget } = step;
  return errors.length > 0 || rules === undefined
    ? errors
    : rules.checkDefault(schema, value, { path: at, isResourceRoot: schema === step.root, budget });
}

function metaProblems(value: JSONValue, step: DefaultStep): string | undefined {
  const surrounding: JSONValue | JsonObject = step.surround(value);
  const errors = checkEmbeddedResources(step.root, surrounding, undefined, step.metaWording).map(fieldErrorToString);
  const text = errors.length === 1 ? errors[0] : `[${errors.join(", ")}]`;
  return errors.length === 0 ? undefined : `must result in valid metadata: ${text ?? ""}`;
}
