import { type FieldError, invalidField, qualifiedNameErrors, requiredField } from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import type { ApiObject } from "../../../../storage/api-object.ts";
import { numberIn, objectIn, textIn } from "../../../fields.ts";
import { checkedText } from "../checks/field-checks.ts";

const LONGEST_TEXT = 128;
const LONGEST_NOTE = 1024;

/** Returns what is wrong with an Event in the form of the core group; the field of the controller has another name in each group. */
export function coreEventErrors(
  event: ApiObject,
  controllerField: "reportingComponent" | "reportingController",
): readonly FieldError[] {
  const involved = textIn(objectIn(event, "involvedObject"), "namespace");
  const { namespace = "" } = event.metadata;
  const field = "involvedObject.namespace";
  const hasTime = (event["eventTime"] ?? null) !== null;
  const isElsewhere =
    involved === ""
      ? namespace !== "default" && !(hasTime && namespace === "kube-system")
      : !hasTime && namespace !== involved;
  return [
    ...(isElsewhere ? [invalidField(field, involved, "does not match event.namespace")] : []),
    ...(hasTime ? textErrors(event, controllerField) : []),
  ];
}

function textErrors(event: ApiObject, controllerField: string): readonly FieldError[] {
  const controller = textIn(event, "reportingComponent");
  const note = textIn(event, "message");
  return [
    ...(controller === "" ? [requiredField(controllerField)] : []),
    ...checkedText(controllerField, controller, qualifiedNameErrors),
    ...["reportingInstance", "action", "reason"].flatMap((name) => {
      const text = textIn(event, name);
      return [
        ...(text === "" ? [requiredField(name)] : []),
        ...(Buffer.byteLength(text) > LONGEST_TEXT
          ? [invalidField(name, "", `can have at most ${LONGEST_TEXT} characters`)]
          : []),
      ];
    }),
    ...(Buffer.byteLength(note) > LONGEST_NOTE
      ? [invalidField("message", "", `can have at most ${LONGEST_NOTE} characters`)]
      : []),
  ];
}

/** Returns what is wrong with an Event of `events.k8s.io`, in the form of the core group. */
export function eventErrors(event: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const common = coreEventErrors(event, "reportingController");
  return old === undefined
    ? [...common, ...seriesErrors(event), ...creationErrors(event)]
    : [...common, ...changeErrors(event, old)];
}

function seriesErrors(event: ApiObject): readonly FieldError[] {
  const series = objectIn(event, "series");
  if (series === undefined) return [];
  return [
    ...((numberIn(series, "count") ?? 0) < 2 ? [invalidField("series.count", "", "should be at least 2")] : []),
    ...((series["lastObservedTime"] ?? null) === null ? [requiredField("series.lastObservedTime")] : []),
  ];
}

function creationErrors(event: ApiObject): readonly FieldError[] {
  const type = textIn(event, "type");
  const source = objectIn(event, "source");
  const given = [
    ...["firstTimestamp", "lastTimestamp"].filter((name) => (event[name] ?? null) !== null),
    ...((numberIn(event, "count") ?? 0) === 0 ? [] : ["count"]),
    ...(textIn(source, "component") === "" && textIn(source, "host") === "" ? [] : ["source"]),
  ];
  return [
    ...((event["eventTime"] ?? null) === null ? [requiredField("eventTime")] : []),
    ...(type === "Normal" || type === "Warning" ? [] : [invalidField("type", "", `has invalid value: ${type}`)]),
    ...given.map((name) => invalidField(name, "", "needs to be unset")),
  ];
}

// Upstream checks the reason twice.
const IMMUTABLE = [
  "involvedObject",
  "reason",
  "message",
  "source",
  "firstTimestamp",
  "lastTimestamp",
  "count",
  "reason",
  "type",
  "eventTime",
  "action",
  "related",
] as const;

const TEXTS: ReadonlySet<string> = new Set([
  "reason",
  "message",
  "type",
  "action",
  "reportingComponent",
  "reportingInstance",
]);

function changeErrors(event: ApiObject, old: ApiObject): readonly FieldError[] {
  const isSame = (name: string): boolean => deepEqual(event[name] ?? null, old[name] ?? null);
  const changed = (name: string, field: string): readonly FieldError[] =>
    isSame(name) ? [] : [invalidField(field, event[name] ?? (TEXTS.has(name) ? "" : null), "field is immutable")];
  return [
    ...(isSame("series") ? [] : seriesErrors(event)),
    ...IMMUTABLE.flatMap((name) => changed(name, name)),
    ...changed("reportingComponent", "reportingController"),
    ...changed("reportingInstance", "reportingInstance"),
  ];
}
