import { type Correlation, correlateItem, correlateMember, isUnchanged } from "../../validation/correlation.ts";

/**
 * Says what of an object has not changed, so that its rules only warn.
 *
 * A value without a counterpart goes by the nearest value around it that has one.
 */
export interface Ratchet {
  readonly current: Correlation | undefined;
  readonly around: Correlation | undefined;
}

/** Ratchets nothing. */
export const NO_RATCHET: Ratchet = { current: undefined, around: undefined };

/** Says whether a broken rule of this value only warns. */
export function isRatcheted({ current, around }: Ratchet): boolean {
  const deciding = current ?? around;
  return deciding !== undefined && isUnchanged(deciding);
}

/** Goes on to a member; kind and apiVersion of the whole object are never ratcheted, for both versions are converted. */
export function ratchetMember(ratchet: Ratchet, name: string): Ratchet {
  const { current, around } = ratchet;
  if (current === undefined) {
    return ratchet;
  }
  const isTypeMeta = around === undefined && (name === "apiVersion" || name === "kind");
  return isTypeMeta ? NO_RATCHET : { current: correlateMember(current, name), around: current };
}

/** Goes on to an item. */
export function ratchetItem(ratchet: Ratchet, index: number): Ratchet {
  const { current } = ratchet;
  return current === undefined ? ratchet : { current: correlateItem(current, index), around: current };
}
