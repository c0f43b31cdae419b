import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import { toTime } from "../../clock/clock.ts";
import type { InternalClient, ServerContext } from "../../pipeline/server-context.ts";
import type { UserInfo } from "../../request/request-context.ts";
import { EVENTS } from "./workload-objects.ts";

/** Writes events about objects, as the component of a name. */
export interface EventWriter {
  /** Records an event about an object; a failed write is ignored. */
  write(object: KubernetesObject, event: WrittenEvent): Promise<void>;
}

/** Contents of an event. */
interface WrittenEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  /** What was done; only events that are written through `events.k8s.io`, as by the scheduler, have it. */
  readonly action?: string;
  /** Another object that the event is about. */
  readonly related?: KubernetesObject;
  /** The part of the object that the event is about. */
  readonly fieldPath?: string;
  /** The host of the component. */
  readonly host?: string;
}

/** Creates a writer of events for a controller. */
export function eventWriter(context: ServerContext, user: UserInfo, component: string): EventWriter {
  const client: InternalClient = context.clientFor(user);
  return {
    write: async (object, { type, reason, message, action, related, fieldPath, host }) => {
      const namespace = object.metadata.namespace ?? "default";
      const name = `${object.metadata.name ?? ""}.${context.newUid().replaceAll("-", "").slice(0, 16)}`;
      const event = {
        apiVersion: "v1",
        kind: "Event",
        metadata: { name, namespace },
        involvedObject: { ...referenceTo(object), ...(fieldPath === undefined ? {} : { fieldPath }) },
        reason,
        message,
        type,
        ...(related === undefined ? {} : { related: referenceTo(related) }),
        reportingComponent: component,
        ...(action === undefined
          ? countedFields(context, { component, ...(host === undefined ? {} : { host }) })
          : { ...timedFields(context, component), action }),
      };
      await client.create({ ...EVENTS, namespace, name: "" }, event as never).catch(() => undefined);
    },
  };
}

function referenceTo({ apiVersion, kind, metadata }: KubernetesObject): object {
  const { namespace, name, uid, resourceVersion } = metadata;
  const reference = { apiVersion, kind, namespace, name, uid, resourceVersion };
  return Object.fromEntries(Object.entries(reference).filter(([, value]) => value !== undefined));
}

// The fields of events that are written through the core API.
function countedFields(
  { clock }: ServerContext,
  source: { readonly component: string; readonly host?: string },
): object {
  const time = toTime(clock.now());
  return {
    source,
    reportingInstance: source.host ?? "",
    eventTime: null,
    count: 1,
    firstTimestamp: time,
    lastTimestamp: time,
  };
}

// The fields of events that are written through `events.k8s.io`.
function timedFields({ clock }: ServerContext, component: string): object {
  const eventTime = `${new Date(clock.now()).toISOString().slice(0, -1)}000Z`;
  return {
    source: {},
    reportingInstance: `${component}-embedded`,
    eventTime,
    firstTimestamp: null,
    lastTimestamp: null,
  };
}
