import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { CheckInput } from "../generator.ts";

/** Compares CRDs with the former version that `compat` names; without the option it does nothing. */
export async function checkCompat(input: CheckInput): Promise<readonly Diagnostic[]> {
  const former = input.options["compat"];
  if (typeof former !== "string" || former === "") return [];
  const { compareWithFormer } = await import("./compare-with-former.ts");
  return await compareWithFormer(former, input);
}
