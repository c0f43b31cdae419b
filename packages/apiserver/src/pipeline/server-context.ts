import type { GroupResource, GroupVersionResource } from "@kubescaffold/k8s";
import type { Clock, OwnTurns } from "@kubescaffold/platform/clock";

import type { Release } from "../release/release.ts";
import type { UserInfo } from "../request/request-context.ts";
import type { ObjectVersions } from "../resources/object-versions.ts";
import type { ResourceCatalog } from "../resources/registry.ts";
import type { ApiObject, JsonObject } from "../storage/api-object.ts";
import type { ObjectReader } from "../storage/object-reader.ts";
import type { Authorizer, PermissionRecorder } from "./extension-points.ts";
import type { Identities } from "./identities.ts";

/** The context that authenticators, authorizers, admission plugins, virtual resources, and controllers are created with. */
export interface ServerContext {
  /** The minor version of Kubernetes that the server is. */
  readonly release: Release;
  /** The time of the server. */
  readonly clock: Clock;
  /** Reads stored objects. */
  readonly objects: ObjectReader;
  /** The resources that are served now, built-in and custom. */
  readonly resources: ResourceCatalog;
  /** Converts objects between these versions. */
  readonly versions: ObjectVersions;
  /** Decides as the pipeline does; in the authorizer's own factory it must not be called before the server serves. */
  readonly authorizer: Authorizer;
  /** Records what `checkPermission` decides. */
  readonly permissions: PermissionRecorder;
  /** Returns a client that acts as a user. The calls of controllers take their steps in {@link turns}. */
  readonly clientFor: (user: UserInfo) => InternalClient;
  /** Divides the event loop between controllers and requests. */
  readonly turns: Pick<OwnTurns, "step" | "charge">;
  /**
   * Changes a stored object as the server itself does: past authorization, admission and validation. The change gets a copy and may change it.
   *
   * Returns the stored object, or undefined when there is none of that name.
   */
  changeStored(
    groupResource: GroupResource,
    key: { readonly namespace: string; readonly name: string },
    change: (object: ApiObject) => void,
  ): ApiObject | undefined;
  /** Creates uids and the ends of generated names. */
  readonly identities: Identities;
}

/** The target object of a call. */
export interface ObjectTarget extends GroupVersionResource {
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  /** Empty for creates and collections. */
  readonly name: string;
  /** The subresource, such as `status`. Default: the resource itself. */
  readonly subresource?: string;
}

/**
 * Calls the server inside the process as a user, through the whole pipeline: authorization, admission, validation.
 *
 * Fails: every call with a `StatusError` that carries the server's answer.
 */
export interface InternalClient {
  /** Reads an object. Fails: `StatusError`, as all other methods. */
  get(target: ObjectTarget): Promise<ApiObject>;
  /** Creates an object. */
  create(target: ObjectTarget, object: JsonObject): Promise<ApiObject>;
  /** Replaces an object. */
  update(target: ObjectTarget, object: JsonObject): Promise<ApiObject>;
  /** Patches an object. */
  patch(target: ObjectTarget, patch: InternalPatch): Promise<ApiObject>;
  /** Deletes an object; `options` are `DeleteOptions`. */
  delete(target: ObjectTarget, options?: JsonObject): Promise<ApiObject>;
  /** Deletes all objects of a collection. */
  deleteCollection(target: ObjectTarget, options?: JsonObject): Promise<ApiObject>;
}

/** A patch, or an apply configuration. */
export interface InternalPatch {
  /** The media type, which tells the kind of the patch. */
  readonly contentType: string;
  /** The patch. */
  readonly body: unknown;
  /** The parameters of the request. Default: none. */
  readonly query?: Readonly<Record<string, string>>;
}

/** A controller that runs inside the server, like those of kube-controller-manager. */
export interface InProcessController {
  /** The name in messages. */
  readonly name: string;
  /** Starts the controller; called when the server is ready. */
  start(): void;
  /** Stops the controller; called before the server closes, and before a reset or restore, after which it is started again. */
  stop(): Promise<void>;
  /** Resolves when the controller is idle, except for pending timers. */
  idle(): Promise<void>;
}
