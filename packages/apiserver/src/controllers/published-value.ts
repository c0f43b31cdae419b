/** A value that becomes known when the server listens, such as its address, and that controllers wait for. */
export class PublishedValue<T> {
  #current: T | undefined;
  readonly #listeners = new Set<() => void>();

  /** The value; undefined while it is unknown. */
  get current(): T | undefined {
    return this.#current;
  }

  /** Makes the value known. */
  publish(value: T): void {
    this.#current = value;
    for (const listener of this.#listeners) listener();
  }

  /** Calls back when the value becomes known; returns what ends that. */
  onPublish(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
