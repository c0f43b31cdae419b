import { RECURSIVE_LEVELS } from "@kubescaffold/k8s";

/**
 * Reports whether two JSON values are the same: members in any order, lists in theirs; an `undefined` member is an absent one.
 *
 * Guarantees: any number of levels, of which API servers store more than fit on the stack.
 */
export function deepEqual(left: unknown, right: unknown): boolean {
  if (left === right) {
    return true;
  }
  const later: unknown[] = [];
  if (!areEqual(left, right, 0, later)) {
    return false;
  }
  while (later.length > 0) {
    if (!areEqual(later.pop(), later.pop(), 0, later)) return false;
  }
  return true;
}

function areEqual(left: unknown, right: unknown, level: number, later: unknown[]): boolean {
  if (left === right) {
    return true;
  }
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) {
    return false;
  }
  if (level === RECURSIVE_LEVELS) {
    later.push(left, right);
    return true;
  }
  if (Array.isArray(left) || Array.isArray(right)) {
    return Array.isArray(left) && Array.isArray(right) && areListsEqual(left, right, level + 1, later);
  }
  return areObjectsEqual(left as Members, right as Members, level + 1, later);
}

type Members = Readonly<Record<string, unknown>>;

function areListsEqual(left: readonly unknown[], right: readonly unknown[], level: number, later: unknown[]): boolean {
  return left.length === right.length && left.every((item, index) => areEqual(item, right[index], level, later));
}

function areObjectsEqual(left: Members, right: Members, level: number, later: unknown[]): boolean {
  return areMembersIn(left, right, level, later) && membersCount(left) === membersCount(right);
}

function areMembersIn(left: Members, right: Members, level: number, later: unknown[]): boolean {
  for (const key of Object.keys(left)) {
    const value = left[key];
    if (value !== undefined && !(Object.hasOwn(right, key) && areEqual(value, right[key], level, later))) {
      return false;
    }
  }
  return true;
}

function membersCount(object: Members): number {
  let count = 0;
  for (const key of Object.keys(object)) {
    if (object[key] !== undefined) {
      count++;
    }
  }
  return count;
}
