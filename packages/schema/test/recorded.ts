import { readFileSync } from "node:fs";

import { parseServerJson } from "@kubescaffold/k8s";

import type { OracleCase, Recorded } from "./oracle/oracle-case.ts";

/** Reads what upstream's libraries answered to the cases of one kind. */
export function recorded<Op extends OracleCase["op"]>(op: Op): readonly (Recorded & { readonly op: Op })[] {
  const text = readFileSync(new URL(`./recorded/${op}.json`, import.meta.url), "utf8");
  return parseServerJson(text) as readonly (Recorded & { readonly op: Op })[];
}
