import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when an item of a queue contains a value that cannot be compared by its fields: a `Date`, `Map`, `Set`, function, symbol, or object of a class.
 *
 * Fix: Use plain data for requests, such as the text of a date, or set `keyOf`.
 */
export class UnsupportedItemError extends ScaffoldError {
  readonly code = "CONTROLLER_ITEM_UNSUPPORTED";

  constructor(type: string, path: string) {
    super(`cannot compare items of the queue: ${path === "" ? "the item" : path} is ${type}`, {
      hint: "use plain objects, lists, strings, numbers, and booleans as items, or set keyOf to a function that returns a unique key",
    });
  }
}
