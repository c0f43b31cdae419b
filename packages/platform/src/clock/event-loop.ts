// The functions of Node, also in tests with simulated timers.
const { setImmediate, setTimeout } = globalThis;

/** Calls back when the event loop has handled what waits now. */
export function afterTurn(call: () => void): void {
  setImmediate(call);
}

/** Resolves when the event loop has handled what waits now. */
export async function nextTurn(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Resolves a millisecond after the event loop has handled what waits now, so that what was sent before can be received, also by other processes. */
export async function shortPause(): Promise<void> {
  await nextTurn();
  await new Promise<void>((resolve) => void setTimeout(resolve, 1));
}
