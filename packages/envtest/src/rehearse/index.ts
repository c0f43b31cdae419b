/**
 * Rehearses the upgrade of an operator: {@link rehearseUpgrade} installs its former version on an embedded cluster, replaces it by the present one, rolls back,
 * upgrades again, and judges what happens to the objects of a user.
 */
export { rehearseUpgrade } from "./rehearse-upgrade.ts";
export { renderRehearsal } from "./rehearsal-markdown.ts";
export type { OperatorVersion, RehearseEvent, RehearseOptions } from "./rehearse-options.ts";
export type { RehearsalReport, UpgradeFinding } from "./rehearsal-report.ts";
export { JUDGED_ORACLES, type UpgradeOracleName, type UpgradeViolation } from "../oracles/upgrade-record.ts";
export type { OracleName } from "../oracles/oracles.ts";
export type { StateDifference } from "../oracles/compare-states.ts";
export { RehearseOptionsError } from "../failures/errors.ts";
