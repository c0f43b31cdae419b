import type { Series } from "../metrics/series.ts";

/** An item in a {@link ReadyLevels}, which links the items of a level. */
export interface ReadyItem<E> {
  /** The level of the item while it is ready; a level without items may be removed. */
  level: Level<E> | undefined;
  previous: E | undefined;
  next: E | undefined;
}

/** The ready items of one priority, first in, first out. */
export class Level<E> {
  readonly priority: number;
  /** The metric of the level, created with its first ready item. */
  depth: Series | undefined;
  first: E | undefined;
  last: E | undefined;
  /** The number of items. */
  size = 0;
  /** The number of items that are not handed out because a worker has them. */
  held = 0;

  constructor(priority: number) {
    this.priority = priority;
  }
}

// Programs use few priorities, so levels are removed only if there are many.
const MANY_LEVELS = 64;

/** Ready items by priority; all operations take constant time for a limited number of priorities. */
export class ReadyLevels<E extends ReadyItem<E>> {
  readonly #byPriority = new Map<number, Level<E>>();
  // The highest priority comes first.
  #levels: Level<E>[] = [];
  #removeEmptyAt = MANY_LEVELS;
  #recent: Level<E> = this.#create(0);
  #size = 0;
  #held = 0;

  /** The number of items, including those held back. */
  get size(): number {
    return this.#size;
  }

  /** The number of items that can be handed out. */
  get available(): number {
    return this.#size - this.#held;
  }

  /** Removes the items from the metrics, for a queue that hands out none any more. */
  forgetDepths(): void {
    for (const level of this.#levels) {
      if (level.depth !== undefined) {
        level.depth.value -= level.size;
        level.depth = undefined;
      }
    }
  }

  /** Returns the level of a priority. */
  levelOf(priority: number): Level<E> {
    if (this.#recent.priority !== priority) {
      this.#recent = this.#byPriority.get(priority) ?? this.#create(priority);
    }
    return this.#recent;
  }

  /** Adds an item at the end of its level. */
  push(item: E, level: Level<E>, isHeld: boolean): void {
    item.level = level;
    item.previous = level.last;
    if (level.last === undefined) {
      level.first = item;
    } else {
      level.last.next = item;
    }
    level.last = item;
    level.size += 1;
    this.#size += 1;
    if (level.depth !== undefined) {
      level.depth.value += 1;
    }
    if (isHeld) {
      this.#hold(level, 1);
    }
  }

  /** Makes an item available that was held back. */
  release({ level }: E): void {
    if (level !== undefined) {
      this.#hold(level, -1);
    }
  }

  /** Removes a ready item. */
  remove(item: E, isHeld: boolean): void {
    const { level, previous, next } = item;
    if (level === undefined) {
      return;
    }
    if (previous === undefined) {
      level.first = next;
    } else {
      previous.next = next;
    }
    if (next === undefined) {
      level.last = previous;
    } else {
      next.previous = previous;
    }
    item.previous = undefined;
    item.next = undefined;
    item.level = undefined;
    level.size -= 1;
    this.#size -= 1;
    if (level.depth !== undefined) {
      level.depth.value -= 1;
    }
    if (isHeld) {
      this.#hold(level, -1);
    }
  }

  /** Returns the first available item of the highest priority. */
  first(isHeld: (item: E) => boolean): E | undefined {
    if (this.available === 0) {
      return undefined;
    }
    for (let index = 0; index < this.#levels.length; index += 1) {
      const level = this.#levels[index];
      if (level !== undefined && level.size > level.held) {
        if (index >= MANY_LEVELS) {
          this.#removeEmpty();
        }
        let item = level.first;
        // At most as many items are held back as there are workers.
        while (item !== undefined && level.held > 0 && isHeld(item)) {
          item = item.next;
        }
        return item;
      }
    }
    return undefined;
  }

  #hold(level: Level<E>, change: number): void {
    level.held += change;
    this.#held += change;
  }

  #create(priority: number): Level<E> {
    if (this.#levels.length >= this.#removeEmptyAt) {
      this.#removeEmpty();
    }
    const level = new Level<E>(priority);
    this.#byPriority.set(priority, level);
    this.#levels.splice(this.#indexOf(priority), 0, level);
    return level;
  }

  /** Returns the index of the first level with a lower priority. */
  #indexOf(priority: number): number {
    let low = 0;
    let high = this.#levels.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#levels[middle]?.priority ?? 0) < priority) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  #removeEmpty(): void {
    const [kept, empty] = [[], []] as [Level<E>[], Level<E>[]];
    for (const level of this.#levels) {
      (level.size > 0 || level === this.#recent ? kept : empty).push(level);
    }
    for (const { priority } of empty) {
      this.#byPriority.delete(priority);
    }
    this.#levels = kept;
    this.#removeEmptyAt = Math.max(MANY_LEVELS, 2 * kept.length);
  }
}
