import { isRecord } from "@kubescaffold/platform";

/** Returns a label selector as errors print it: with the fields of Go's struct in their order, without empty ones. */
export function printedSelector(selector: unknown): unknown {
  if (!isRecord(selector)) return selector ?? null;
  const fields = (["matchLabels", "matchExpressions"] as const).map((name) => [name, selector[name]] as const);
  return new Map(fields.filter(([, value]) => value !== undefined && value !== null && Object.keys(value).length > 0));
}
