import { nearestName } from "@kubescaffold/platform";

import { AmbiguousPluginError, UnknownPluginError, InvalidPluginKeyError } from "./errors.ts";
import type { Plugin, PluginBundle } from "./plugin.ts";

/** The plugins and bundles that a program knows. */
export interface PluginRegistry {
  /** The plugins that can be selected. */
  readonly plugins: readonly Plugin[];
  /** The bundles that can be selected. */
  readonly bundles: readonly PluginBundle[];
  /** The key of what new projects get. */
  readonly defaultKey: string;
  /** What was found where plugins are looked for and cannot be used, in a sentence each. */
  readonly problems?: readonly string[];
}

/** A key in full, and the plugins that it stands for. */
export interface ResolvedPlugins {
  /** The keys as they were requested, with versions. */
  readonly keys: readonly string[];
  /** The plugins, in the order in which they run. */
  readonly plugins: readonly Plugin[];
}

/**
 * Resolves keys, in full or shortened, to plugins in the order they run; each plugin is there once.
 *
 * Fails: {@link UnknownPluginError} with the nearest key, {@link AmbiguousPluginError} with the candidates.
 */
export function resolvePlugins(registry: PluginRegistry, keys: readonly string[]): ResolvedPlugins {
  const resolved = keys.map((key) => resolveOne(registry, key));
  return {
    keys: [...new Set(resolved.map((each) => each.key))],
    plugins: [...new Set(resolved.flatMap((each) => ("plugins" in each ? each.plugins : [each])))],
  };
}

function resolveOne(registry: PluginRegistry, key: string): Plugin | PluginBundle {
  const { name, version } = parsePluginKey(key);
  const all: readonly (Plugin | PluginBundle)[] = [...registry.bundles, ...registry.plugins];
  const candidates = all.filter((each) => {
    const known = parsePluginKey(each.key);
    return known.name.startsWith(name) && (version === undefined || known.version === version);
  });
  const exact = candidates.find((each) => parsePluginKey(each.key).name === name) ?? atFirstDot(candidates, name);
  if (exact !== undefined) return exact;
  const [only, ...others] = candidates;
  if (only === undefined) throw unknown(key, all, registry.problems ?? []);
  if (others.length > 0)
    throw new AmbiguousPluginError(
      key,
      candidates.map((each) => each.key),
    );
  return only;
}

// `ts` means `ts.kubescaffold.dev`, even when a name such as `tsx.example.com` begins alike.
function atFirstDot<T extends { readonly key: string }>(candidates: readonly T[], name: string): T | undefined {
  const matches = candidates.filter((each) => each.key.startsWith(`${name}.`));
  return matches.length === 1 ? matches[0] : undefined;
}

const GO_KEYS = /^(?:base\.)?go(?:\.kubebuilder\.io)?(?:\/|$)/u;

function unknown(
  key: string,
  all: readonly { readonly key: string }[],
  problems: readonly string[],
): UnknownPluginError {
  const message = `cannot resolve plugin key "${key}": no plugin could be resolved with it`;
  if (GO_KEYS.test(key)) {
    return new UnknownPluginError(message, {
      hint: "use ts/v1, the counterpart of go/v4 for TypeScript; convert a Go project with `npx kubescaffold import project <folder>`",
    });
  }
  if (key.includes(".kubebuilder.io")) {
    const ours = key
      .replace(".go.kubebuilder.io", ".ts.kubescaffold.dev")
      .replace(".kubebuilder.io", ".kubescaffold.dev");
    const known = all.find((each) => each.key === ours);
    if (known !== undefined) return new UnknownPluginError(message, { hint: `use ${known.key}` });
  }
  const { name } = parsePluginKey(key);
  const versions = all.filter((each) => `${parsePluginKey(each.key).name}.`.startsWith(`${name}.`));
  if (versions.length > 0)
    return new UnknownPluginError(message, { hint: `use ${versions.map((each) => each.key).join(" or ")}` });
  const names = all.flatMap((each) => [each.key, `${each.key.split(".")[0]}/${each.key.split("/")[1]}`]);
  const nearest = nearestName(key, names);
  const hint =
    nearest === undefined ? `known plugins: ${all.map((each) => each.key).join(", ")}` : `did you mean ${nearest}?`;
  const unusable = problems.map((problem) => `\n  cannot be used: ${problem}`).join("");
  return new UnknownPluginError(message, { hint: hint + unusable });
}

/** The two halves of a plugin key; the version is omitted where a user shortened it. */
export interface PluginKey {
  /** The part before the slash. */
  readonly name: string;
  /** The part after the slash; undefined if there is none. */
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

/**
 * Returns the key under which PROJECT keeps the data of a plugin: its own, or that of a bundle of the chain that stands for it,
 * which has the same name up to the first dot and the same version.
 */
export function configurationKeyOf(key: string, chain: readonly string[]): string {
  if (chain.includes(key)) return key;
  const short = shortKeyOf(key);
  return chain.find((each) => isWhole(each) && shortKeyOf(each) === short) ?? key;
}

function isWhole(key: string): boolean {
  return parsePluginKey(key).version !== undefined;
}
