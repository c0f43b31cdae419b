import { parseFieldSelector, requiredFieldValue } from "@kubescaffold/k8s";

/** Returns the name that a field selector asks for with `metadata.name=x`, else the empty string; a selector that is wrong asks for none. */
export function fieldSelectorName(text: string | null): string {
  if (text === null || !text.includes("metadata.name")) {
    return "";
  }
  try {
    return requiredFieldValue(parseFieldSelector(text), "metadata.name") ?? "";
  } catch {
    // The handler answers what is wrong with it.
    return "";
  }
}
