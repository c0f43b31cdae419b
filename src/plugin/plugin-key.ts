import { InvalidPluginKeyError } from "./errors.ts";

/** The two halves of a plugin key; the version is omitted where a user shortened it. */
export interface PluginKey {
  readonly name: string;
  readonly version: string | undefined;
}

const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/u;
const VERSION = /^v?\d+(-alpha|-beta)?$/u;

/** Splits `name/version` or `name`. Fails: {@link InvalidPluginKeyError}. */
export function parsePluginKey(key: string): PluginKey {
  const [name = "", version, ...rest] = key.split("/");
  const isValid = NAME.test(name) && rest.length === 0 && (version === undefined || VERSION.test(version));
  if (!isValid) throw new InvalidPluginKeyError(key);
  return { name, version: version === undefined ? undefined : `v${version.replace(/^v/u, "")}` };
}

/** Returns the short form of a key: `ts.kubescaffold.dev/v1` gives `ts/v1`. */
export function shortKeyOf(key: string): string {
  const { name, version } = parsePluginKey(key);
  return `${name.split(".")[0] ?? name}/${version ?? ""}`;
}
