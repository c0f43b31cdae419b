import type { GroupResource } from "@kubescaffold/k8s";

import type { Clock } from "../clock/clock.ts";
import type { UserInfo } from "../request/user-info.ts";
import type { ObjectVersions } from "../resources/object-versions.ts";
import type { ResourceCatalog } from "../resources/resource-catalog.ts";
import type { ApiObject } from "../storage/api-object.ts";
import type { ObjectReader } from "../storage/object-reader.ts";
import type { Authorizer } from "./authorizer.ts";
import type { InternalClient } from "./internal-client.ts";

/** What authenticators, authorizers, admission plugins, virtual resources and controllers are made with. */
export interface ServerContext {
  readonly clock: Clock;
  readonly objects: ObjectReader;
  /** The resources that are served now, built-in and custom. */
  readonly resources: ResourceCatalog;
  /** Takes objects from one of those versions to another. */
  readonly versions: ObjectVersions;
  /** Decides as the pipeline does; in the authorizer's own factory it must not be called before the server serves. */
  readonly authorizer: Authorizer;
  /** Returns a client that acts as a user. */
  readonly clientFor: (user: UserInfo) => InternalClient;
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
  /** Makes a random uid. */
  readonly newUid: () => string;
}
