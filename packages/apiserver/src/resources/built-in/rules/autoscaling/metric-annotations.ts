import { canonicalQuantity, goJson, isQuantity, parseJson } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";

import { since } from "../../../../release/rule-release.ts";
import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, setAbsent, textIn } from "../../../fields.ts";

type FieldKind = "text" | "integer" | "quantity" | "zero-quantity" | "reference" | "selector";

/** A field of `v1` alpha metrics: its name, the path of the same field in `v2`, and its type. */
type MetricField = readonly [name: string, path: string, kind: FieldKind];
/** The fields of each source of metrics, in the order of Go's structs. */
type MetricTable = Readonly<Record<string, readonly MetricField[]>>;

/** The fields of metrics that autoscalers scale by. */
export const METRIC_TARGETS: MetricTable = {
  object: [
    ["target", "describedObject", "reference"],
    ["metricName", "metric.name", "text"],
    ["targetValue", "target.value", "zero-quantity"],
    ["selector", "metric.selector", "selector"],
    ["averageValue", "target.averageValue", "quantity"],
  ],
  pods: [
    ["metricName", "metric.name", "text"],
    ["targetAverageValue", "target.averageValue", "zero-quantity"],
    ["selector", "metric.selector", "selector"],
  ],
  resource: [
    ["name", "name", "text"],
    ["targetAverageUtilization", "target.averageUtilization", "integer"],
    ["targetAverageValue", "target.averageValue", "quantity"],
  ],
  containerResource: [
    ["name", "name", "text"],
    ["targetAverageUtilization", "target.averageUtilization", "integer"],
    ["targetAverageValue", "target.averageValue", "quantity"],
    ["container", "container", "text"],
  ],
  external: [
    ["metricName", "metric.name", "text"],
    ["metricSelector", "metric.selector", "selector"],
    ["targetValue", "target.value", "quantity"],
    ["targetAverageValue", "target.averageValue", "quantity"],
  ],
};

/** The fields of the current values of metrics. */
export const METRIC_VALUES: MetricTable = {
  object: [
    ["target", "describedObject", "reference"],
    ["metricName", "metric.name", "text"],
    ["currentValue", "current.value", "zero-quantity"],
    ["selector", "metric.selector", "selector"],
    ["averageValue", "current.averageValue", "quantity"],
  ],
  pods: [
    ["metricName", "metric.name", "text"],
    ["currentAverageValue", "current.averageValue", "zero-quantity"],
    ["selector", "metric.selector", "selector"],
  ],
  resource: [
    ["name", "name", "text"],
    ["currentAverageUtilization", "current.averageUtilization", "integer"],
    ["currentAverageValue", "current.averageValue", "zero-quantity"],
  ],
  containerResource: [
    ["name", "name", "text"],
    ["currentAverageUtilization", "current.averageUtilization", "integer"],
    ["currentAverageValue", "current.averageValue", "zero-quantity"],
    ["container", "container", "text"],
  ],
  external: [
    ["metricName", "metric.name", "text"],
    ["metricSelector", "metric.selector", "selector"],
    ["currentValue", "current.value", "zero-quantity"],
    ["currentAverageValue", "current.averageValue", "quantity"],
  ],
};

/** Prints metrics of `v2` as the annotations of `v1` have them. */
export function printMetrics(metrics: readonly MutableJsonObject[], table: MetricTable): string {
  return goJson(
    metrics.map((metric) => {
      const sources = Object.keys(table).filter((name) => objectIn(metric, name) !== undefined);
      return new Map<string, unknown>([
        ["type", textIn(metric, "type")],
        ...sources.map((name) => [name, printedSource(objectIn(metric, name) ?? {}, table[name] ?? [])] as const),
      ]);
    }),
  );
}

