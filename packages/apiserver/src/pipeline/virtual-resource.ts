import type { GroupVersionKind } from "@kubescaffold/k8s";

import type { UserInfo } from "../request/user-info.ts";
import type { ApiObject } from "../storage/api-object.ts";

/** A POST to a resource or subresource that is answered and not stored: reviews, tokens, evictions, bindings. */
export interface VirtualCreate {
  readonly user: UserInfo;
  readonly namespace: string;
  /** The name of the parent object for a subresource, else empty. */
  readonly name: string;
  /** The decoded body, checked to be of the kind that the resource takes. */
  readonly object: ApiObject;
  readonly isDryRun: boolean;
}

/** Answers the creates of a resource that has no storage, such as `selfsubjectaccessreviews` or `serviceaccounts/token`. */
export interface VirtualResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Empty for a resource of its own. */
  readonly subresource: string;
  /** The kind of the body and of the answer. */
  readonly kind: GroupVersionKind;
  /** Returns the object of the answer (201). */
  create(request: VirtualCreate): ApiObject | Promise<ApiObject>;
}
