import type { InternalClient, ServerContext, UserInfo } from "@kubescaffold/apiserver/cluster-api";
import { isNotFound, toMicroTime, toTime } from "@kubescaffold/k8s";
import type { ObjectReference } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import { correlatorOf, type CountedEvent } from "./event-correlator.ts";
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

/** Creates a writer of events for a controller. Equal events are counted, and similar ones combined. */
export function eventWriter(context: ServerContext, user: UserInfo, component: string): EventWriter {
  const client: InternalClient = context.clientFor(user);
  return {
    write: async (object, { type, reason, message, action, related, fieldPath, host }) => {
      const namespace = object.metadata.namespace ?? "default";
      const name = `${object.metadata.name ?? ""}.${context.identities
        .newUid(`event ${namespace}/${object.metadata.name ?? ""} ${reason}`)
        .replaceAll("-", "")
        .slice(0, 16)}`;
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
      };
      const source = { component, ...(host === undefined ? {} : { host }) };
      const written =
        action === undefined
          ? writeCounted(context, client, { ...event, source, reportingInstance: host ?? "" })
          : create(client, namespace, { ...event, ...timedFields(context, component), action });
      await written.catch(() => undefined);
    },
  };
}

interface CoreEvent extends Omit<CountedEvent, "name"> {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly reportingComponent: string;
  readonly reportingInstance: string;
}

async function create(client: InternalClient, namespace: string, event: object): Promise<void> {
  await client.create({ ...EVENTS, namespace, name: "" }, event as never);
}

// Events that are written through the core API.
async function writeCounted(context: ServerContext, client: InternalClient, event: CoreEvent): Promise<void> {
  const correlator = correlatorOf(context);
  const correlated = correlator.correlate({ ...event, name: event.metadata.name });
  if (correlated === undefined) return;
  const { name, message, count, firstTimestamp, isCombined } = correlated;
  const lastTimestamp = toTime(context.clock.now());
  const { namespace } = event.metadata;
  await correlator.write(correlated, async () => {
    if (count > 1) {
      const patch = { contentType: STRATEGIC, body: { count, lastTimestamp, message } };
      const isPatched = await client.patch({ ...EVENTS, namespace, name }, patch).then(
        () => true,
        (error: unknown) => !isNotFound(error),
      );
      if (isPatched) return;
    }
    await create(client, namespace, {
      ...event,
      ...(isCombined ? NO_REPORTER : {}),
      metadata: { name, namespace },
      message,
      eventTime: null,
      count,
      firstTimestamp,
      lastTimestamp,
    });
  });
}

const STRATEGIC = "application/strategic-merge-patch+json";
// Events that client-go combines lack it.
const NO_REPORTER = { reportingComponent: "", reportingInstance: "" } as const;

function referenceTo({ apiVersion, kind, metadata }: KubernetesObject): ObjectReference {
  const { namespace, name, uid, resourceVersion } = metadata;
  const reference = { apiVersion, kind, namespace, name, uid, resourceVersion };
  return Object.fromEntries(Object.entries(reference).filter(([, value]) => value !== undefined));
}

// The fields of events that are written through `events.k8s.io`.
function timedFields({ clock }: ServerContext, component: string): object {
  const eventTime = toMicroTime(clock.now());
  return {
    source: {},
    reportingInstance: `${component}-embedded`,
    eventTime,
    firstTimestamp: null,
    lastTimestamp: null,
  };
}