function printedSource(source: MutableJsonObject, fields: readonly MetricField[]): ReadonlyMap<string, unknown> {
  return new Map(
    fields.flatMap(([name, path, kind]) => {
      const value = printedValue(valueAt(source, path), kind);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

function valueAt(source: MutableJsonObject, path: string): unknown {
  const [first = "", last] = path.split(".");
  return last === undefined ? source[first] : objectIn(source, first)?.[last];
}

function printedValue(value: unknown, kind: FieldKind): unknown {
  switch (kind) {
    case "text":
      return value ?? "";
    case "zero-quantity":
      return value ?? "0";
    case "reference":
      return orderedFields(value, ["kind", "name", "apiVersion"]);
    case "selector":
      return value === undefined ? undefined : printedSelector(value);
    case "integer":
    case "quantity":
      return value;
  }
}

function printedSelector(selector: unknown): unknown {
  const { matchLabels, matchExpressions } = selector as {
    readonly matchLabels?: MutableJsonObject;
    readonly matchExpressions?: readonly unknown[];
  };
  const expressions = matchExpressions?.map((each) => orderedFields(each, ["key", "operator", "values"]));
  return orderedFields({ matchLabels, matchExpressions: expressions }, ["matchLabels", "matchExpressions"]);
}

function orderedFields(value: unknown, names: readonly string[]): ReadonlyMap<string, unknown> {
  const fields = isRecord(value) ? value : {};
  return new Map(names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]));
}

/** Reads an annotation with metrics of `v1` as metrics of `v2`; undefined for a text that Go cannot read. */
export function readMetrics(text: string, table: MetricTable): readonly MutableJsonObject[] | undefined {
  const metrics = readList(text);
  try {
    return metrics?.map((metric) => {
      const sources = Object.keys(table).filter((name) => metric[name] !== undefined && metric[name] !== null);
      return {
        type: readValue(metric["type"], "text"),
        ...Object.fromEntries(sources.map((name) => [name, readSource(metric[name], table, name)])),
      };
    });
  } catch (error) {
    if (error instanceof UnreadableFieldError) return undefined;
    throw error;
  }
}

/** Reads an annotation with a list of objects; undefined for any other text. */
export function readList(text: string): readonly MutableJsonObject[] | undefined {
  try {
    const value = parseJson(text);
    if (value === null) return [];
    return Array.isArray(value) && value.every((item) => isRecord(item)) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A field of an annotation has a value of another type. */
class UnreadableFieldError extends Error {}

function readSource(source: unknown, table: MetricTable, name: string): MutableJsonObject {
  if (!isRecord(source)) throw new UnreadableFieldError();
  const result: MutableJsonObject = {};
  for (const [field, path, kind] of table[name] ?? []) {
    const value = readValue(source[field], kind);
    const [first = "", last] = path.split(".");
    if (last !== undefined) result[first] ??= {};
    if (value !== undefined)
      setAbsent(last === undefined ? result : objectIn(result, first), { [last ?? first]: value });
  }
  const target = objectIn(result, "target");
  if (target !== undefined) result["target"] = { type: targetType(name, target), ...withoutZero(target) };
  return result;
}

// `v1` always states the total of an object's metric: 0 is not valid beside an average.
function withoutZero(target: MutableJsonObject): MutableJsonObject {
  const { value, ...others } = target;
  return value === "0" && target["averageValue"] !== undefined && since("1.36") ? others : target;
}

function targetType(source: string, { value, averageValue, averageUtilization }: MutableJsonObject): string {
  const isTotal = source === "object" ? averageValue === undefined : value !== undefined;
  return averageUtilization === undefined ? (isTotal ? "Value" : "AverageValue") : "Utilization";
}

function readValue(value: unknown, kind: FieldKind): unknown {
  switch (kind) {
    case "text":
      if (value === undefined || value === null) return "";
      if (typeof value === "string") return value;
      break;
    case "integer":
      if (value === undefined || value === null) return undefined;
      if (typeof value === "number" && Number.isInteger(value)) return value;
      break;
    case "zero-quantity":
      return readValue(value ?? "0", "quantity");
    case "quantity":
      if (value === undefined || value === null) return undefined;
      if ((typeof value === "string" || typeof value === "number") && isQuantity(String(value)))
        return canonicalQuantity(String(value));
      break;
    case "reference":
      return readReference(value);
    case "selector":
      if (value === undefined || value === null) return undefined;
      if (isRecord(value)) return value;
      break;
  }
  throw new UnreadableFieldError();
}

function readReference(value: unknown): MutableJsonObject {
  const reference = value ?? {};
  if (!isRecord(reference)) throw new UnreadableFieldError();
  const [kind, name, apiVersion] = ["kind", "name", "apiVersion"].map((field) => readValue(reference[field], "text"));
  return { kind, name, ...(apiVersion === "" ? {} : { apiVersion }) };
}
