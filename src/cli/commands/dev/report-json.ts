import type { Terminal } from "../../command/terminal.ts";
import type { DevReporter } from "./dev-event.ts";

/** Returns a reporter that prints each event as a line of JSON with its time. */
export function jsonReporter(terminal: Pick<Terminal, "writeOut">, now: () => Date = () => new Date()): DevReporter {
  return {
    readsManager: true,
    report: (event) => terminal.writeOut(`${JSON.stringify({ time: now().toISOString(), ...event })}\n`),
    close: () => undefined,
  };
}
