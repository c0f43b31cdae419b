/** The keys of pods that wait for a node: the highest priority first, then the one that waits longest. */
export class SchedulingQueue {
  readonly #byPriority = new Map<number, Set<string>>();
  readonly #priorities = new Map<string, number>();

  get isEmpty(): boolean {
    return this.#priorities.size === 0;
  }

  add(key: string, priority: number): void {
    if (this.#priorities.get(key) === priority) return;
    this.remove(key);
    this.#priorities.set(key, priority);
    const keys = this.#byPriority.get(priority) ?? new Set();
    this.#byPriority.set(priority, keys.add(key));
  }

  remove(key: string): void {
    const priority = this.#priorities.get(key);
    if (priority === undefined) return;
    this.#priorities.delete(key);
    const keys = this.#byPriority.get(priority);
    keys?.delete(key);
    if (keys?.size === 0) this.#byPriority.delete(priority);
  }

  /** Removes and returns the next key. */
  take(): string | undefined {
    if (this.isEmpty) return undefined;
    const [key] = this.#byPriority.get(Math.max(...this.#byPriority.keys())) ?? [];
    if (key !== undefined) this.remove(key);
    return key;
  }
}
