/**
 * Marks a promise as handled, and returns it: the caller awaits it after something else, and its rejection until then must not end the process.
 *
 * Use it only for a promise that is awaited in any case, since its error is lost otherwise.
 *
 * @example
 * const running = handledLater(informer.run(signal));
 * await informer.waitForSync(signal);
 * await running;
 */
export function handledLater<P extends Promise<unknown>>(promise: P): P {
  promise.catch(() => undefined);
  return promise;
}
