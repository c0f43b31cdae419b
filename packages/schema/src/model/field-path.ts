/** The path of a field as upstream prints it; undefined is the whole object. */
export type FieldPath = string | undefined;

/** Appends a member's name. */
export function childPath(path: FieldPath, name: string): string {
  return path === undefined ? name : `${path}.${name}`;
}

/** Appends a map key or a list index in brackets. */
export function keyPath(path: FieldPath, key: string | number): string {
  return `${path ?? ""}[${String(key)}]`;
}

/** Prints a path for an error: the whole object is `<nil>`. */
export function fieldName(path: FieldPath): string {
  return path ?? "<nil>";
}
