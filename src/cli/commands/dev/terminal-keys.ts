import process from "node:process";
import type { Readable } from "node:stream";

/** An input that may be a terminal. */
export type KeyInput = Readable & { readonly setRawMode?: (isRaw: boolean) => unknown };

const CTRL_C = "\u0003";
const CTRL_Z = "\u001A";

/** What keys do that a terminal handles itself unless it is in raw mode. */
export interface KeySignals {
  /** Ctrl-C, or a terminal that was closed. */
  readonly interrupt: () => void;
  /** Ctrl-Z; the terminal is in its usual mode during the call. Default: suspends the processes of the terminal's job. */
  readonly suspend?: () => void;
}

/**
 * Calls back for each key that is pressed, without waiting for a line, and returns what ends that.
 *
 * Guarantees: the terminal is in its usual mode again once it has ended, and when the process exits.
 */
export function readKeys(input: KeyInput, press: (key: string) => void, signals: KeySignals): () => void {
  const setRaw = (isRaw: boolean): void => void input.setRawMode?.(isRaw);
  const restore = (): void => setRaw(false);
  const resume = (): void => setRaw(true);
  const read = (chunk: Buffer | string): void => {
    for (const key of keysIn(chunk.toString())) {
      if (key === CTRL_C) signals.interrupt();
      else if (key === CTRL_Z) {
        restore();
        (signals.suspend ?? suspendJob)();
      } else press(key);
    }
  };
  setRaw(true);
  process.on("exit", restore).on("SIGCONT", resume);
  // The listener for errors stays: the modes of a closed terminal cannot be restored.
  input.on("data", read).on("end", signals.interrupt).on("error", signals.interrupt).resume();
  return () => {
    input.off("data", read).off("end", signals.interrupt).pause();
    process.off("exit", restore).off("SIGCONT", resume);
    restore();
  };
}

// An arrow or function key is a sequence of characters.
function keysIn(chunk: string): readonly string[] {
  // oxlint-disable-next-line no-control-regex -- escape sequences start with it
  return chunk.match(/\u001B(?:\[[\d;]*[A-Za-z~]|O[A-Z])|[\s\S]/gu) ?? [];
}

function suspendJob(): void {
  if (process.platform !== "win32") process.kill(0, "SIGTSTP");
}
