import type { Readable, Writable } from "node:stream";

/** Where a command writes, and whether a person can answer there. */
export interface Terminal {
  readonly isInteractive: boolean;
  /** Where questions are put and answered; the streams of this process unless given. */
  readonly conversation?: { readonly input: Readable; readonly output: Writable };
  /** Set for the terminal of this process, which the programs that commands start may use as well. */
  readonly isProcess?: boolean;
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Returns all of standard input. */
  readonly readIn?: () => Promise<string>;
}

/** Returns the terminal of this process. Nobody answers in a workflow, which may have a terminal anyway. */
export function processTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreClosedOutput);
  return {
    // The stream of the input is made when it is read, and few commands read it.
    isInteractive: process.stdout.isTTY && process.stdin.isTTY && !isSet(process.env["CI"]),
    isProcess: true,
    writeOut: (text) => void process.stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
    readIn: async () => {
      const { text } = await import("node:stream/consumers");
      return text(process.stdin);
    },
  };
}

// A reader that stops, such as `head`, has seen enough, and a closed terminal (EIO) shows nothing: the command continues, and cleans up.
function ignoreClosedOutput(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE" && error.code !== "EIO") throw error;
}

function isSet(variable: string | undefined): boolean {
  return variable !== undefined && !["", "0", "false"].includes(variable.toLowerCase());
}
