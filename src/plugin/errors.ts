import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when a plugin key does not have the form `name/version`.
 *
 * Fix: Use a key such as `ts.kubescaffold.dev/v1`, or `ts/v1`.
 */
export class InvalidPluginKeyError extends ScaffoldError {
  readonly code = "PLUGIN_INVALID_KEY";
  constructor(key: string) {
    super(`cannot use plugin key "${key}": it is not of the form name/version`, {
      hint: "pass a key such as ts.kubescaffold.dev/v1, or its short form ts/v1",
    });
  }
}

/**
 * Thrown when `package.json` cannot be changed, because it is not a JSON object.
 *
 * Fix: Fix the JSON, or restore the file from git.
 */
export class PackageManifestError extends ScaffoldError {
  readonly code = "PLUGIN_PACKAGE_MANIFEST";
  constructor(problem: string, cause?: unknown) {
    super(`cannot change package.json: ${problem}`, {
      hint: "fix the file, or restore it from git; nothing was written",
      cause,
    });
  }
}

/**
 * Thrown when no plugin has the key.
 *
 * Fix: Use the key in the hint.
 */
export class UnknownPluginError extends ScaffoldError {
  readonly code = "PLUGIN_UNKNOWN";
}

/**
 * Thrown when a short plugin key matches several plugins.
 *
 * Fix: Use one of the keys in the message.
 */
export class AmbiguousPluginError extends ScaffoldError {
  readonly code = "PLUGIN_AMBIGUOUS";
  constructor(key: string, candidates: readonly string[]) {
    super(`cannot resolve plugin key "${key}": it is ambiguous`, { hint: `write one of ${candidates.join(", ")}` });
  }
}

/**
 * Thrown when none of the plugins implements the command.
 *
 * Fix: Omit `--plugins`, or use a plugin that implements it.
 */
export class UnsupportedSubcommandError extends ScaffoldError {
  readonly code = "PLUGIN_UNSUPPORTED_COMMAND";
  constructor(command: string, keys: readonly string[]) {
    super(`cannot run ${command}: the plugins ${keys.join(", ")} do not provide it`, {
      hint: "omit --plugins, or specify a plugin that provides it",
    });
  }
}

/**
 * Thrown when two plugins of a command declare a flag with the same name and different types.
 *
 * Fix: Run them one at a time with `--plugins`.
 */
export class FlagClashError extends ScaffoldError {
  readonly code = "PLUGIN_FLAG_CLASH";
  constructor(
    flag: string,
    { key, kind, other }: { readonly key: string; readonly kind: string; readonly other: string },
  ) {
    super(`cannot use plugin ${key}: its flag --${flag} has type ${kind}, but another plugin's has type ${other}`, {
      hint: "run the plugins one at a time with --plugins",
    });
  }
}
