import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { FakeFeed } from "../feed/fake-feed.ts";
import { faults, scenario } from "../feed/scenario.ts";
import { CHROMIUM, TestBrowser } from "./browser.ts";
import { loadAxe, violations } from "./violations.ts";

const GUESTBOOK = "webapp.my.domain/v1/guestbooks/default/guestbook-sample";

// Against a test that hangs, on a busy machine as well.
const LIVENESS_MS = 120_000;

const PLACES = [
  "#/objects",
  `#/objects?sel=${GUESTBOOK}`,
  `#/objects?sel=${GUESTBOOK}&tab=yaml`,
  `#/objects?sel=${GUESTBOOK}&tab=history&version=1189`,
  `#/objects?sel=${GUESTBOOK}&tab=owners`,
  "#/objects?as=graph",
  "#/objects?q=nothing-like-this",
  "#/controllers",
  "#/controllers?sel=3f2a1004-77d0-4c1e-9d54-0c6a1b2e1004&controller=guestbook",
  "#/webhooks?sel=webhook-1",
  "#/permissions",
  "#/editor",
  "#/faults",
  "#/logs",
  "#/logs?sel=log-8",
  "#/findings",
];

describe.skipIf(CHROMIUM === undefined)("accessibility in a browser", () => {
  let feed: FakeFeed;
  let browser: TestBrowser;
  beforeAll(async () => {
    const answers = scenario(Date.now());
    feed = await FakeFeed.start({ ...answers, messages: [...answers.messages, ...faults("latency")] });
    browser = await TestBrowser.start();
  });
  afterAll(async () => {
    await browser?.stop();
    await feed?.stop();
  });

  // The themes differ in their colors alone.
  for (const [theme, rules] of [
    ["light", []],
    ["dark", ["color-contrast", "link-in-text-block"]],
  ] as const) {
    it(`axe finds nothing in any view of the ${theme} theme`, { timeout: LIVENESS_MS }, async () => {
      const found: string[] = [];
      const page = await browser.open(feed, "#/objects", theme);
      expect(await page.locator("html").getAttribute("data-theme")).toBe(theme);
      await loadAxe(page);
      for (const place of PLACES) {
        await page.evaluate((hash) => {
          location.hash = hash;
        }, place);
        await page.waitForTimeout(250);
        found.push(...(await violations(page, { place, rules })));
      }
      await page.evaluate(() => {
        location.hash = "#/objects";
      });
      await page.keyboard.press("?");
      found.push(...(await violations(page, { place: "help", rules })));
      await page.close();
      expect(found).toEqual([]);
    });
  }

  it("the chosen theme overrides that of the system, and is remembered", async () => {
    const page = await browser.open(feed, "#/objects", "light");
    await page.getByLabel("Theme").selectOption("dark");
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    await page.reload();
    await page.getByText("Live", { exact: true }).waitFor();
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    await page.keyboard.press("t");
    expect(await page.locator("html").getAttribute("data-theme")).toBe("light");
    await page.getByLabel("Theme").selectOption("system");
    await page.close();
  });
});
