import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { FakeFeed } from "../feed/fake-feed.ts";
import { scenario } from "../feed/scenario.ts";
import { CHROMIUM, TestBrowser } from "./browser.ts";

const GUESTBOOK = "webapp.my.domain/v1/guestbooks/default/guestbook-sample";
const WIDTHS = [320, 360, 480, 600, 768, 800, 900, 1440];
const VIEWS = {
  objects: "Objects",
  [`objects?sel=${GUESTBOOK}`]: "Objects",
  [`objects?sel=${GUESTBOOK}&tab=history`]: "Objects",
  controllers: "Controllers",
  webhooks: "Webhooks",
  permissions: "Permissions",
  logs: "Events and logs",
  editor: "Create and edit",
  faults: "Faults",
};

interface Layout {
  readonly sideways: number;
  readonly names: readonly string[];
  readonly overlaps: readonly string[];
  /** Buttons of a group, and titles of tabs, that are not visible as a whole. */
  readonly clipped: readonly string[];
}

// Runs in the page.
function measure(): Layout {
  const boxOf = (element: Element): DOMRect => element.getBoundingClientRect();
  const parts = [".header", ".navigation", "main"].flatMap((each) => [...document.querySelectorAll(each)]);
  const items = [...document.querySelectorAll(".header > *, .navigation li")].filter((each) => boxOf(each).width > 1);
  const overlapsOf = (elements: readonly Element[]): readonly string[] =>
    elements.flatMap((left, index) =>
      elements.slice(index + 1).flatMap((right) => {
        const [a, b] = [boxOf(left), boxOf(right)];
        const isApart =
          a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
        return isApart ? [] : [`${left.textContent ?? ""} | ${right.textContent ?? ""}`];
      }),
    );
  const names = [...document.querySelectorAll(".navigation a > span:not(.nav-note)")].filter(
    (each) => boxOf(each).width > 20 && boxOf(each).right <= innerWidth,
  );
  const clipped = [...document.querySelectorAll(".segments button")].filter((each) => {
    const [own, group] = [boxOf(each), boxOf(each.parentElement ?? each)];
    return own.right > group.right + 1 || own.bottom > group.bottom + 1 || each.scrollHeight > each.clientHeight + 1;
  });
  const wrapped = [...document.querySelectorAll(".tabs button")].filter(
    (each) => each.scrollHeight > each.clientHeight + 1,
  );
  return {
    sideways: document.documentElement.scrollWidth - innerWidth,
    names: names.map((each) => each.textContent ?? ""),
    clipped: [...clipped, ...wrapped].map((each) => each.textContent ?? ""),
    overlaps: [...overlapsOf(parts), ...overlapsOf(items)],
  };
}

describe.skipIf(CHROMIUM === undefined)("the page at a width of", () => {
  let feed: FakeFeed;
  let browser: TestBrowser;
  let page: Page;
  beforeAll(async () => {
    feed = await FakeFeed.start(scenario(Date.now()));
    browser = await TestBrowser.start();
    page = await browser.open(feed, "#/objects");
  });
  afterEach(() => browser.requireNoProblems());
  afterAll(async () => {
    await browser?.stop();
    await feed?.stop();
  });

  it.each(WIDTHS.flatMap((width) => Object.entries(VIEWS).map(([hash, name]) => [width, hash, name] as const)))(
    "%d px shows %s with the names of all views, without overlap, and does not scroll sideways",
    async (width, hash, name) => {
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate((value) => {
        location.hash = value;
      }, `#/${hash}`);
      await page.locator(".navigation a[aria-current]", { hasText: name }).waitFor();
      await page.locator("main > .view:not([aria-busy])").waitFor();
      const layout = await page.evaluate(measure);
      expect(layout).toEqual({
        sideways: 0,
        names: ["Objects", "Controllers", "Webhooks", "Permissions", "Events and logs", "Create and edit", "Faults"],
        overlaps: [],
        clipped: [],
      });
      const folder = process.env["KUBESCAFFOLD_WIDTH_PICTURES"];
      if (folder !== undefined)
        await page.screenshot({ path: `${folder}/${width}-${hash.replaceAll(/\W/gu, "-")}.png` });
    },
  );

  it("1440 px shows which object triggered each reconcile", async () => {
    await page.setViewportSize({ width: 1440, height: 800 });
    await page.evaluate(() => {
      location.hash = "#/controllers";
    });
    await page.getByRole("columnheader", { name: "Trigger" }).waitFor();
    const triggers = await page.evaluate(() => {
      const boxOf = (part: Element | Range): DOMRect => part.getBoundingClientRect();
      const titles = [...document.querySelectorAll(".grid-head [role=columnheader]")].map((each) => each.textContent);
      const column = titles.indexOf("Trigger");
      return [...document.querySelectorAll(".grid-body .grid-row")].flatMap((row) => {
        const cell = row.children[column];
        const text = cell?.querySelector("span")?.firstChild;
        if (cell === undefined || !(text instanceof Text)) return [];
        const range = document.createRange();
        range.setStart(text, 0);
        range.setEnd(text, text.data.split(",", 1)[0]?.length ?? 0);
        return [{ text: text.data, isCut: boxOf(range).right > boxOf(cell).right }];
      });
    });
    expect(triggers.length).toBeGreaterThan(10);
    // An object of another namespace than the reconciled one has a longer name.
    expect(triggers.filter(({ isCut, text }) => isCut && !text.includes("/"))).toEqual([]);
  });
});
