/** A flag of a command, as data. */
export interface Flag {
  /** The name without dashes. */
  readonly name: string;
  /** `integer` and `number` are checked when they are read, and stay text. */
  readonly kind: "string" | "boolean" | "list" | "integer" | "number";
  /** An imperative phrase of at most ten words. */
  readonly help: string;
  /** What help shows as the default; what the command takes when the flag is absent is its own business. */
  readonly default?: string;
  /** Whether the command fails without it. */
  readonly isRequired?: boolean;
  /** The values that it accepts. Default: all of its kind. */
  readonly values?: readonly string[];
  /** The value of a text flag that is written without one; a value then follows a `=`. */
  readonly impliedValue?: string;
  /** Names files or folders, which shells then complete. */
  readonly isPath?: boolean;
}

/** The values of flags that were given; a flag that was not is absent. */
export type FlagValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** A command that plugins take part in. */
export type PluginCommand = "init" | "edit" | "create api" | "create webhook";
