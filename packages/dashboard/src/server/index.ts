/**
 * The dashboard: a page on the loopback address, and the process that serves it. The contract of both is here; `@kubescaffold/dashboard/development`
 * shows a cluster in this process, and `@kubescaffold/dashboard/cluster` a cluster that clients connect to.
 */
export { DashboardListenError, DashboardPageMissingError } from "./http/errors.ts";
export type { EventStreamLimits } from "./http/event-stream.ts";
export type { Dashboard, DashboardServing } from "./serving/dashboard.ts";
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
} from "./contract/protocol.ts";
