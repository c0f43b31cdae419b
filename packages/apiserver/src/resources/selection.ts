import {
  fieldMatcher,
  labelMatcher,
  parseFieldSelector,
  parseLabelSelector,
  requiredFieldValue,
  SelectorError,
  formatLabelSelector,
  labelRequirements,
} from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";

import { badRequest } from "../request/failures.ts";
import type { ApiObject } from "../storage/api-object.ts";
import type { Strategy } from "./strategy.ts";

/** Which objects of a collection a request wants. */
export interface Selection {
  /** Whether there is any condition. */
  readonly isEverything: boolean;
  /** The only name that can match, if the field selector asks for one. */
  readonly name: string | undefined;
  readonly matches: (object: ApiObject) => boolean;
}

/** A type whose objects can be selected. */
interface SelectableType {
  readonly isNamespaced: boolean;
  strategy(): Pick<Strategy, "selectableFields" | "hasOwnFieldSelectors">;
}

/** Reads label and field selector of a query; fails with 400 when one of them cannot be read or names a field that is not supported. */
export function parseSelection(query: URLSearchParams, type: SelectableType): Selection {
  const labels = asBadRequest(() => parseLabelSelector(query.get("labelSelector") ?? ""));
  const fields = asBadRequest(() => parseFieldSelector(query.get("fieldSelector") ?? ""));
  const readers = new Map(fields.map(({ field }) => [field, fieldReader(field, type)]));
  const [hasLabels, hasFields] = [labelMatcher(labels), fieldMatcher(fields)];
  return {
    isEverything: labels.length === 0 && fields.length === 0,
    name: requiredFieldValue(fields, "metadata.name"),
    matches: (object) => hasLabels(object.metadata.labels) && hasFields((field) => readers.get(field)?.(object)),
  };
}

function asBadRequest<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof SelectorError ? badRequest(error.message) : error;
  }
}

function fieldReader(field: string, type: SelectableType): (object: ApiObject) => string {
  if (field === "metadata.name") {
    return ({ metadata }) => metadata.name ?? "";
  }
  if (field === "metadata.namespace" && type.isNamespaced) {
    return ({ metadata }) => metadata.namespace ?? "";
  }
  const strategy = type.strategy();
  const read = strategy.selectableFields.get(field);
  if (read === undefined) {
    throw badRequest(
      strategy.hasOwnFieldSelectors
        ? `field label not supported: ${field}`
        : `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`,
    );
  }
  return read;
}

/** Prints a label selector object, or a map of labels, as the text of a query. */
export function selectorText(selector: unknown): string {
  if (!isRecord(selector)) {
    return "";
  }
  const isSelector = "matchLabels" in selector || "matchExpressions" in selector;
  const matchLabels = selector as Record<string, string>;
  return formatLabelSelector(labelRequirements(isSelector ? selector : { matchLabels }));
}
