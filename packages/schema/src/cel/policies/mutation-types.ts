import type { MessageTypes } from "../compiler/compile-program.ts";
import { MUTATION_FUNCTIONS } from "../functions/kubernetes-functions.ts";
import { type CelType, DYN, STRING, structType } from "../values/cel-type.ts";

// The name of the type of apply configurations; those of their fields are `Object.spec`, `Object.spec.template`, and so on.
const OBJECT = "Object";
// The name of the type of the operations of JSON patches.
const JSON_PATCH = "JSONPatch";

/** The types of the messages that the mutations of a policy make. */
export const MUTATION_TYPES: MessageTypes = {
  typeNamed: (name) => (name === JSON_PATCH || isObjectType(name) ? structType(name) : undefined),
  functions: MUTATION_FUNCTIONS,
};

/** Returns the type of a field of such a message; an object may have any field, of any type. */
export function mutationFieldType(typeName: string, field: string): CelType | undefined {
  if (typeName === JSON_PATCH) return PATCH_FIELDS[field];
  return isObjectType(typeName) ? DYN : undefined;
}

const PATCH_FIELDS: Readonly<Record<string, CelType>> = { op: STRING, path: STRING, from: STRING, value: DYN };

function isObjectType(name: string): boolean {
  return name === OBJECT || name.startsWith(`${OBJECT}.`);
}
