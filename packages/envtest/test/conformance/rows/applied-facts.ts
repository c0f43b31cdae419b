import { objectOf, type Answer, type Json } from "../row.ts";

/** Prints the outcome of a write in one line: the failure, or the spec and the fields of its owners. */
export function factsOf(answer: Answer): string {
  const { spec, message, metadata } = objectOf(answer);
  if (answer.status > 201) return `${String(answer.status)}: ${String(message)}`;
  const entries = (metadata["managedFields"] ?? []) as readonly { manager: string; fieldsV1: Json }[];
  const owners = entries.map(({ manager, fieldsV1 }) => `${manager} ${printJson(fieldsV1["f:spec"])}`);
  return [printJson(spec), ...owners.toSorted()].join(" | ");
}

// Keys in order: those of objects have none.
function printJson(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : each,
  );
}
