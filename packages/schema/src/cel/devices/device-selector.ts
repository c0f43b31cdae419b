import { compileProgram, fieldFinder } from "../compiler/compile-program.ts";
import { estimateCost } from "../cost/estimate-cost.ts";
import type { DeclaredType } from "../expressions/declared-type.ts";
import { typeText } from "../policies/policy-compiler.ts";
import { issueText } from "../rules/compile-rule.ts";
import { ANY, BOOL, type CelType, mapOf, STRING, structType } from "../values/cel-type.ts";

/** Why a server refuses the expression of a selector of devices. */
export type DeviceSelectorProblem =
  | { readonly kind: "invalid"; readonly detail: string }
  | { readonly kind: "internal"; readonly detail: string }
  | { readonly kind: "too-complex" };

const MOST_COST = 1_000_000n;

/** Compiles the expression of a selector of devices as an API server of 1.35 does; undefined if it accepts it. */
export function deviceSelectorProblem(expression: string): DeviceSelectorProblem | undefined {
  const program = compileProgram(expression, {
    variables: { device: DEVICE.celType },
    fieldType: fieldFinder([DEVICE]),
    hasBindings: true,
  });
  if (program.kind === "rejected") {
    const [{ message }] = program.issues;
    return message.startsWith("program instantiation failed")
      ? { kind: "internal", detail: message }
      : { kind: "invalid", detail: `compilation failed: ${issueText(expression, program.issues)}` };
  }
  const { outputType } = program;
  if (outputType !== ANY && outputType.kind !== "bool") {
    return { kind: "invalid", detail: `must evaluate to bool or the unknown type, not ${typeText(outputType)}` };
  }
  return estimateCost(program.checked, SIZED_DEVICE).max > MOST_COST ? { kind: "too-complex" } : undefined;
}

const MOST_ATTRIBUTES = 32;

// Domains, identifiers, names of drivers, and values of attributes.
const DOMAIN = sized(STRING, 63);
const IDENTIFIER = sized(STRING, 32);
const DRIVER = sized(STRING, 63);
const ATTRIBUTE = sized(ANY, 64);
const CAPACITY = sized(structType("kubernetes.Quantity"), 0);

const FIELDS: readonly (readonly [string, DeclaredType])[] = [
  ["driver", DRIVER],
  ["attributes", mapByDomain(mapOfIdentifiers(ATTRIBUTE))],
  ["capacity", mapByDomain(mapOfIdentifiers(CAPACITY))],
];
const DEVICE = deviceWith(FIELDS);
// Costs are estimated with a field that expressions cannot read.
const SIZED_DEVICE = deviceWith([...FIELDS, ["allowMultipleAllocations", sized(BOOL, 1)]]);

function deviceWith(fields: readonly (readonly [string, DeclaredType])[]): DeclaredType {
  const celType = structType("kubernetes.DRADevice");
  return { kind: "object", fields: new Map(fields), celType, maxElements: 0, minSerializedSize: 0 };
}

function mapOfIdentifiers(value: DeclaredType): DeclaredType {
  const celType = mapOf(STRING, value.celType);
  const sizes = { maxElements: MOST_ATTRIBUTES, minSerializedSize: 0 };
  return { kind: "map", key: IDENTIFIER, value, celType, hasNamedValues: value === ATTRIBUTE, ...sizes };
}

function mapByDomain(value: DeclaredType): DeclaredType {
  const celType = mapOf(STRING, value.celType);
  return { kind: "map", key: DOMAIN, value, celType, maxElements: MOST_ATTRIBUTES, minSerializedSize: 0 };
}

function sized(celType: CelType, maxElements: number): DeclaredType {
  return { kind: "scalar", celType, maxElements, minSerializedSize: 0 };
}
