import { describe, expect, it } from "vitest";

import { changedLines, writerOf } from "../../../src/page/objects/version-summary.ts";
import { formatAge, formatDuration, formatRate, plural } from "../../../src/page/parts/format.ts";
import { highlightYamlLine } from "../../../src/page/parts/highlight-yaml.ts";
import { mostRendered, rangeWhileMoving, scrollTopFor, visibleRange } from "../../../src/page/parts/visible-range.ts";
import { formatRoute, linkTo, parseRoute } from "../../../src/page/route/route.ts";

describe("formats", () => {
  it.each([
    [-5, "0s"],
    [119_000, "119s"],
    [180_000, "3m"],
    [185_000, "3m5s"],
    [3_600_000, "60m"],
    [12_600_000, "3h30m"],
    [100 * 3_600_000, "4d"],
  ])("an age of %d ms is %s, as kubectl prints it", (age, text) => {
    expect(formatAge(age)).toBe(text);
  });

  it.each([
    [0.44, "0.4 ms"],
    [12.3, "12 ms"],
    [1240, "1.2 s"],
    [34_000, "34 s"],
    [90_000, "1.5 min"],
    [7_200_000, "2 h"],
  ])("a duration of %d ms is %s", (duration, text) => {
    expect(formatDuration(duration)).toBe(text);
  });

  it("rates and plurals", () => {
    expect([0, 0.256, 1.26, 12.6].map(formatRate)).toEqual(["0", "0.26", "1.3", "13"]);
    expect([plural(1, "file"), plural(2000, "file")]).toEqual(["1 file", "2,000 files"]);
  });
});

describe("colors of YAML", () => {
  it.each([
    ["  replicas: 3", ["plain", "key", "mark", "plain", "number"]],
    ["- name: web", ["mark", "key", "mark", "plain", "text"]],
    ["    - - a", ["plain", "mark", "mark", "text"]],
    ["ready: true", ["key", "mark", "plain", "keyword"]],
    ["# note", ["comment"]],
    ["spec:", ["key", "mark"]],
    ['"a: b": c', ["key", "mark", "plain", "text"]],
    ["http://x", ["text"]],
    ["", []],
  ])("%j", (line, kinds) => {
    const tokens = highlightYamlLine(line);
    expect(tokens.map(({ kind }) => kind)).toEqual(kinds);
    expect(tokens.map(({ text }) => text).join("")).toBe(line);
  });
});

describe("the visible rows", () => {
  const view = { height: 280, rowHeight: 28 };

  it("are rendered with some beyond them", () => {
    expect(visibleRange(10_000, { ...view, scrollTop: 0 })).toEqual({ start: 0, end: 18 });
    expect(visibleRange(10_000, { ...view, scrollTop: 28_000 })).toEqual({ start: 992, end: 1018 });
    expect(visibleRange(3, { ...view, scrollTop: 28_000 })).toEqual({ start: 2, end: 3 });
    expect(visibleRange(0, { ...view, scrollTop: 0 })).toEqual({ start: 0, end: 0 });
  });

  it("are fewer while the list moves, and the rendered ones while these are all that is visible", () => {
    const rendered = { start: 992, end: 1018 };
    expect(rangeWhileMoving(10_000, { ...view, scrollTop: 28_000 }, rendered)).toEqual(rendered);
    expect(rangeWhileMoving(10_000, { ...view, scrollTop: 28_196 }, rendered)).toEqual(rendered);
    expect(rangeWhileMoving(10_000, { ...view, scrollTop: 28_280 }, rendered)).toEqual({ start: 1008, end: 1022 });
    expect(rangeWhileMoving(1010, { ...view, scrollTop: 28_000 }, rendered)).toEqual({ start: 992, end: 1010 });
    expect(rangeWhileMoving(10, { ...view, scrollTop: 0 }, { start: 0, end: 0 })).toEqual({ start: 0, end: 10 });
  });

  it("are never more than there are elements for", () => {
    for (const scrollTop of [0, 1, 27, 28, 1000, 27_999]) {
      const { start, end } = visibleRange(10_000, { ...view, scrollTop });
      expect(end - start).toBeLessThanOrEqual(mostRendered(view.height, view.rowHeight));
    }
  });

  it("are scrolled to", () => {
    expect(scrollTopFor(2, { ...view, scrollTop: 0 })).toBe(0);
    expect(scrollTopFor(20, { ...view, scrollTop: 0 })).toBe(308);
    expect(scrollTopFor(1, { ...view, scrollTop: 308 })).toBe(28);
  });
});

describe("routes", () => {
  it("are the hash of the URL, and survive a round trip", () => {
    const route = { view: "objects", params: { q: "a b&c=d", sel: "apps/v1/deployments/ns/n", ns: "" } } as const;
    const hash = formatRoute(route);
    expect(hash).toBe("#/objects?q=a+b%26c%3Dd&sel=apps/v1/deployments/ns/n");
    expect(parseRoute(hash)).toEqual({ view: "objects", params: { q: "a b&c=d", sel: "apps/v1/deployments/ns/n" } });
    expect(linkTo("logs")).toBe("#/logs");
  });

  it("lead to the objects when they are unknown", () => {
    expect(parseRoute("#/nonsense?a=1")).toEqual({ view: "objects", params: { a: "1" } });
    expect(parseRoute("")).toEqual({ view: "objects", params: {} });
  });
});

it("versions name who wrote them, and count changed lines", () => {
  const version = { resourceVersion: "1", at: 0, verb: "patch", subresource: "", yaml: "", diff: [] };
  expect(writerOf({ ...version, user: "ada", manager: "kubectl" })).toBe("kubectl");
  expect(writerOf({ ...version, user: "ada", manager: "" })).toBe("ada");
  expect(writerOf({ ...version, user: "sa", manager: "m", controller: "guestbook" })).toBe("guestbook controller");
  expect(
    changedLines([
      { kind: "added", text: "" },
      { kind: "removed", text: "" },
      { kind: "added", text: "" },
      { kind: "same", text: "" },
    ]),
  ).toEqual({ added: 2, removed: 1 });
});
