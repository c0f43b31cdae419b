import type { Invocation } from "../../command.ts";
import { InvalidFlagError } from "../../errors.ts";
import { switchFlag, textFlag } from "../../flags/flag-values.ts";

/** The flags of `scaffold dev`. */
export interface DevOptions {
  readonly port: number;
  readonly simulatesPods: boolean;
  readonly watches: boolean;
  /** `terminal` where a user reads and types, `plain` for scripts and files. */
  readonly output: "terminal" | "plain" | "json";
  readonly isVerbose: boolean;
  readonly checksTypes: boolean;
  /** The port of the manager's inspector. */
  readonly inspectPort: number | undefined;
  readonly namespace: string | undefined;
  /** The arguments after `--`, which are the manager's. */
  readonly managerArguments: readonly string[];
}

/** Reads the flags. Fails: {@link InvalidFlagError}. */
export function readDevOptions({ flags, words, terminal }: Invocation): DevOptions {
  const output = flags["output"] === "json" ? "json" : terminal.isInteractive ? "terminal" : "plain";
  const inspect = textFlag(flags, "inspect");
  return {
    port: portOf(textFlag(flags, "port") ?? "0", "port"),
    simulatesPods: switchFlag(flags, "workloads") !== false,
    watches: switchFlag(flags, "watch") !== false,
    output,
    isVerbose: switchFlag(flags, "verbose") === true,
    checksTypes: output !== "plain" && switchFlag(flags, "type-check") !== false,
    inspectPort: inspect === undefined ? undefined : portOf(inspect, "inspect"),
    namespace: textFlag(flags, "namespace"),
    managerArguments: words,
  };
}

function portOf(text: string, flag: string): number {
  const port = Number(text);
  if (!/^\d+$/u.test(text) || port > 65_535) {
    throw new InvalidFlagError(`invalid value "${text}" for flag --${flag}: not a port`, {
      hint: "pass a number from 0 to 65535",
    });
  }
  return port;
}
