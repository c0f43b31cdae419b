import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { clusterScenario, connectedScenario, problem } from "../feed/cluster-scenario.ts";
import { FakeFeed } from "../feed/fake-feed.ts";
import { CHROMIUM, TestBrowser } from "./browser.ts";
import { loadAxe, violations } from "./violations.ts";

const GUESTBOOK = "webapp.my.domain/v1/guestbooks/default/guestbook-sample";
// Against a test that hangs, on a busy machine as well.
const LIVENESS_MS = 300_000;
const PLACES = [
  "#/objects",
  `#/objects?sel=${GUESTBOOK}`,
  "#/objects?as=graph",
  "#/controllers",
  "#/controllers?controller=guestbook",
  "#/webhooks",
  "#/permissions",
  "#/logs",
  "#/logs?sel=log-8",
  "#/editor",
];

describe.skipIf(CHROMIUM === undefined)("the page for a manager in a cluster, in a browser", () => {
  let feed: FakeFeed;
  let browser: TestBrowser;
  beforeAll(async () => {
    feed = await FakeFeed.start(clusterScenario(Date.now()));
    browser = await TestBrowser.start();
  });
  afterEach(() => browser.requireNoProblems());
  afterAll(async () => {
    await browser?.stop();
    await feed?.stop();
  });

  it("is read-only: it has neither forms, nor faults, nor buttons that change something", async () => {
    const page = await browser.open(feed, `#/objects?sel=${GUESTBOOK}`);
    await page.getByText("read-only", { exact: true }).waitFor();
    const links = await page.getByRole("navigation").getByRole("link").allTextContents();
    expect(links.map((text) => text.replace(/^\d/u, "").replace(/\d.*$/u, ""))).toEqual([
      "Objects",
      "Controllers",
      "Webhooks",
      "Permissions",
      "Events and logs",
    ]);
    for (const name of ["Edit", "Delete", "Restart"])
      expect(await page.getByRole("button", { name, exact: true }).count()).toBe(0);
    await page.getByRole("tab", { name: "History" }).click();
    await page.getByText("these are from when this page was served").waitFor();
    // Neither a shortcut nor an address leads there.
    for (const key of ["6", "7"]) await page.keyboard.press(key);
    expect(page.url()).toContain("#/objects");
    await page.evaluate(() => {
      location.hash = "#/faults";
    });
    await page.getByText("There is no view “Faults”: scaffold dashboard changes nothing in the cluster.").waitFor();
    expect(feed.sent).toEqual([]);
    await page.close();
  });

  it("shows replicas, and controllers and webhooks by their metrics, with the keyboard alone", async () => {
    const page = await browser.open(feed, "#/objects");
    await page.keyboard.press("2");
    const replicas = page.getByRole("row", { name: /guestbook-7c9f-aaaaa/u });
    await replicas.getByText("leader").waitFor();
    const controller = page.getByRole("row", { name: /^guestbook 119/u });
    expect(await controller.getByRole("cell").allTextContents()).toEqual([
      "119",
      " 2",
      "109",
      "3",
      "5",
      "0.6/s",
      "1",
      "Saturated 1/1",
      "12 ms",
      "40 ms",
      "95 ms",
    ]);
    await page.keyboard.press("3");
    await page
      .getByRole("row", { name: /\/validate-webapp/u })
      .getByText("9.7 ms")
      .waitFor();
    await page.keyboard.press("4");
    await page.getByRole("grid", { name: "Permissions" }).getByText("Granted").waitFor();
    await page.getByText("a cluster does not record which are used").waitFor();
    await page.keyboard.press("5");
    await page.getByLabel("Pod", { exact: true }).selectOption("guestbook-7c9f-bbbbb");
    await page.getByText("waits for the lease").waitFor();
    await page.getByText("reconciled the first").waitFor({ state: "detached" });
    await page.close();
  });

  it("says what cannot be shown and what to do, until that is solved", async () => {
    const page = await browser.open(feed, "#/controllers");
    feed.push([problem()]);
    const list = page.getByRole("list", { name: "What cannot be shown" });
    await list.getByText("the manager may not be measured").waitFor();
    await list.getByRole("button", { name: "Copy" }).click();
    await list.getByText("Copied").waitFor();
    feed.push([{ type: "problems", problems: [] }]);
    await list.waitFor({ state: "detached" });
    expect(await page.getByRole("status").count()).toBe(1);
    await page.close();
  });

  for (const [theme, rules] of [
    ["light", []],
    ["dark", ["color-contrast", "link-in-text-block"]],
  ] as const) {
    it(`has nothing that axe finds in any view of the ${theme} theme`, { timeout: LIVENESS_MS }, async () => {
      const found: string[] = [];
      const page = await browser.open(feed, "#/objects", theme);
      feed.push([problem()]);
      await page.getByRole("list", { name: "What cannot be shown" }).waitFor();
      await loadAxe(page);
      for (const place of PLACES) {
        await page.evaluate((hash) => {
          location.hash = hash;
        }, place);
        await page.waitForTimeout(250);
        found.push(...(await violations(page, { place, rules })));
      }
      await page.close();
      expect(found).toEqual([]);
    });
  }
});

describe.skipIf(CHROMIUM === undefined)("the page of scaffold dev --kubeconfig, in a browser", () => {
  let feed: FakeFeed;
  let browser: TestBrowser;
  beforeAll(async () => {
    feed = await FakeFeed.start(connectedScenario(Date.now()));
    browser = await TestBrowser.start();
  });
  afterEach(() => browser.requireNoProblems());
  afterAll(async () => {
    await browser?.stop();
    await feed?.stop();
  });

  it(
    "shows permissions that the roles lack, the history since it was served, and why there are no faults",
    async () => {
      const page = await browser.open(feed, "#/permissions");
      await loadAxe(page);
      const row = page.getByRole("row", { name: /Missing watch/u });
      await row.getByText('+kubebuilder:rbac:groups="",resources=secrets,verbs=get;list;watch').waitFor();
      await page.getByText("The manager runs as ann. Missing: the roles do not grant what it used").waitFor();
      expect(await violations(page, { place: "#/permissions", rules: [] })).toEqual([]);
      await page.evaluate((key) => {
        location.hash = `#/objects?sel=${key}&tab=history`;
      }, GUESTBOOK);
      await page.getByText("these are from when this page was served").waitFor();
      expect(await page.getByText("User", { exact: true }).count()).toBe(0);
      expect(await violations(page, { place: "history", rules: [] })).toEqual([]);
      expect(
        await page
          .getByRole("navigation")
          .getByRole("link", { name: /Create and edit/u })
          .count(),
      ).toBe(1);
      await page.evaluate(() => {
        location.hash = "#/faults";
      });
      await page.getByText("There are no faults: scaffold dev injects them into its own API server").waitFor();
      await page.close();
    },
    LIVENESS_MS,
  );
});
