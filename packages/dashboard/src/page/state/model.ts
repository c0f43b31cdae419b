import type { Connection } from "../feed/event-stream.ts";
import type {
  CacheSample,
  ClusterEvent,
  ControllerSample,
  FaultState,
  Hello,
  LogLine,
  ManagerState,
  ObjectSummary,
  PermissionUse,
  ProjectState,
  ReconcileRecord,
  Replica,
  SourceProblem,
  WebhookCall,
  WebhookTotals,
} from "../feed/protocol.ts";
import type { Readiness } from "./readiness.ts";

/** An object with what lists and filters derive from its summary once per change. */
export interface ObjectEntry {
  readonly summary: ObjectSummary;
  readonly readiness: Readiness;
  readonly isDeleted: boolean;
  /** Whether the control plane created it, so that lists hide it by default. */
  readonly isSystem: boolean;
  /** The order among objects with the same owner. */
  readonly sortKey: string;
  /** Lower case. */
  readonly searchText: string;
  /** When the page saw the last change; 0 for objects that existed when it connected. */
  readonly seenAt: number;
}

/** The latest state of a controller, and the samples before it. */
export interface ControllerSeries {
  readonly latest: ControllerSample;
  readonly samples: readonly ControllerSample[];
}

/** A line of the log with the number of its arrival, which identifies it. */
export interface NumberedLine {
  readonly id: number;
  readonly line: LogLine;
}

/** Everything that the page received since it connected. */
export interface State {
  readonly connection: Connection;
  readonly hello: Hello | undefined;
  readonly objects: ReadonlyMap<string, ObjectEntry>;
  /** By ID, in the order of their first record. */
  readonly reconciles: ReadonlyMap<string, ReconcileRecord>;
  readonly controllers: ReadonlyMap<string, ControllerSeries>;
  readonly caches: ReadonlyMap<string, CacheSample>;
  readonly webhooks: ReadonlyMap<string, WebhookCall>;
  readonly permissions: ReadonlyMap<string, PermissionUse>;
  readonly events: ReadonlyMap<string, ClusterEvent>;
  readonly logs: readonly NumberedLine[];
  readonly manager: ManagerState | undefined;
  readonly faults: ReadonlyMap<string, FaultState>;
  readonly project: ProjectState | undefined;
  /** The Pods of a manager in a cluster; undefined for one that is a process. */
  readonly replicas: readonly Replica[] | undefined;
  /** By path. */
  readonly webhookTotals: ReadonlyMap<string, WebhookTotals>;
  readonly problems: readonly SourceProblem[];
}

/** How much of each kind of record the page keeps; the oldest ones go first. */
export const LIMITS = {
  deletedObjects: 500,
  reconciles: 4000,
  samples: 900,
  webhooks: 1000,
  events: 2000,
  logs: 8000,
} as const;

/** The state before the first connection. */
export const INITIAL_STATE: State = {
  connection: { kind: "connecting", isRefused: false },
  hello: undefined,
  objects: new Map(),
  reconciles: new Map(),
  controllers: new Map(),
  caches: new Map(),
  webhooks: new Map(),
  permissions: new Map(),
  events: new Map(),
  logs: [],
  manager: undefined,
  faults: new Map(),
  project: undefined,
  replicas: undefined,
  webhookTotals: new Map(),
  problems: [],
};
