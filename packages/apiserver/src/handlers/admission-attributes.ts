import type { GroupVersionKind } from "@kubescaffold/k8s";

import type { AdmissionAttributes, AdmissionOperation } from "../pipeline/admission-plugin.ts";
import type { JsonObject } from "../request/json.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { ResourceType } from "../resources/resource-type.ts";
import type { ApiObject } from "../storage/api-object.ts";

/** What differs between the writes that admission is asked about. */
export interface AdmissionRequest {
  readonly context: RequestContext;
  readonly type: ResourceType;
  readonly operation: AdmissionOperation;
  readonly name: string;
  readonly object?: ApiObject | undefined;
  readonly oldObject?: ApiObject | undefined;
  readonly isDryRun: boolean;
  readonly options: JsonObject;
  /** The kind of the object, where it is not the resource's. */
  readonly kind?: GroupVersionKind;
  readonly subresource?: string;
}

/** Puts together what admission plugins see of a write. */
export function admissionAttributes(input: AdmissionRequest): AdmissionAttributes {
  const { context, type, operation, object, oldObject, isDryRun, options } = input;
  const { group, version, resource } = type;
  return {
    operation,
    kind: input.kind ?? { group, version, kind: type.kind },
    resource: { group, version, resource },
    subresource: input.subresource ?? context.info.subresource,
    isNamespaced: type.isNamespaced,
    namespace: context.info.namespace,
    name: input.name,
    object,
    oldObject,
    user: context.user,
    isDryRun,
    options,
    warn: (text) => {
      context.warnings.push(text);
    },
    normalize: (changed) => {
      const strategy = type.strategy();
      return strategy.readmit?.(changed) ?? strategy.decode(changed, { unknownFields: [] });
    },
  };
}
