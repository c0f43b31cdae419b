import type { Overload } from "../../src/cel/functions/function-declaration.ts";
import { type CelType, formatCelType } from "../../src/cel/values/cel-type.ts";

/** Writes an overload as the reference program does. */
export function formatSignature({ isMember, args, result }: Overload): string {
  return `${isMember ? "method" : "function"}(${args.map((arg) => format(arg)).join(", ")}): ${format(result)}`;
}

function format(type: CelType): string {
  return formatCelType(type);
}
