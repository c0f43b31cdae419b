import type { Row } from "../row.ts";
import { ACCESS_ROWS } from "./access.ts";
import { ADMISSION_ROWS } from "./admission.ts";
import { APPLY_SCALE_ROWS } from "./apply-scale.ts";
import { CONTROLLER_ROWS } from "./controllers.ts";
import { CONVERSION_ROWS } from "./conversions.ts";
import { CREATE_AND_READ_ROWS } from "./create-and-read.ts";
import { CREATE_VERSION_ROWS } from "./creates-with-versions.ts";
import { DEFINITION_ROWS } from "./definitions.ts";
import { EQUIVALENT_VERSION_ROWS } from "./equivalent-versions.ts";
import { ESCALATION_ROWS } from "./escalation.ts";
import { EVICTION_ROWS } from "./evictions.ts";
import { FIRST_OBJECT_ROWS } from "./first-objects.ts";
import { INGRESS_ROWS } from "./ingresses.ts";
import { JOB_ROWS } from "./jobs.ts";
import { KUBECTL_ROWS } from "./kubectl.ts";
import { LESSER_WRITE_ROWS } from "./lesser-writes.ts";
import { LIST_ROWS } from "./lists.ts";
import { NAME_AND_OPTION_ROWS } from "./names-and-options.ts";
import { PATCH_ROWS } from "./patches.ts";
import { RULE_ROWS } from "./rules.ts";
import { SCHEMA_ROWS } from "./schemas.ts";
import { APPLY_ROWS } from "./server-side-apply.ts";
import { STATEFUL_SET_ROWS } from "./stateful-sets.ts";
import { STATUS_DEFAULT_ROWS } from "./status-defaults.ts";
import { UPDATE_AND_DELETE_ROWS } from "./update-and-delete.ts";
import { WATCH_ROWS } from "./watches.ts";
import { WEBHOOK_ADDRESS_ROWS } from "./webhook-addresses.ts";

/** Every row that is tested, by number. */
export const ALL_ROWS: readonly Row[] = [
  ...CREATE_AND_READ_ROWS,
  ...UPDATE_AND_DELETE_ROWS,
  ...WATCH_ROWS,
  ...PATCH_ROWS,
  ...APPLY_ROWS,
  ...APPLY_SCALE_ROWS,
  ...NAME_AND_OPTION_ROWS,
  ...SCHEMA_ROWS,
  ...RULE_ROWS,
  ...DEFINITION_ROWS,
  ...CONVERSION_ROWS,
  ...EQUIVALENT_VERSION_ROWS,
  ...LIST_ROWS,
  ...ACCESS_ROWS,
  ...ESCALATION_ROWS,
  ...ADMISSION_ROWS,
  ...WEBHOOK_ADDRESS_ROWS,
  ...FIRST_OBJECT_ROWS,
  ...CREATE_VERSION_ROWS,
  ...EVICTION_ROWS,
  ...LESSER_WRITE_ROWS,
  ...STATUS_DEFAULT_ROWS,
  ...CONTROLLER_ROWS,
  ...INGRESS_ROWS,
  ...JOB_ROWS,
  ...STATEFUL_SET_ROWS,
  ...KUBECTL_ROWS,
].sort((a, b) => a.row - b.row);
