/** Says whether a keyword has a value that is not the empty one of its Go type. */
export function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") {
    return false;
  }
  return typeof value !== "object" || Object.keys(value).length > 0;
}
