/** What the code of docs uses without declaring it: the kind of a project, and the objects and functions that stand for the reader's own. */
import type { EmbeddedCluster } from "@kubescaffold/cluster";
import type { Chaos } from "@kubescaffold/envtest/chaos";
import {
  defineKind,
  type DeepReadonly,
  type int32,
  type Kind,
  type NamespacedName,
  type RestConfig,
  type FieldsOf,
} from "@kubescaffold/k8s";
import type { UserInfo } from "@kubescaffold/k8s/authentication/v1";
import type { Job } from "@kubescaffold/k8s/batch/v1";
import type { ConfigMap, Pod } from "@kubescaffold/k8s/core/v1";
import type {
  Condition,
  KubernetesObject,
  NamespacedObject,
  ObjectMeta,
  OwnerReference,
} from "@kubescaffold/k8s/meta/v1";
import type { FakeClock } from "@kubescaffold/platform/clock";
import type {
  ApplyConfiguration,
  Client,
  ClusterRequest,
  Manager,
  MultiClusterManager,
  ObjectKey,
  ReconcileContext,
  Reconciler,
  Request,
  RestClient,
  Result,
  SpokeConverter,
  Stored,
} from "@kubescaffold/runtime";
import type { KubectlPlugin } from "@kubescaffold/runtime/kubectl-plugin";
import type { JsonObject, JsonSchema, Schema } from "@kubescaffold/schema";

import type { compiledTemplates } from "../../../src/plugin/index.ts";

export const GroupVersion = { group: "demo.example.com", version: "v1" };

export interface GuestbookStatus {
  readyReplicas?: int32;
  observedGeneration?: number;
  conditions?: Condition[];
}

export interface GuestbookSpec {
  size?: int32 | undefined;
  replicas?: int32 | undefined;
  port?: int32;
  greeting: string;
  owner: string;
}

export interface Guestbook extends NamespacedObject {
  spec: GuestbookSpec;
  status?: GuestbookStatus;
}

// Each page creates objects with the fields that it is about.
interface AnyFields {
  create(fields: FieldsOf<{ metadata: ObjectMeta; spec: Partial<GuestbookSpec> }>): Guestbook;
}

export const Guestbook: AnyFields & Kind<Guestbook> = defineKind<Guestbook>(GroupVersion, "Guestbook");

export type GuestbookHub = Guestbook;
export const GuestbookHub: AnyFields & Kind<Guestbook> = defineKind<Guestbook>(GroupVersion, "GuestbookHub");
export type RelayHub = Guestbook;
export const RelayHub: Kind<Guestbook> = defineKind<Guestbook>(GroupVersion, "RelayHub");
export const SharedConfig: Kind<KubernetesObject> = defineKind(GroupVersion, "SharedConfig");

export declare class GuestbookReconciler implements Reconciler {
  readonly client: Client;
  constructor(client: Client);
  reconcile(request: Request, context: ReconcileContext): Promise<Result>;
  setupWithManager(mgr: Manager): Promise<void>;
}

export declare const GuestbookSchema: Schema<Guestbook>;
export declare const GuestbookSpecSchema: Schema<Guestbook["spec"]>;

export interface GuestbookApply extends ApplyConfiguration<Guestbook> {
  readonly spec?: Partial<Guestbook["spec"]>;
  readonly status?: Partial<GuestbookStatus>;
}

export declare function guestbookApply(
  name: string,
  namespace: string,
  fields?: Omit<GuestbookApply, "apiVersion" | "kind" | "metadata">,
): GuestbookApply;

export declare function extractGuestbook(
  object: DeepReadonly<Guestbook>,
  fieldManager: string,
  subresource?: string,
): GuestbookApply;

export declare const relayConverter: SpokeConverter<Guestbook, Guestbook>;
export declare const chaos: Chaos;
export declare const client: Client;
export declare const clock: FakeClock;
export declare const cluster: EmbeddedCluster;
export declare const clusters: MultiClusterManager;
export declare const config: RestConfig;
export declare const controllerReference: OwnerReference;
export declare const folder: string;
export declare const guestbook: Guestbook;
export declare const changed: Guestbook;
export declare const image: string;
export declare const job: Stored<Job>;
export declare const key: NamespacedName;
export declare const labels: Readonly<Record<string, string>>;
export declare const mgr: Manager;
export declare const name: string;
export declare const plugin: KubectlPlugin;
export declare const namespace: string;
export declare const object: JsonObject;
export declare const observedGeneration: number;
export declare const pod: ObjectKey;
export declare const previous: JsonObject;
export declare const rest: RestClient;
export declare const schema: JsonSchema;
export declare const signal: AbortSignal;
export declare const updated: string[];
export declare const BASES: string;
export declare const OWNER: { readonly fieldOwner: string; readonly forceOwnership: boolean };
export declare const compiled: Parameters<typeof compiledTemplates>[0];
export declare function isCopy(object: DeepReadonly<ConfigMap>): boolean;
export declare function lookUp(token: string, signal: AbortSignal): Promise<UserInfo | undefined>;
export declare function licensedNodes(pod: Pod): Promise<ReadonlySet<string>>;
export declare function reconcile(request: ClusterRequest, context: ReconcileContext): Promise<Result>;
export declare function newGuestbookConverter(conversions: {
  readonly convertGuestbookSpecToHub: (
    source: GuestbookSpec,
    converted: Omit<GuestbookSpec, "size" | "replicas">,
  ) => GuestbookSpec;
  readonly convertGuestbookSpecFromHub: (
    source: GuestbookSpec,
    converted: Omit<GuestbookSpec, "size" | "replicas">,
  ) => GuestbookSpec;
}): SpokeConverter<Guestbook, Guestbook>;
export declare function report(bytes: number): void;
