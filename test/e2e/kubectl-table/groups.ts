import { APPLY_GROUPS } from "./apply-groups.ts";
import { CLUSTER_GROUPS } from "./cluster-groups.ts";
import { CREATE_GROUPS } from "./create-groups.ts";
import { EDIT_GROUPS } from "./edit-groups.ts";
import { FORMAT_GROUPS } from "./format-groups.ts";
import type { CommandGroup } from "./group.ts";
import { POD_GROUPS } from "./pod-groups.ts";
import { READ_GROUPS } from "./read-groups.ts";

/** All commands that are compared. */
export const GROUPS: readonly CommandGroup[] = [
  ...CREATE_GROUPS,
  ...READ_GROUPS,
  ...EDIT_GROUPS,
  ...APPLY_GROUPS,
  ...CLUSTER_GROUPS,
  ...FORMAT_GROUPS,
  ...POD_GROUPS,
];
