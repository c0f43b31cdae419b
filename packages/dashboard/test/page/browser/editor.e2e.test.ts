import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { FakeFeed } from "../feed/fake-feed.ts";
import { scenario } from "../feed/scenario.ts";
import { CHROMIUM, TestBrowser } from "./browser.ts";

describe.skipIf(CHROMIUM === undefined)("the editor in a browser", () => {
  let feed: FakeFeed;
  let browser: TestBrowser;
  beforeAll(async () => {
    feed = await FakeFeed.start(scenario(Date.now()));
    browser = await TestBrowser.start();
  });
  afterEach(() => {
    browser.requireNoProblems();
  });
  afterAll(async () => {
    await browser?.stop();
    await feed?.stop();
  });

  it("edits the YAML of a sample with a form, and keeps its comments", async () => {
    const page = await browser.open(feed, "#/editor");
    const text = page.getByRole("textbox", { name: "YAML of the object" });
    await page.getByLabel("size", { exact: false }).first().fill("5");
    await page.getByLabel("storage", { exact: false }).selectOption("redis");
    await page.getByRole("button", { name: "Add redis" }).click();
    await page.getByLabel("address", { exact: false }).fill("redis:6379");
    await page.getByRole("button", { name: "Add moderators" }).click();
    await page.getByRole("button", { name: "Add item to moderators" }).click();
    await page.getByLabel("moderators[0]", { exact: false }).fill("ada");
    await page.getByLabel("port", { exact: false }).fill("8080");
    expect(await text.inputValue()).toBe(`# A guestbook for guests
apiVersion: webapp.my.domain/v1
kind: Guestbook
metadata:
  name: guestbook-sample
  namespace: default
spec:
  size: 5 # replicas
  title: Guests
  storage: redis
  redis:
    address: redis:6379
  moderators:
    - ada
  port: 8080
`);
    await page.close();
  });

  it("offers the kinds of a manager that has started again, and keeps what was typed", async () => {
    const { kinds } = scenario(Date.now());
    const page = await browser.open(feed, "#/editor");
    const text = page.getByRole("textbox", { name: "YAML of the object" });
    await text.fill((await text.inputValue()).replace("title: Guests", "title: Visitors"));
    feed.setAnswers({ kinds: [...kinds, ...kinds.slice(-1).map((kind) => ({ ...kind, kind: "Latecomer" }))] });
    feed.push([{ type: "manager", at: Date.now(), state: "ready", pid: 1 }]);
    await page.locator("option", { hasText: "Latecomer" }).waitFor({ state: "attached" });
    expect(await text.inputValue()).toContain("title: Visitors");
    feed.setAnswers({ kinds });
    await page.close();
  });

  it("follows what is typed into the YAML", async () => {
    const page = await browser.open(feed, "#/editor");
    const text = page.getByRole("textbox", { name: "YAML of the object" });
    await text.fill((await text.inputValue()).replace("title: Guests", "title: Visitors"));
    expect(await page.getByLabel("title", { exact: false }).inputValue()).toBe("Visitors");
    await text.fill("spec:\n  size: [");
    await page.getByText("The form returns when the YAML is valid.").waitFor();
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("button", { name: "Create" }).isDisabled()).toBe(true);
    await page.close();
  });

  it("shows what the server refuses at the field, before anything is written", async () => {
    feed.sent.splice(0);
    const page = await browser.open(feed, "#/editor");
    await page.getByText("Valid", { exact: true }).waitFor();
    const size = page.getByLabel("size", { exact: false }).first();
    await size.fill("11");
    await page.locator(".field", { hasText: "size" }).getByText("less than or equal to 10").waitFor();
    expect(await size.getAttribute("aria-invalid")).toBe("true");
    await page.getByRole("button", { name: "spec.size" }).click();
    expect(await size.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(feed.sent.every(({ body }) => (body as { readonly isDryRun: boolean }).isDryRun)).toBe(true);
    await size.fill("3");
    await page.getByText("Valid", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText("was written").waitFor();
    expect(feed.sent.at(-1)?.body).toMatchObject({ isDryRun: false });
    await page.getByRole("link", { name: "guestbook-sample" }).click();
    await page.getByRole("complementary", { name: "Guestbook guestbook-sample" }).waitFor();
    await page.close();
  });

  it("edits an object without what the server writes", async () => {
    const page = await browser.open(feed, "#/objects?sel=webapp.my.domain/v1/guestbooks/default/guestbook-sample");
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByRole("button", { name: "Apply" }).waitFor();
    const text = await page.getByRole("textbox", { name: "YAML of the object" }).inputValue();
    expect(text).toContain("title: Guests");
    expect(text).not.toMatch(/status|resourceVersion|uid/u);
    await page.close();
  });

  it("starts with what a kind requires, and has no form for kinds without a schema", async () => {
    const page = await browser.open(feed, "#/editor");
    await page.getByLabel("Kind").selectOption("v1/ConfigMap");
    await page.getByText("Forms exist for the kinds of the project.").waitFor();
    expect(await page.getByRole("textbox", { name: "YAML of the object" }).inputValue()).toContain("kind: ConfigMap");
    await page.close();
  });
});
