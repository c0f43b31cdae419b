import type { ObjectReference } from "@kubescaffold/k8s/core/v1";

const PREFIXES = { "events.k8s.io/v1": "regarding", v1: "involvedObject" } as const;

/**
 * Returns the field selector of the events about an object, for `fields` of a list; absent fields match all objects.
 *
 * `eventsApiVersion` is that of the listed events, whose field has another name in the core group. Default: `events.k8s.io/v1`.
 *
 * client-go: tools/events.GetFieldSelector
 *
 * @example
 * const events = await client.list(Event, { namespace, fields: eventFields({ kind: "Pod", name: "web-0" }) });
 */
export function eventFields(
  regarding: Pick<ObjectReference, "apiVersion" | "kind" | "name" | "uid">,
  eventsApiVersion: keyof typeof PREFIXES = "events.k8s.io/v1",
): Readonly<Record<string, string>> {
  const { apiVersion, kind, name, uid } = regarding;
  const prefix = PREFIXES[eventsApiVersion];
  return Object.fromEntries(
    Object.entries({ name, kind, apiVersion, uid }).flatMap(([field, value]) =>
      value === undefined || value === "" ? [] : [[`${prefix}.${field}`, value]],
    ),
  );
}
