import { type FieldError, invalidField } from "@kubescaffold/k8s";

import type { ApiObject } from "../../../storage/api-object.ts";
import { numberIn, objectIn, textIn } from "../../fields.ts";
import type { BuiltInRules } from "./built-in-rules.ts";

/** Rules of Leases beyond their schema. */
export const leaseRules: BuiltInRules = {
  allowsCreateOnUpdate: true,
  allowsUnconditionalUpdate: false,
  setDefaults: (lease) => {
    // Their feature gate is off by default.
    const spec = objectIn(lease, "spec");
    delete spec?.["strategy"];
    delete spec?.["preferredHolder"];
  },
  checksEveryField: true,
  validate: (lease) => leaseErrors(lease),
};

function leaseErrors(lease: ApiObject): readonly FieldError[] {
  const spec = objectIn(lease, "spec");
  const duration = numberIn(spec, "leaseDurationSeconds");
  const transitions = numberIn(spec, "leaseTransitions");
  return [
    ...(duration !== undefined && duration <= 0
      ? [invalidField("spec.leaseDurationSeconds", duration, "must be greater than 0")]
      : []),
    ...(transitions !== undefined && transitions < 0
      ? [invalidField("spec.leaseTransitions", transitions, "must be greater than or equal to 0")]
      : []),
  ];
}

const eventFields = {
  reason: (event: ApiObject) => textIn(event, "reason"),
  type: (event: ApiObject) => textIn(event, "type"),
};

function referenceFields(prefix: string): Readonly<Record<string, (event: ApiObject) => string>> {
  const names = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];
  return Object.fromEntries(
    names.map((name) => [`${prefix}.${name}`, (event: ApiObject) => textIn(objectIn(event, prefix), name)]),
  );
}

/** Rules of Events of the core group beyond their schema. */
export const coreEventRules: BuiltInRules = {
  nameRule: "path-segment",
  takesPlainFinalizers: "always",
  allowsCreateOnUpdate: true,
  defaultPropagation: "unsupported",
  selectableFields: {
    ...eventFields,
    ...referenceFields("involvedObject"),
    reportingComponent: (event) => textIn(event, "reportingComponent"),
    source: (event) => textIn(objectIn(event, "source"), "component") || textIn(event, "reportingComponent"),
  },
  complete: (event) => {
    event["eventTime"] ??= null;
    event["firstTimestamp"] ??= null;
    event["lastTimestamp"] ??= null;
    completeSeries(event);
  },
  checksEveryField: true,
  loadChecks: async () => {
    const { coreEventErrors } = await import("./core/event-errors.ts");
    return { validate: (event) => coreEventErrors(event, "reportingComponent") };
  },
};

/** Rules of Events of `events.k8s.io` beyond their schema; they are stored as those of the core group. */
export const eventRules: BuiltInRules = {
  allowsCreateOnUpdate: true,
  defaultPropagation: "unsupported",
  selectableFields: {
    ...eventFields,
    ...referenceFields("regarding"),
    reportingController: (event) => textIn(event, "reportingController"),
  },
  complete: (event) => {
    event["deprecatedFirstTimestamp"] ??= null;
    event["deprecatedLastTimestamp"] ??= null;
    completeSeries(event);
  },
  checksEveryField: true,
  loadChecks: async () => {
    const { eventErrors } = await import("./core/event-errors.ts");
    const inCore = (event: ApiObject): ApiObject => renamed(event, { names: CORE_NAMES, apiVersion: "v1" });
    return { validate: (event, _context, old) => eventErrors(inCore(event), old && inCore(old)) };
  },
  toStored: (event) => renamed(event, { names: CORE_NAMES, apiVersion: "v1" }),
  fromStored: (stored) => renamed(stored, { names: NEW_NAMES, apiVersion: "events.k8s.io/v1" }),
};

function completeSeries(event: ApiObject): void {
  const series = objectIn(event, "series");
  if (series !== undefined) series["lastObservedTime"] ??= null;
}

const CORE_NAMES: Readonly<Record<string, string>> = {
  regarding: "involvedObject",
  note: "message",
  reportingController: "reportingComponent",
  deprecatedSource: "source",
  deprecatedFirstTimestamp: "firstTimestamp",
  deprecatedLastTimestamp: "lastTimestamp",
  deprecatedCount: "count",
};
const NEW_NAMES = Object.fromEntries(Object.entries(CORE_NAMES).map(([name, core]) => [core, name]));

const views = new WeakMap<ApiObject, ApiObject>();

// A stored event has one view, so that its JSON is made once.
function renamed(
  event: ApiObject,
  { names, apiVersion }: { readonly names: Readonly<Record<string, string>>; readonly apiVersion: string },
): ApiObject {
  let view = views.get(event);
  if (view === undefined) {
    const { kind, metadata, ...rest } = event;
    const fields = Object.entries({ ...rest, apiVersion }).map(([name, value]) => [names[name] ?? name, value]);
    view = { kind, apiVersion, metadata: { ...metadata }, ...Object.fromEntries(fields) } as ApiObject;
    if (Object.isFrozen(event)) {
      views.set(event, view);
    }
  }
  return view;
}
