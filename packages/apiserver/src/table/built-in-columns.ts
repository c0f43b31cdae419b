import type { GroupKind } from "@kubescaffold/k8s";

import type { TableColumns } from "../registry/resource-type.ts";
import { DEFAULT_COLUMNS } from "./columns.ts";

/** Returns the columns of a built-in kind. */
export function builtInColumns(_groupKind: GroupKind): TableColumns {
  return DEFAULT_COLUMNS;
}
