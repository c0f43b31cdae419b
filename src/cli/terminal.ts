/** Where a command writes, and whether a person can answer there. */
export interface Terminal {
  readonly isInteractive: boolean;
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Returns all of standard input. */
  readonly readIn?: () => Promise<string>;
}

/** Returns the terminal of this process. */
export function processTerminal(): Terminal {
  return {
    isInteractive: process.stdin.isTTY && process.stdout.isTTY,
    writeOut: (text) => void process.stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
    readIn: async () => {
      const { text } = await import("node:stream/consumers");
      return text(process.stdin);
    },
  };
}
