import type { JSONValue } from "@kubescaffold/k8s";

import { setMember } from "./json-value.ts";

/** What {@link unfold} makes of a task: a value, or an object or list of what it makes of further tasks. */
export type Unfolded<T> =
  | { readonly kind: "value"; readonly value: JSONValue | undefined }
  | { readonly kind: "list"; readonly items: readonly T[] }
  | {
      readonly kind: "object";
      readonly members: readonly (readonly [name: string, task: T])[];
      /** Whether the object is left out if it has no members. */
      readonly isOptional: boolean;
    };

/** An object or list whose parts are being made. */
interface Node<T> {
  readonly made: Exclude<Unfolded<T>, { readonly kind: "value" }>;
  readonly parts: (Node<T> | { readonly value: JSONValue | undefined })[];
  value: JSONValue | undefined;
}

/**
 * Builds a JSON value from the top: `make` returns a value, or the members and items whose values it is called for later. Members that are undefined are left
 * out.
 *
 * Guarantees: any number of levels, without recursion.
 */
export function unfold<T>(root: T, make: (task: T) => Unfolded<T>): JSONValue | undefined {
  const nodes: Node<T>[] = [];
  const partOf = (task: T): Node<T>["parts"][number] => {
    const made = make(task);
    if (made.kind === "value") return made;
    const node: Node<T> = { made, parts: [], value: undefined };
    nodes.push(node);
    return node;
  };
  const whole = partOf(root);
  // Nodes come after those that they are in.
  for (const { made, parts } of nodes) {
    if (made.kind === "list") for (const item of made.items) parts.push(partOf(item));
    else for (const [, task] of made.members) parts.push(partOf(task));
  }
  for (const node of nodes.toReversed()) node.value = valueOf(node);
  return whole.value;
}

function valueOf<T>({ made, parts }: Node<T>): JSONValue | undefined {
  if (made.kind === "list") return parts.map(({ value }) => value ?? null);
  const object: { [name: string]: JSONValue } = {};
  let isEmpty = true;
  made.members.forEach(([name], index) => {
    const value = parts[index]?.value;
    if (value === undefined) return;
    setMember(object, name, value);
    isEmpty = false;
  });
  return isEmpty && made.isOptional ? undefined : object;
}
