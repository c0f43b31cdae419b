import { EVENT_ID, type Event } from "js-yaml";

/** The deepest nesting of collections that is read. The parser calls itself for each level, and a few thousand calls fit on the stack. */
export const DEEPEST_YAML = 1000;

/** A node that a document may not contain. */
export interface RefusedNode {
  /** The index of the node in the text. */
  readonly offset: number;
  readonly reason: string;
}

/**
 * Finds the first node of a text that is nested too deeply, or that is an alias and stands for too much: nodes as go-yaml counts them, or memory.
 *
 * Sizes are summed from the parser's events, so that nothing is expanded before the check.
 */
export function findRefusedNode(
  events: readonly Event[],
  text: string,
  limits: { readonly deepest: number },
): RefusedNode | undefined {
  const budget = { added: 0 };
  let counter = new DocumentCounter(limits.deepest, budget);
  for (const event of events) {
    switch (event.type) {
      case EVENT_ID.DOCUMENT:
        counter = new DocumentCounter(limits.deepest, budget);
        break;
      case EVENT_ID.SCALAR:
        counter.scalar(event.valueEnd - event.valueStart, anchorOf(event, text));
        break;
      case EVENT_ID.SEQUENCE:
      case EVENT_ID.MAPPING: {
        const reason = counter.open(anchorOf(event, text));
        if (reason !== undefined) return { offset: event.start, reason };
        break;
      }
      case EVENT_ID.POP:
        counter.close();
        break;
      case EVENT_ID.ALIAS: {
        const reason = counter.alias(text.slice(event.anchorStart, event.anchorEnd));
        if (reason !== undefined) return { offset: event.anchorStart, reason };
      }
    }
  }
  return undefined;
}

// Bytes that the aliases of all documents of a text may add; upstream has no such limit, and no manifest comes near it.
const MOST_ADDED = 16 * 1024 * 1024;
// A node takes up memory beside its text.
const NODE_BYTES = 32;

/** What a node stands for, with all aliases in it replaced. */
interface Size {
  nodes: number;
  bytes: number;
  /** The levels of collections, 0 for a scalar. */
  height: number;
  /** Whether the end of the node is yet to come. */
  isOpen: boolean;
}

/** Adds up the sizes of the nodes of one document. */
class DocumentCounter {
  readonly #deepest: number;
  readonly #anchors = new Map<string, Size>();
  readonly #open: Size[] = [];
  readonly #budget: { added: number };
  #nodes = 0;
  #addedNodes = 0;

  constructor(deepest: number, budget: { added: number }) {
    this.#deepest = deepest;
    this.#budget = budget;
  }

  scalar(characters: number, anchor: string | undefined): void {
    this.#nodes += 1;
    const size: Size = { nodes: 1, bytes: characters + NODE_BYTES, height: 0, isOpen: false };
    if (anchor !== undefined) this.#anchors.set(anchor, size);
    this.#addToParent(size);
  }

  /** Returns why a collection is refused. */
  open(anchor: string | undefined): string | undefined {
    this.#nodes += 1;
    const size: Size = { nodes: 1, bytes: NODE_BYTES, height: 1, isOpen: true };
    if (anchor !== undefined) this.#anchors.set(anchor, size);
    this.#open.push(size);
    return this.#depthProblem(0);
  }

  close(): void {
    const size = this.#open.pop();
    // The end of a document closes nothing.
    if (size === undefined) return;
    size.isOpen = false;
    this.#addToParent(size);
  }

  /** Returns why an alias is refused. */
  alias(name: string): string | undefined {
    const target = this.#anchors.get(name);
    // The parser has its own message.
    if (target === undefined) return undefined;
    if (target.isOpen) return `anchor '${name}' value contains itself`;
    this.#nodes += 1 + target.nodes;
    this.#addedNodes += target.nodes;
    this.#budget.added += target.bytes;
    this.#addToParent({ ...target, nodes: target.nodes + 1 });
    const isTooMuch = isExcessive(this.#addedNodes, this.#nodes) || this.#budget.added > MOST_ADDED;
    return isTooMuch ? "document contains excessive aliasing" : this.#depthProblem(target.height);
  }

  #depthProblem(height: number): string | undefined {
    const isTooDeep = this.#open.length + height > this.#deepest;
    return isTooDeep ? `exceeded max depth of ${String(this.#deepest)}` : undefined;
  }

  #addToParent({ nodes, bytes, height }: Size): void {
    const parent = this.#open.at(-1);
    if (parent === undefined) return;
    parent.nodes += nodes;
    parent.bytes += bytes;
    parent.height = Math.max(parent.height, height + 1);
  }
}

const FEW_NODES = 400_000;
const MANY_NODES = 4_000_000;

// The rule of go-yaml, which kubectl and API servers read with: the larger a document, the smaller the part that may come from aliases.
function isExcessive(added: number, all: number): boolean {
  if (added <= 100 || all <= 1000) return false;
  const share = Math.min(Math.max((all - FEW_NODES) / (MANY_NODES - FEW_NODES), 0), 1);
  return added / all > 0.99 - 0.89 * share;
}

function anchorOf(
  { anchorStart, anchorEnd }: { readonly anchorStart: number; readonly anchorEnd: number },
  text: string,
): string | undefined {
  return anchorStart < 0 ? undefined : text.slice(anchorStart, anchorEnd);
}
