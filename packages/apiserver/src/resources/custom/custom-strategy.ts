import type { FieldError } from "@kubescaffold/k8s";
import { applyDefaults, deepEqual, prune, validate, type JsonSchema } from "@kubescaffold/schema";

import type { ApiObject } from "../../storage/api-object.ts";
import { deepClone } from "../../storage/deep-clone.ts";
import { readText } from "../json-path.ts";
import type { Strategy, StrategyContext } from "../strategy.ts";
import { finalizerWarnings } from "../validate-object-meta.ts";
import { coerceEmbedded, coerceMetadata } from "./coerce-metadata.ts";
import type { ConvertObjects } from "./convert-objects.ts";
import type { CrdObject, CrdVersion } from "./crd-object.ts";
import { loadRuleEngine } from "./rule-engine.ts";
import { customObjectErrors } from "./rule-errors.ts";
import { scaleErrors } from "./scale-errors.ts";
import { createStoredForms, FREE_FORM } from "./stored-forms.ts";

/** Makes the strategy of one version of a custom resource; without a converter, its versions differ by name alone. */
export function createCustomStrategy(crd: CrdObject, version: CrdVersion, convert?: ConvertObjects): Strategy {
  const schema = version.schema?.openAPIV3Schema ?? FREE_FORM;
  const hasStatus = version.subresources?.status !== undefined;
  const scale = version.subresources?.scale;
  // What webhooks add beyond the schema counts as a change and is seen by later webhooks; only storage leaves it out.
  const unpruned = new WeakSet<ApiObject>();
  return {
    decode: (object, problems) => decode({ object, schema, unknownFields: problems.unknownFields }),
    readmit: (object) => {
      const completed = applyDefaults(schema, coerceMetadata(object, []) as never) as ApiObject;
      unpruned.add(completed);
      return completed;
    },
    ...(convert === undefined ? {} : { convert }),
    ...createStoredForms({
      crd,
      version,
      convert,
      prepared: (object) => (unpruned.has(object) ? prune(schema, object as never).value : object),
    }),
    prepareForCreate: (object, context) => {
      if (hasStatus) {
        delete object["status"];
      }
      finalizerWarnings(object.metadata.finalizers ?? []).forEach((text) => context.warn(text));
    },
    prepareForUpdate: (object, old, context) => prepareForUpdate({ object, old, context, hasStatus }),
    prepareChecks: () => loadRuleEngine([schema]),
    validate: (object, { warn }) =>
      customObjectErrors({
        schema,
        object,
        errors: [...validate(schema, object as never), ...scaleErrors(object, scale?.specReplicasPath)],
        warn,
      }),
    validateUpdate: (object, old, context) =>
      updateErrors({ schema, object, old, context, replicasPath: scale?.specReplicasPath }),
    nameRule: "subdomain",
    isNewGeneration: (object, old) => !deepEqual(desiredPart(object, hasStatus), desiredPart(old, hasStatus)),
    allowsCreateOnUpdate: false,
    allowsUnconditionalUpdate: false,
    defaultPropagation: "background",
    returnsDeletedObject: false,
    takesStrategicPatches: false,
    selectableFields: new Map(
      (version.selectableFields ?? []).map(({ jsonPath }) => [
        jsonPath.replace(/^\./, ""),
        (object) => readText(object, jsonPath),
      ]),
    ),
    hasOwnFieldSelectors: true,
    ...(scale === undefined
      ? {}
      : {
          scale: {
            specReplicas: scale.specReplicasPath,
            statusReplicas: scale.statusReplicasPath,
            ...(scale.labelSelectorPath === undefined ? {} : { labelSelector: scale.labelSelectorPath }),
          },
        }),
  };
}

function decode(input: {
  readonly object: ApiObject;
  readonly schema: JsonSchema;
  readonly unknownFields: string[];
}): ApiObject {
  const { schema, unknownFields } = input;
  const object = coerceMetadata(input.object, unknownFields);
  coerceEmbedded({ root: object, schema, value: object, path: "", unknownFields });
  const pruned = prune(schema, object as never);
  unknownFields.push(...pruned.unknownFields);
  unknownFields.sort();
  return applyDefaults(schema, pruned.value);
}

function prepareForUpdate(input: {
  readonly object: ApiObject;
  readonly old: ApiObject;
  readonly context: StrategyContext;
  readonly hasStatus: boolean;
}): void {
  const { object, old, context, hasStatus } = input;
  if (context.subresource === "status") {
    keepAllButStatus(object, old);
  } else if (hasStatus) {
    setOrDelete(object, "status", old["status"]);
  }
  const before = new Set(old.metadata.finalizers);
  const added = (object.metadata.finalizers ?? []).filter((finalizer) => !before.has(finalizer));
  finalizerWarnings(added).forEach((text) => context.warn(text));
}

function keepAllButStatus(object: ApiObject, old: ApiObject): void {
  const { status } = object;
  for (const key of Object.keys(object)) {
    delete object[key];
  }
  Object.assign(object, old, { metadata: deepClone(old.metadata) });
  setOrDelete(object, "status", status);
}

function setOrDelete(object: ApiObject, key: string, value: unknown): void {
  if (value === undefined) {
    delete object[key];
  } else {
    object[key] = value;
  }
}

// What a user asks for: all but the metadata, and the status where that is written apart.
function desiredPart(object: ApiObject, hasStatus: boolean): unknown {
  const { metadata: _metadata, apiVersion: _apiVersion, kind: _kind, status, ...fields } = object;
  return hasStatus ? fields : { ...fields, status };
}

// A status is validated by itself: sentences name fields from there, while their paths begin at the root.
function withinStatus(error: FieldError): FieldError {
  return error.detail.startsWith("status.") ? { ...error, detail: error.detail.slice("status.".length) } : error;
}

function updateErrors(input: {
  readonly schema: JsonSchema;
  readonly object: ApiObject;
  readonly old: ApiObject;
  readonly context: StrategyContext;
  readonly replicasPath: string | undefined;
}): readonly FieldError[] {
  const { schema, object, old, context } = input;
  const errors = validate(schema, object as never, { previous: old as never });
  const relevant =
    context.subresource === "status"
      ? errors.filter(({ field }) => /^status\b/.test(field)).map(withinStatus)
      : [...errors, ...scaleErrors(object, input.replicasPath)];
  return customObjectErrors({ schema, object, old, errors: relevant, warn: context.warn });
}
