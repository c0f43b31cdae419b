/**
 * The way from a variable to a part of it: member names, `@items`, `@keys`, `@values`, `@indices`.
 *
 * It grows as a Go slice does: two paths that continue the same one may share their cells, and the later one overwrites the
 * earlier. Upstream estimates sizes after that has happened, and the budget of a rule depends on it.
 */
export interface NodePath {
  readonly cells: string[];
  readonly length: number;
  readonly capacity: number;
}

/** The path of what has none. */
export const NO_PATH: NodePath = { cells: [], length: 0, capacity: 0 };

/** Returns the path of a variable. */
export function pathOfVariable(name: string): NodePath {
  return { cells: [name], length: 1, capacity: 1 };
}

/** Returns the path one step further on. */
export function appendToPath(path: NodePath, step: string): NodePath {
  const length = path.length + 1;
  if (length <= path.capacity) {
    path.cells[path.length] = step;
    return { cells: path.cells, length, capacity: path.capacity };
  }
  return { cells: [...stepsOf(path), step], length, capacity: Math.max(1, path.capacity * 2) };
}

/** Returns the steps of a path as they are by now. */
export function stepsOf(path: NodePath): readonly string[] {
  return path.cells.slice(0, path.length);
}
