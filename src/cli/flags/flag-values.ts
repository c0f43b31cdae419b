import type { FlagValues } from "../../plugin/flag.ts";
import type { ExternalRequest } from "../../project/plans/plan-external.ts";
import { InvalidFlagError } from "../command/errors.ts";

/** Returns the text of a flag, or nothing when it was not given. Fails: {@link InvalidFlagError} when it is empty and must not be. */
export function textFlag(
  flags: FlagValues,
  name: string,
  options: { readonly mayBeEmpty?: boolean } = {},
): string | undefined {
  const value = flags[name];
  if (typeof value !== "string") return undefined;
  if (value.trim() === "" && options.mayBeEmpty !== true) {
    throw emptyFlag(name);
  }
  return value;
}

/** The flags that name a kind, as text. */
interface NamedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Returns which kind the flags name; what they omit is empty. Fails: {@link InvalidFlagError} for an empty version or kind. */
export function kindFlags(flags: FlagValues): NamedKind {
  return {
    group: textFlag(flags, "group", { mayBeEmpty: true }) ?? "",
    version: textFlag(flags, "version") ?? "",
    kind: textFlag(flags, "kind") ?? "",
  };
}

/** Returns what the flags say of an external kind. Fails: {@link InvalidFlagError} for an empty one. */
export function externalFlags(flags: FlagValues): ExternalRequest {
  return {
    externalApiPath: textFlag(flags, "external-api-path"),
    externalApiDomain: textFlag(flags, "external-api-domain", { mayBeEmpty: true }),
    externalApiModule: textFlag(flags, "external-api-module"),
  };
}

/** Returns whether a switch is on, or nothing when it was not given. */
export function switchFlag(flags: FlagValues, name: string): boolean | undefined {
  const value = flags[name];
  return typeof value === "boolean" ? value : undefined;
}

/** Returns the values of a flag that may be given several times, or with commas. Fails: {@link InvalidFlagError} when it has none. */
export function listFlag(flags: FlagValues, name: string): readonly string[] {
  const value = flags[name];
  if (!Array.isArray(value)) return [];
  const values = (value as readonly string[])
    .flatMap((each) => each.split(","))
    .map((each) => each.trim())
    .filter((each) => each !== "");
  if (values.length === 0) throw emptyFlag(name);
  return values;
}

function emptyFlag(name: string): InvalidFlagError {
  return new InvalidFlagError(`flag --${name} is present but empty`, { hint: "set a value, or omit the flag" });
}
