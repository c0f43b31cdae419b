import type { FlagRow } from "../flag-row.ts";
import { AUDIT_WEBHOOK_ROWS } from "./audit-webhook.ts";
import { AUDIT_ROWS } from "./audit.ts";
import { AUTOSCALER_CONVERSION_ROWS } from "./autoscaler-conversions.ts";
import { CBOR_GATE_ROWS } from "./cbor-gate.ts";
import { DUAL_STACK_ROWS } from "./dual-stack.ts";
import { EVENT_RATE_LIMIT_ROWS } from "./event-rate-limit.ts";
import { FIRST_VERSION_ROWS } from "./first-versions.ts";
import { METRIC_ROWS } from "./metrics.ts";
import { MUTATING_POLICY_OBJECT_ROWS } from "./mutating-policy-objects.ts";
import { MUTATING_POLICY_VERSION_ROWS } from "./mutating-policy-versions.ts";
import { MUTATION_ROUND_ROWS } from "./mutation-rounds.ts";
import { MUTATION_ROWS } from "./mutations.ts";
import { NEW_SERVER_ROWS } from "./new-server.ts";
import { NODE_AUTHORIZER_ROWS } from "./node-authorizer.ts";
import { NODE_PORT_RANGE_ROWS } from "./node-port-range.ts";
import { NODE_RESTRICTION_ROWS } from "./node-restriction.ts";
import { OPEN_API_MEDIA_TYPE_ROWS } from "./open-api-media-types.ts";
import { OWNER_REFERENCE_ROWS } from "./owner-references.ts";
import { POD_SECURITY_CONFIGURATION_ROWS } from "./pod-security-configuration.ts";

/** All rows about servers with flags. */
export const FLAG_ROWS: readonly FlagRow[] = [
  ...AUDIT_ROWS,
  ...AUDIT_WEBHOOK_ROWS,
  ...AUTOSCALER_CONVERSION_ROWS,
  ...CBOR_GATE_ROWS,
  ...DUAL_STACK_ROWS,
  ...EVENT_RATE_LIMIT_ROWS,
  ...FIRST_VERSION_ROWS,
  ...METRIC_ROWS,
  ...MUTATING_POLICY_OBJECT_ROWS,
  ...MUTATING_POLICY_VERSION_ROWS,
  ...MUTATION_ROUND_ROWS,
  ...MUTATION_ROWS,
  ...NEW_SERVER_ROWS,
  ...NODE_PORT_RANGE_ROWS,
  ...NODE_AUTHORIZER_ROWS,
  ...NODE_RESTRICTION_ROWS,
  ...OPEN_API_MEDIA_TYPE_ROWS,
  ...OWNER_REFERENCE_ROWS,
  ...POD_SECURITY_CONFIGURATION_ROWS,
];
