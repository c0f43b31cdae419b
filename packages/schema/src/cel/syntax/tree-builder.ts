import type { CelNode, ComprehensionNode, MapEntry, MessageField } from "../expressions/expression-tree.ts";
import type { CelLiteral } from "../values/cel-value.ts";

/** Creates the nodes of one tree, and counts their ids. */
export class TreeBuilder {
  #lastId = 0;

  literal(offset: number, value: CelLiteral): CelNode {
    return { kind: "literal", id: this.#nextId(), offset, value };
  }

  ident(offset: number, name: string): CelNode {
    return { kind: "ident", id: this.#nextId(), offset, name };
  }

  select(offset: number, operand: CelNode, field: string): CelNode {
    return { kind: "select", id: this.#nextId(), offset, operand, field, isPresenceTest: false };
  }

  presenceTest(offset: number, operand: CelNode, field: string): CelNode {
    return { kind: "select", id: this.#nextId(), offset, operand, field, isPresenceTest: true };
  }

  call(offset: number, name: string, ...args: readonly CelNode[]): CelNode {
    return { kind: "call", id: this.#nextId(), offset, function: name, target: undefined, args };
  }

  memberCall(offset: number, name: string, target: CelNode, ...args: readonly CelNode[]): CelNode {
    return { kind: "call", id: this.#nextId(), offset, function: name, target, args };
  }

  list(offset: number, elements: readonly CelNode[], optionalIndices: ReadonlySet<number> = new Set()): CelNode {
    return { kind: "list", id: this.#nextId(), offset, elements, optionalIndices };
  }

  map(offset: number, entries: readonly MapEntry[]): CelNode {
    return { kind: "map", id: this.#nextId(), offset, entries };
  }

  message(offset: number, typeName: string, fields: readonly MessageField[]): CelNode {
    return { kind: "message", id: this.#nextId(), offset, typeName, fields };
  }

  comprehension(offset: number, parts: Omit<ComprehensionNode, "kind" | "id" | "offset">): CelNode {
    return { kind: "comprehension", id: this.#nextId(), offset, ...parts };
  }

  #nextId(): number {
    return ++this.#lastId;
  }
}
