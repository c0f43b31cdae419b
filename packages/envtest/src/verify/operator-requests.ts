import type { ApiServer, StoredWrite, WriteMatch, WriteOutcome } from "@kubescaffold/apiserver";
import { type GroupResource, groupResourceToString } from "@kubescaffold/k8s";

/** Sees each write when it is stored and its answer is not sent. */
type WriteListener = (write: StoredWrite) => WriteOutcome | Promise<WriteOutcome>;

/** Calls a listener at each write that matches, until the returned function is called. */
export function followWrites(server: ApiServer, match: WriteMatch, listener: WriteListener): () => void {
  let remove = (): void => undefined;
  const arm = (): void => {
    remove = server.onWrite(match, 1, (write) => {
      // Before the answer, so that no write is missed meanwhile.
      arm();
      return listener(write);
    });
  };
  arm();
  return () => remove();
}

const RECORDS: ReadonlySet<string> = new Set(["events", "events.events.k8s.io", "leases.coordination.k8s.io"]);

/** Reports whether objects of a resource record what happened, or are locks: no part of a desired state. */
export function isRecordOfWork(resource: GroupResource): boolean {
  return RECORDS.has(groupResourceToString(resource));
}

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
