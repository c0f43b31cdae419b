import type { ApiObject } from "../../storage/api-object.ts";
import type { StoreEvent } from "../../storage/object-reader.ts";
import { type FaultMatch, isRequestMatch } from "./request-match.ts";
import type { HandledWrite, WriteAuthor } from "./request-writes.ts";
import { changedFields, comparableName, comparableObject, digestOf } from "./write-content.ts";

/** A change of a stored object. */
export interface StoredChange {
  /** The change. */
  readonly change: "created" | "changed" | "deleted";
  /** The object after the change, with all its fields; the last state of a deleted object. It is frozen. */
  readonly object: ApiObject;
  /** The object before the change; absent when it was created. It is frozen. */
  readonly previous?: ApiObject;
}

/** A request that has changed a stored object; a `deletecollection` may have changed several. */
export interface StoredWrite extends WriteAuthor {
  /** The API group. */
  readonly group: string;
  /** The plural name. */
  readonly resource: string;
  /** The namespace; empty for cluster-scoped objects. */
  readonly namespace: string;
  /** The name of the object; empty for a collection. */
  readonly name: string;
  /** The store's version after the write. */
  readonly resourceVersion: string;
  /** The changes, in order; at least one. */
  readonly changes: readonly [StoredChange, ...StoredChange[]];
  /**
   * Names the write by what it has changed, such as `update deployments.apps default/web 0d5a17c2b9ee`: the digest leaves out uids, times, versions, and
   * field managers, so that the name is the same in another run of the same requests.
   */
  readonly content: string;
}

/** Selects writes: those that match all given fields. */
export interface WriteMatch extends FaultMatch {
  /** The content, as {@link StoredWrite.content} of an earlier run names it. */
  readonly content?: string;
}

/** Reports whether a write has all fields that a match gives. */
export function isWriteMatch({ content, ...match }: WriteMatch, write: StoredWrite): boolean {
  return isRequestMatch(match, write) && (content === undefined || content === write.content);
}

/** Returns the write of a request; undefined when it has changed nothing. */
export function storedWriteOf({ context: { info }, author, events }: HandledWrite): StoredWrite | undefined {
  const [first, ...others] = events.map(changeOf);
  const last = events.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const isCollection = author.verb === "deletecollection";
  const { namespace = "", name = "" } = first.object.metadata;
  const { group, resource } = info;
  const target = {
    ...author,
    group,
    resource,
    namespace: isCollection ? info.namespace : namespace,
    name: isCollection ? "" : name,
  };
  const changes = [first, ...others] as const;
  return { ...target, changes, resourceVersion: String(last.revision), content: contentOf(target, changes) };
}

const CHANGES = { added: "created", modified: "changed", deleted: "deleted" } as const;

function changeOf({ kind, object, previous }: StoreEvent): StoredChange {
  return { change: CHANGES[kind], object, ...(previous === undefined ? {} : { previous }) };
}

type Target = Pick<StoredWrite, "verb" | "subresource" | "group" | "resource" | "namespace" | "name">;

function contentOf(target: Target, changes: StoredWrite["changes"]): string {
  const { verb, group, resource, subresource, namespace, name } = target;
  const groupResource = `${resource}${group === "" ? "" : `.${group}`}${subresource === "" ? "" : `/${subresource}`}`;
  const known = name === "" ? "*" : comparableName(changes[0].object.metadata);
  const key = namespace === "" ? known : `${namespace}/${known}`;
  return `${verb} ${groupResource} ${key} ${digestOf(changes.map(differenceOf))}`;
}

function differenceOf({ change, object, previous }: StoredChange): unknown {
  const before = previous === undefined ? undefined : comparableObject(previous);
  return [
    change,
    change === "deleted"
      ? comparableName(object.metadata)
      : changedFields(before, comparableObject(object)).map(({ path, value }) => [path, value]),
  ];
}
