import { groupKindToString, type GroupKind } from "@kubescaffold/k8s";

import type { TableColumns } from "../resource-type.ts";
import { API_COLUMNS } from "./api-columns.ts";
import { AGE, CREATED_AT, NAME, tableOf, type Column } from "./columns.ts";
import { CORE_COLUMNS } from "./core-columns.ts";
import { WORKLOAD_COLUMNS } from "./workload-columns.ts";

const COLUMNS: Readonly<Record<string, readonly Column[]>> = { ...CORE_COLUMNS, ...WORKLOAD_COLUMNS, ...API_COLUMNS };

// Kinds that servers print by their age alone.
const PLAIN_WITH_AGE: ReadonlySet<string> = new Set(["ResourceQuota"]);

/** Returns the columns of a built-in kind; those without columns of their own show their name and when they were created. */
export function builtInColumns(groupKind: GroupKind): TableColumns {
  const kind = groupKindToString(groupKind);
  const fallback = PLAIN_WITH_AGE.has(kind) ? [NAME, AGE] : [NAME, CREATED_AT];
  return tableOf(COLUMNS[kind] ?? fallback);
}
