import type { FlagRow } from "../flag-row.ts";
import { AUDIT_ROWS } from "./audit.ts";
import { NODE_RESTRICTION_ROWS } from "./node-restriction.ts";
import { OWNER_REFERENCE_ROWS } from "./owner-references.ts";
import { POD_SECURITY_CONFIGURATION_ROWS } from "./pod-security-configuration.ts";

/** All rows about servers with flags. */
export const FLAG_ROWS: readonly FlagRow[] = [
  ...AUDIT_ROWS,
  ...NODE_RESTRICTION_ROWS,
  ...OWNER_REFERENCE_ROWS,
  ...POD_SECURITY_CONFIGURATION_ROWS,
];
