const waiting: (() => void)[] = [];
const { port1, port2 } = new MessageChannel();
port1.onmessage = () => waiting.shift()?.();

/** Runs something soon in a separate task, so that it prolongs no other one: input and frames may come between them. */
export function inOwnTask(run: () => void): void {
  waiting.push(run);
  port2.postMessage(undefined);
}
