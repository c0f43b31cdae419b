import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { FakeFeed } from "../feed/fake-feed.ts";
import { faults, scenario, summary } from "../feed/scenario.ts";
import { CHROMIUM, TestBrowser } from "./browser.ts";

const GUESTBOOK = "webapp.my.domain/v1/guestbooks/default/guestbook-sample";

describe.skipIf(CHROMIUM === undefined)("the views in a browser", () => {
  let feed: FakeFeed;
  let browser: TestBrowser;
  beforeAll(async () => {
    feed = await FakeFeed.start(scenario(Date.now()));
    browser = await TestBrowser.start();
  });
  afterEach(() => {
    browser.requireNoProblems();
    feed.sent.splice(0);
  });
  afterAll(async () => {
    await browser?.stop();
    await feed?.stop();
  });

  it("show the objects as a tree of owners, which the keyboard moves in", async () => {
    const page = await browser.open(feed, "#/objects");
    const grid = page.getByRole("treegrid", { name: "Objects" });
    const rows = grid.getByRole("row");
    await grid.getByText("guestbook-sample-6d4c9-x7x2p").waitFor();
    expect(await rows.count()).toBe(17);
    await page.keyboard.press("l");
    await page.keyboard.press("ArrowDown");
    expect(page.url()).toContain("sel=webapp.my.domain/v1/guestbooks/default/guestbook-sample");
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(() => document.querySelectorAll(".grid-body [role=row]").length === 10);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("j");
    expect(page.url()).toContain("/configmaps/default/guestbook-sample-config");
    await page.getByRole("complementary", { name: "ConfigMap guestbook-sample-config" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("complementary").waitFor({ state: "detached" });
    expect(page.url()).not.toContain("sel=");
    await page.close();
  });

  it("keep filters in the URL, so that a link reproduces them", async () => {
    const page = await browser.open(feed, "#/objects");
    await page.keyboard.press("n");
    await page.getByLabel("Namespace", { exact: true }).selectOption("staging");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    await page.getByPlaceholder("Search objects").fill("mm4tz");
    await page.waitForFunction(() => location.hash.includes("q=mm4tz"));
    const other = await browser.open(feed, new URL(page.url()).hash);
    const names = other.locator(".grid-body .grid-row:not(.is-context) .name");
    await names.first().waitFor();
    expect(await names.allTextContents()).toEqual(["staging-7f9b8-mm4tz"]);
    // Its owners are there for context.
    expect(await other.locator(".grid-body .grid-row.is-context .name").allTextContents()).toEqual([
      "staging",
      "staging",
      "staging-7f9b8",
    ]);
    await other.close();
    await page.close();
  });

  it("show the error of a manager that has exited, in every view", async () => {
    const page = await browser.open(feed, "#/permissions");
    const line = { type: "log", at: Date.now(), level: "error", logger: "", message: "cannot start" } as const;
    feed.push([
      { ...line, error: "the port 8081 is in use", hint: "choose another port" },
      { type: "manager", at: Date.now(), state: "exited", detail: "exit code 1" },
    ]);
    const error = page.getByRole("alert").getByRole("region", { name: "Error of the manager" });
    await error.waitFor();
    expect(await error.textContent()).toBe("cannot start: the port 8081 is in use\nhint: choose another port");
    feed.push([{ type: "manager", at: Date.now(), state: "ready" }]);
    await error.waitFor({ state: "detached" });
    await page.close();
  });

  it("follow changes of objects", async () => {
    const page = await browser.open(feed, `#/objects?sel=${GUESTBOOK}`);
    feed.push([{ type: "object", change: "created", object: summary("ConfigMap", "made-later", {}) }]);
    await page.getByText("made-later").waitFor();
    feed.push([{ type: "object", change: "deleted", object: summary("ConfigMap", "made-later", {}) }]);
    await page.getByText("made-later").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Deleted 1" }).click();
    await page.getByText("made-later").waitFor();
    expect(await page.locator(".grid-row.is-deleted .name").allTextContents()).toEqual(["made-later"]);
    await page.close();
  });

  it("show versions of an object with who wrote them, and lead to the reconcile that did", async () => {
    const page = await browser.open(feed, `#/objects?sel=${GUESTBOOK}&tab=history`);
    await page.getByRole("button", { name: /kubectl patch/u }).click();
    await page.locator(".diff-added", { hasText: "size: 2" }).waitFor();
    expect(page.url()).toContain("version=1189");
    await page.getByRole("button", { name: /guestbook controller/u }).click();
    await page.getByRole("link", { name: /reconcile 3f2a1000/u }).click();
    await page.getByRole("complementary", { name: "Reconcile of default/guestbook-sample" }).waitFor();
    await page.getByRole("link", { name: "1189" }).click();
    await page.locator(".diff-added", { hasText: "size: 2" }).waitFor();
    await page.getByRole("tab", { name: "Field owners" }).click();
    await page.getByText("status.readyReplicas", { exact: true }).waitFor();
    await page.getByRole("tab", { name: "YAML" }).click();
    await page.getByRole("region", { name: "YAML of guestbook-sample" }).waitFor();
    await page.close();
  });

  it("draw the graph of owners, whose nodes the arrow keys reach", async () => {
    const page = await browser.open(feed, "#/objects");
    await page.keyboard.press("g");
    const node = page.getByRole("button", { name: "Guestbook default/guestbook-sample" });
    await node.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.getByRole("complementary").waitFor();
    expect(page.url()).toContain("as=graph");
    expect(await page.locator(".graph-line").count()).toBe(9);
    await page.close();
  });

  it("show reconciles, their log lines, and what they wrote", async () => {
    const page = await browser.open(feed, "#/controllers");
    await page.getByRole("button", { name: "Errors" }).click();
    const failed = page.getByRole("grid", { name: "Reconciles" }).getByText("staging/staging");
    await failed.first().click();
    const panel = page.getByRole("complementary");
    await panel.getByText("Reconcile failed").waitFor();
    await panel.getByRole("heading", { name: "Error Forbidden" }).waitFor();
    await panel.getByRole("link", { name: "Log lines of this reconcile" }).click();
    const lines = page.getByRole("grid", { name: "Events and logs" });
    await lines.getByText("Reconcile failed").waitFor();
    expect(await page.locator(".status-line").textContent()).toMatch(/^1 line of reconcile/u);
    await page.close();
  });

  it("open the reconcile that is clicked in the timeline", async () => {
    const page = await browser.open(feed, "#/controllers?span=15m");
    await page.getByRole("button", { name: "Pause" }).click();
    const canvas = page.locator(".timeline-plot canvas");
    const box = await canvas.boundingBox();
    // The last five minutes are at the right.
    for (let x = (box?.width ?? 0) - 30; x > 0 && !page.url().includes("sel="); x -= 3)
      await canvas.click({ position: { x, y: 11 } });
    await page.getByRole("complementary", { name: /^Reconcile of/u }).waitFor();
    expect(page.url()).toMatch(/sel=3f2a/u);
    await page.close();
  });

  it("show calls of webhooks with patch, request, and response", async () => {
    const page = await browser.open(feed, "#/webhooks");
    await page.getByRole("grid", { name: "Webhook calls" }).getByText("mutate").click();
    await page.getByRole("tab", { name: "Patch 1" }).click();
    await page.getByRole("cell", { name: "/spec/size" }).waitFor();
    await page.getByRole("tab", { name: "Response" }).click();
    await page.getByText("patchType").waitFor();
    expect(await page.getByRole("tab", { selected: true }).textContent()).toBe("Response");
    await page.close();
  });

  it("show permissions with the marker to copy, denied ones first", async () => {
    const page = await browser.open(feed, "#/permissions");
    const grid = page.getByRole("grid", { name: "Permissions" });
    expect(await grid.getByRole("row").nth(1).textContent()).toContain("Denied");
    await page.getByRole("button", { name: "Denied 1" }).click();
    await grid.getByRole("button", { name: "Copy" }).click();
    await grid.getByText("Copied").waitFor();
    await page.close();
  });

  it("turn faults on, and say so in every view", async () => {
    const page = await browser.open(feed, "#/faults");
    await page.getByRole("switch", { name: "Latency" }).click();
    await expect.poll(() => feed.sent).toEqual([{ path: "/api/faults", body: { name: "latency", isOn: true } }]);
    feed.push(faults("latency"));
    await page.getByText("A fault is on: Latency.").waitFor();
    await page.keyboard.press("1");
    await page.getByText("A fault is on: Latency.").waitFor();
    feed.push(faults());
    await page.getByText("A fault is on: Latency.").waitFor({ state: "detached" });
    await page.close();
  });

  it("follow the log until a line is selected, and search in it", async () => {
    const page = await browser.open(feed, "#/logs");
    const at = Date.now();
    feed.push([{ type: "log", at, level: "info", logger: "setup", message: "a line that comes late" }]);
    await page.getByText("a line that comes late").waitFor();
    await page.getByText("a line that comes late").click();
    expect(await page.getByRole("button", { name: "Follow" }).getAttribute("aria-pressed")).toBe("false");
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    await page.keyboard.type("quota FailedCreate");
    await page.getByText("1 line", { exact: true }).waitFor();
    await page.close();
  });

  it("list the findings in the sources", async () => {
    const page = await browser.open(feed, "#/objects");
    await page.getByRole("link", { name: "Sources: 1 warning" }).click();
    await page.getByText("api/v1/guestbook_types.ts:14:6").waitFor();
    expect(await page.locator(".finding .hint").textContent()).toContain("did you mean");
    await page.close();
  });

  it("ask before an object is deleted", async () => {
    const page = await browser.open(feed, `#/objects?sel=${GUESTBOOK}`);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Delete Guestbook guestbook-sample?" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(feed.sent).toEqual([]);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(feed.sent).toEqual([
      {
        path: "/api/delete",
        body: {
          apiVersion: "webapp.my.domain/v1",
          resource: "guestbooks",
          namespace: "default",
          name: "guestbook-sample",
        },
      },
    ]);
    await page.close();
  });

  it("list the shortcuts, and turn them off", async () => {
    const page = await browser.open(feed, "#/objects");
    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await dialog.getByLabel("Shortcuts of one character").uncheck();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("2");
    expect(page.url()).toContain("#/objects");
    await page.getByRole("button", { name: "Help" }).click();
    await dialog.getByLabel("Shortcuts of one character").check();
    await page.close();
  });

  it("have no buttons that change something without the capability", async () => {
    const answers = scenario(Date.now());
    const readOnly = await FakeFeed.start({
      ...answers,
      messages: answers.messages.map((message) =>
        message.type === "hello" ? { ...message, mode: "cluster", capabilities: ["metrics"] } : message,
      ),
    });
    const page = await browser.open(readOnly, `#/objects?sel=${GUESTBOOK}`);
    await page.getByRole("complementary").waitFor();
    expect(await page.getByRole("button", { name: "Delete", exact: true }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Restart" }).count()).toBe(0);
    expect(await page.getByRole("tab", { name: "History" }).count()).toBe(0);
    expect(await page.getByRole("navigation").getByRole("link").allTextContents()).toHaveLength(4);
    await page.close();
    await readOnly.stop();
  });

  it("show 10,000 objects, of which few rows are rendered", async () => {
    const objects = Array.from({ length: 10_000 }, (_unused, index) => ({
      type: "object" as const,
      change: "existing" as const,
      object: summary("ConfigMap", `map-${String(index).padStart(5, "0")}`, {}),
    }));
    const answers = scenario(Date.now());
    const large = await FakeFeed.start({ ...answers, messages: [...answers.messages, ...objects] });
    const page = await browser.open(large, "#/objects");
    await page.getByText("10,016 objects").waitFor();
    await page.keyboard.press("l");
    await page.keyboard.press("End");
    expect(page.url()).toContain("sel=v1/namespaces");
    expect(await page.locator(".grid-body .grid-row").count()).toBeLessThan(80);
    await page.getByPlaceholder("Search objects").fill("map-09999");
    await page.getByText("1 object of 10,016 objects").waitFor();
    await page.close();
    await large.stop();
  });
});
