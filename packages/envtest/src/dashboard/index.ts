/**
 * The dashboard of `scaffold dev`: a page on the loopback address that shows an embedded cluster and a manager, and what feeds it.
 */
export { startDashboard, type DashboardOptions } from "./start-dashboard.ts";
export type { Dashboard, DashboardServing } from "./dashboard.ts";
export { DashboardListenError, DashboardPageMissingError } from "./errors.ts";
export type { EventStreamLimits } from "./event-stream.ts";
export { JumpingClock } from "./jumping-clock.ts";
export { ManagerFaults, type FaultTargets } from "./manager-faults.ts";
export type {
  ApplyRequest,
  CacheSample,
  Capability,
  ClusterEvent,
  ControllerSample,
  DashboardMessage,
  DeleteRequest,
  FaultName,
  FaultRequest,
  FaultState,
  FieldOwner,
  FieldProblem,
  Hello,
  KindInfo,
  LogLine,
  ManagerRequest,
  ManagerState,
  ObjectChange,
  ObjectCondition,
  ObjectDetail,
  ObjectHistory,
  ObjectOwner,
  ObjectSummary,
  ObjectVersion,
  PermissionRemoved,
  PermissionUse,
  ProjectDiagnostic,
  ProjectState,
  ReconcileOutcomes,
  ReconcileRecord,
  ReconcileWrite,
  Replica,
  ReplicaList,
  SourceProblem,
  SourceProblems,
  WebhookCall,
  WebhookTotals,
  WriteResult,
} from "./protocol.ts";
