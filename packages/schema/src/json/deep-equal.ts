/** Reports whether two JSON values are the same: members in any order, lists in theirs; an `undefined` member is an absent one. */
export function deepEqual(left: unknown, right: unknown): boolean {
  if (left === right) {
    return true;
  }
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) {
    return false;
  }
  if (Array.isArray(left) || Array.isArray(right)) {
    return Array.isArray(left) && Array.isArray(right) && listsEqual(left, right);
  }
  return objectsEqual(left as Readonly<Record<string, unknown>>, right as Readonly<Record<string, unknown>>);
}

function listsEqual(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, index) => deepEqual(item, right[index]));
}

function objectsEqual(left: Readonly<Record<string, unknown>>, right: Readonly<Record<string, unknown>>): boolean {
  return membersFoundIn(left, right) && membersCount(left) === membersCount(right);
}

function membersFoundIn(left: Readonly<Record<string, unknown>>, right: Readonly<Record<string, unknown>>): boolean {
  for (const key of Object.keys(left)) {
    const value = left[key];
    if (value !== undefined && !(Object.hasOwn(right, key) && deepEqual(value, right[key]))) {
      return false;
    }
  }
  return true;
}

function membersCount(object: Readonly<Record<string, unknown>>): number {
  let count = 0;
  for (const key of Object.keys(object)) {
    if (object[key] !== undefined) {
      count++;
    }
  }
  return count;
}
