import type { JsonObject } from "@kubescaffold/schema/values";

/** An operation of a path, and its parameters, of which some may become those of the path. */
export interface PathOperation {
  /** The HTTP method. */
  readonly method: string;
  readonly parameters: readonly JsonObject[];
  /** The operation without its parameters. */
  readonly operation: JsonObject;
}

/** Returns a path with its operations: parameters that all of them have are stated once, for the path. */
export function pathItem(operations: readonly PathOperation[]): JsonObject {
  const [first, ...others] = operations.map(({ parameters }) => new Map(parameters.map((each) => [keyOf(each), each])));
  const shared = new Map([...(first ?? [])].filter(([key]) => others.every((each) => each.has(key))));
  return {
    ...withParameters([...shared.values()]),
    ...Object.fromEntries(
      operations.map(({ method, parameters, operation }) => [
        method,
        { ...operation, ...withParameters(parameters.filter((each) => !shared.has(keyOf(each)))) },
      ]),
    ),
  };
}

// Two parameters of a path may have the same name, one in its template and one in its query.
function keyOf({ name, in: place }: JsonObject): string {
  return JSON.stringify([name, place]);
}

function withParameters(parameters: readonly JsonObject[]): JsonObject {
  if (parameters.length === 0) return {};
  return { parameters: parameters.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) };
}
