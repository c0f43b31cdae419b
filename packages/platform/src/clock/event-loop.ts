// The function of Node, also in tests with simulated timers.
const { setImmediate } = globalThis;

/** Calls back when the event loop has handled what waits now. */
export function afterTurn(call: () => void): void {
  setImmediate(call);
}

/** Resolves when the event loop has handled what waits now. */
export async function nextTurn(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}
