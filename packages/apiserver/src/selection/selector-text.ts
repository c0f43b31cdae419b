import { isJsonObject } from "../request/json.ts";

interface Expression {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** Prints a label selector object, or a map of labels, as the text of a query. */
export function selectorText(selector: unknown): string {
  if (!isJsonObject(selector)) {
    return "";
  }
  const isSelector = "matchLabels" in selector || "matchExpressions" in selector;
  const labels = isSelector ? selector["matchLabels"] : selector;
  const expressions = isSelector ? selector["matchExpressions"] : [];
  const terms = Object.entries(isJsonObject(labels) ? labels : {}).map(([key, value]) => `${key}=${String(value)}`);
  const others = (Array.isArray(expressions) ? (expressions as readonly Expression[]) : []).map(expressionText);
  return [...terms, ...others].sort().join(",");
}

function expressionText({ key, operator, values = [] }: Expression): string {
  switch (operator) {
    case "In":
      return `${key} in (${[...values].sort().join(",")})`;
    case "NotIn":
      return `${key} notin (${[...values].sort().join(",")})`;
    case "DoesNotExist":
      return `!${key}`;
    default:
      return key;
  }
}
