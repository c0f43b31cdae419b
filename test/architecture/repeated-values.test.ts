import { describe, expect, it } from "vitest";

import { listSources, readSource } from "./source-files.ts";

// Each item is compared with those before: lists of requests have tens of thousands, and the event loop would wait for seconds.
const COMPARED_WITH_EARLIER = [
  /\.indexOf\([^()]*(?:\([^()]*\))?[^()]*\) (?:<|!==) (?:index|at|position)\b/u,
  // A list that is copied for each item that it gets.
  /\.set\([^,;]*, \[\.\.\.\([^;]*\.get\(/u,
  /\.slice\(0, (?:index|at|position)\)\s*\.(?:every|filter|find|findIndex|flatMap|includes|indexOf|map|some)\(/u,
];

function comparedOf(text: string): readonly string[] {
  return COMPARED_WITH_EARLIER.flatMap((pattern) => {
    const found = pattern.exec(text);
    return found === null ? [] : [found[0]];
  });
}

describe("lists in the sources of servers", () => {
  it.each([
    ["names.indexOf(name) < index", 1],
    ['keys.indexOf(keys[index] ?? "") < index', 1],
    ["items\n  .slice(0, index)\n  .some(() => true)", 1],
    ["items.slice(0, index).join()", 0],
    ["groups.set(key, [...(groups.get(key) ?? []), item]);", 1],
    ["groups.set(key, [item]);", 0],
  ])("are searched in %j: %i times", (text, count) => {
    expect(comparedOf(text)).toHaveLength(count);
  });

  it("are not compared with their earlier items, but by a set", () => {
    const servers = listSources().filter((file) =>
      /^packages\/(?:apiserver|cluster|runtime|schema)\/src\//u.test(file),
    );
    const found = servers.flatMap((file) => comparedOf(readSource(file)).map((each) => `${file}: ${each}`));
    expect(found).toEqual([]);
  });
});
