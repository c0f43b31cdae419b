import type { ApiServer } from "@kubescaffold/apiserver";
import { type GroupResource, groupResourceToString } from "@kubescaffold/k8s";

import { isRecordOfWork } from "./operator-writes.ts";

/** A watch of the operator. */
export interface OperatorWatch extends GroupResource {
  readonly verb: "watch";
  readonly user: string;
  /** Default: all namespaces. */
  readonly namespace?: string;
}

/** Returns the watches that an operator has opened. */
export function watchesOf(server: ApiServer, user: string): readonly OperatorWatch[] {
  return server.audit
    .entries(user)
    .filter(({ verb, allowed, ...type }) => verb === "watch" && allowed > 0 && !isRecordOfWork(type))
    .map(({ group, resource, namespace }) => ({
      verb: "watch",
      group,
      resource,
      user,
      ...(namespace === "" ? {} : { namespace }),
    }));
}

/** Returns the requests that the roles of an operator do not allow, such as `list secrets`. */
export function deniedRequests(server: ApiServer, user: string): readonly string[] {
  return server.audit
    .entries(user)
    .filter(({ denied }) => denied > 0)
    .map(
      ({ verb, group, resource, path }) =>
        `${verb} ${resource === "" ? path : groupResourceToString({ group, resource })}`,
    );
}
