import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { FakeFeed } from "../feed/fake-feed.ts";
import { scenario, summary } from "../feed/scenario.ts";
import { CHROMIUM, TestBrowser } from "./browser.ts";

describe.skipIf(CHROMIUM === undefined)("the connection in a browser", () => {
  let feed: FakeFeed;
  let browser: TestBrowser;
  beforeAll(async () => {
    feed = await FakeFeed.start(scenario(Date.now()));
    browser = await TestBrowser.start();
  });
  afterAll(async () => {
    await browser?.stop();
    await feed?.stop();
  });

  it("is opened again when it is lost, and forgets what it had", async () => {
    const answers = scenario(Date.now());
    const page = await browser.open(feed, "#/objects");
    await page.getByText("guestbook-sample-config").waitFor();
    feed.isRefusing = true;
    feed.dropStreams();
    await page.getByText("The session has ended.").waitFor();
    feed.setAnswers({
      messages: [
        ...answers.messages.filter((message) => message.type !== "object"),
        { type: "object", change: "existing", object: summary("ConfigMap", "after-restart", {}) },
      ],
    });
    feed.isRefusing = false;
    await page.getByText("after-restart").waitFor();
    expect(await page.getByText("guestbook-sample-config").count()).toBe(0);
    expect(await page.getByRole("alert").count()).toBe(0);
    await page.close();
  });

  it("says that what is shown is old while the process is gone", async () => {
    const other = await FakeFeed.start(scenario(Date.now()));
    const page = await browser.open(other, "#/controllers");
    await other.stop();
    await page.getByText("The connection is lost, and what you see is old.").waitFor();
    await page.getByText("Reconnecting").waitFor();
    expect(await page.getByRole("alert").count()).toBe(1);
    await page.close();
  });

  it("reports no error", () => {
    expect(browser.problems.filter((text) => !text.includes("ERR_CONNECTION_REFUSED"))).toEqual([]);
  });
});
