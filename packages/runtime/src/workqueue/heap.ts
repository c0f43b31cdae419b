/** An element of a {@link Heap}, which keeps its place in it here. */
export interface HeapElement {
  heapIndex: number;
}

/** The place of an element that is in no heap. */
export const NOT_IN_HEAP = -1;

/** Keeps elements so that the first by an order is at hand, and any can be moved or taken out in logarithmic time. */
export class Heap<E extends HeapElement> {
  readonly #elements: E[] = [];
  readonly #isBefore: (left: E, right: E) => boolean;

  constructor(isBefore: (left: E, right: E) => boolean) {
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#elements.length;
  }

  first(): E | undefined {
    return this.#elements[0];
  }

  push(element: E): void {
    this.#place(element, this.#elements.length);
    this.#up(element);
  }

  pop(): E | undefined {
    const first = this.#elements[0];
    if (first !== undefined) {
      this.remove(first);
    }
    return first;
  }

  /** Takes an element out; one that is not in the heap is left alone. */
  remove(element: E): void {
    const index = element.heapIndex;
    if (index === NOT_IN_HEAP) {
      return;
    }
    element.heapIndex = NOT_IN_HEAP;
    const last = this.#elements.pop();
    if (last !== undefined && last !== element) {
      this.#place(last, index);
      this.reorder(last);
    }
  }

  /** Moves an element whose order has changed to its place. */
  reorder(element: E): void {
    this.#up(element);
    this.#down(element);
  }

  #place(element: E, index: number): void {
    this.#elements[index] = element;
    element.heapIndex = index;
  }

  #up(element: E): void {
    while (element.heapIndex > 0) {
      const index = element.heapIndex;
      const parent = this.#elements[(index - 1) >> 1];
      if (parent === undefined || !this.#isBefore(element, parent)) {
        return;
      }
      this.#place(element, parent.heapIndex);
      this.#place(parent, index);
    }
  }

  #down(element: E): void {
    for (;;) {
      const index = element.heapIndex;
      const child = this.#firstChild(index);
      if (child === undefined || !this.#isBefore(child, element)) {
        return;
      }
      this.#place(element, child.heapIndex);
      this.#place(child, index);
    }
  }

  #firstChild(index: number): E | undefined {
    const left = this.#elements[2 * index + 1];
    const right = this.#elements[2 * index + 2];
    return left !== undefined && right !== undefined && this.#isBefore(right, left) ? right : left;
  }
}
