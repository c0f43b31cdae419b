/**
 * Returns a value that is the same for equal items: the item itself where it is a string or number, else a text of its fields.
 *
 * Two requests with the same fields are one item of a queue, whichever objects they are and in whatever order their fields stand.
 */
export function itemKey(item: unknown): unknown {
  if (typeof item !== "object" || item === null) {
    return item;
  }
  // Nearly all items are requests, and every step of a queue asks for the key.
  for (const field in item) {
    if (field !== "namespace" && field !== "name") {
      return canonicalText(item);
    }
  }
  const { namespace, name } = item as { readonly namespace?: unknown; readonly name?: unknown };
  return typeof namespace === "string" && typeof name === "string" ? `\u0000${namespace}/${name}` : canonicalText(item);
}

function canonicalText(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map((element) => canonicalText(element)).join(",")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .toSorted(([left], [right]) => (left < right ? -1 : 1));
    return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalText(field)}`).join(",")}}`;
  }
  return typeof value === "bigint" ? `${value}n` : (JSON.stringify(value) ?? "null");
}
