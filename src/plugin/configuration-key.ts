import { parsePluginKey, shortKeyOf } from "./plugin-key.ts";

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
