import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

import { expect, it } from "vitest";

import { PAGE_FOLDER } from "./feed/fake-feed.ts";

const LARGEST_BYTES = 250_000;

const files = ["index.html", ...readdirSync(path.join(PAGE_FOLDER, "assets")).map((name) => `assets/${name}`)];

it("the page has at most 250 kB, compressed", () => {
  const bytes = files.map((file) => gzipSync(readFileSync(path.join(PAGE_FOLDER, file))).length);
  const total = bytes.reduce((sum, each) => sum + each, 0);
  expect(total).toBeGreaterThan(20_000);
  expect(total).toBeLessThanOrEqual(LARGEST_BYTES);
});

it("the page has no inline code or styles, and requests nothing from elsewhere", () => {
  const html = readFileSync(path.join(PAGE_FOLDER, "index.html"), "utf8");
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/u);
  expect([...html.matchAll(/(?:src|href)="(?<url>[^"]+)"/gu)].map((match) => match.groups?.["url"])).toEqual(
    expect.arrayContaining([expect.stringMatching(/^\.\/assets\/index-.+\.js$/u)]),
  );
  expect(html).not.toMatch(/https?:/u);
  for (const file of files.filter((each) => each.endsWith(".css")))
    expect(readFileSync(path.join(PAGE_FOLDER, file), "utf8")).not.toMatch(/url\(/u);
});

it("no source of the page inserts data as HTML", () => {
  const folder = path.join(PAGE_FOLDER, "..", "..", "src", "page");
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/u.test(name));
  const found = sources.filter((name) =>
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function\(/u.test(
      readFileSync(path.join(folder, name), "utf8"),
    ),
  );
  expect(sources.length).toBeGreaterThan(50);
  expect(found).toEqual([]);
});
