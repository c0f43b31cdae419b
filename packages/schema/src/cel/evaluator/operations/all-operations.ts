import { OPERATORS } from "./arithmetic.ts";
import { CONVERSIONS } from "./conversions.ts";
import type { Operations } from "./invoke.ts";
import { ADDRESSES, NAMES, QUANTITIES } from "./kubernetes-types.ts";
import { LISTS } from "./lists.ts";
import { STRINGS } from "./strings.ts";
import { TIMES } from "./times.ts";

/** Works overloads out, by their ids; the kinds of their arguments are checked before. */
export const OPERATIONS: Operations = {
  ...CONVERSIONS,
  ...TIMES,
  ...STRINGS,
  ...LISTS,
  ...QUANTITIES,
  ...ADDRESSES,
  ...NAMES,
};

const { type = none, dyn = none, size = none } = CONVERSIONS;
const { matches = none } = STRINGS;
const { sort = none, "@sortByAssociatedKeys": sortByAssociatedKeys = none } = LISTS;

function none(): null {
  return null;
}

/** Works functions out whatever their overloads, by their names. */
export const SINGLE_OPERATIONS: Operations = {
  ...OPERATORS,
  type,
  dyn,
  size,
  matches,
  sort,
  "@sortByAssociatedKeys": sortByAssociatedKeys,
};

/** The functions whose overloads look at their arguments themselves. */
export const UNGUARDED: ReadonlySet<string> = new Set(["contains", "endsWith", "startsWith", "flatten"]);
