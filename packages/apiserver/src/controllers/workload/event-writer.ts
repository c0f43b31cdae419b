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
}

/** Creates a writer of events for a controller. */
export function eventWriter(context: ServerContext, user: UserInfo, component: string): EventWriter {
  const client: InternalClient = context.clientFor(user);
  return {
    write: async (object, { type, reason, message }) => {
      const namespace = object.metadata.namespace ?? "default";
      const time = toTime(context.clock.now());
      const name = `${object.metadata.name ?? ""}.${context.newUid().replaceAll("-", "").slice(0, 16)}`;
      const involvedObject = {
        apiVersion: object.apiVersion,
        kind: object.kind,
        namespace,
        name: object.metadata.name,
        uid: object.metadata.uid,
        resourceVersion: object.metadata.resourceVersion,
      };
      const event = {
        apiVersion: "v1",
        kind: "Event",
        metadata: { name, namespace },
        involvedObject,
        reason,
        message,
        type,
        source: { component },
        reportingComponent: component,
        reportingInstance: "",
        count: 1,
        firstTimestamp: time,
        lastTimestamp: time,
      };
      await client.create({ ...EVENTS, namespace, name: "" }, event as never).catch(() => undefined);
    },
  };
}
