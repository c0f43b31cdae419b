import { describe, expect, it, onTestFinished } from "vitest";

import { CHROMIUM, TestBrowser } from "../../packages/dashboard/test/page/browser/browser.ts";
import { startDevOnExample } from "./dev-process.ts";

const LIVENESS_MS = 300_000;
const GUESTBOOK = "webapp.demo/v1/guestbooks/default/guestbook-sample";

describe.skipIf(CHROMIUM === undefined)("the page of the dashboard of scaffold dev", () => {
  it(
    "creates an object from a sample, and shows what the operator makes of it",
    async () => {
      const { dev } = startDevOnExample();
      await dev.waitForManager();
      const address = /^dashboard {4}(?<url>http:\S+)$/mu.exec(dev.output)?.groups?.["url"] ?? "";
      const browser = await TestBrowser.start();
      onTestFinished(() => browser.stop());
      const page = await browser.newPage();
      page.setDefaultTimeout(60_000);
      await page.goto(address);
      await page.getByText("Manager ready").waitFor();

      // The address has no token any more, which opens the page only once.
      expect(page.url()).not.toContain("token");
      await page.keyboard.press("6");
      const size = page.getByLabel("size", { exact: false }).first();
      await size.fill("11");
      await page.locator(".field", { hasText: "size" }).getByText("less than or equal to 10").waitFor();
      await size.fill("3");
      await page.locator(".dry-run", { hasText: /^ ?Valid(?:,|$)/u }).waitFor();
      await page.getByRole("button", { name: "Create" }).click();
      await page.getByRole("link", { name: "guestbook-sample" }).click();

      // Its Deployment gets three Pods, below it in the tree.
      await page.locator(".grid-row", { hasText: "Deployment" }).getByText("3/3").waitFor();
      expect(page.url()).toContain(`sel=${GUESTBOOK}`);
      await page.getByRole("tab", { name: "History" }).click();
      await page
        .getByRole("button", { name: /guestbook controller/u })
        .first()
        .click();
      await page.getByRole("link", { name: /^guestbook, reconcile/u }).click();
      await page.getByRole("complementary", { name: "Reconcile of default/guestbook-sample" }).waitFor();

      await page.keyboard.press("3");
      await page.getByRole("grid", { name: "Webhook calls" }).getByText("mutate").first().click();
      await page.getByRole("complementary", { name: "Webhook call" }).getByText("/mutate-", { exact: false }).waitFor();
      await page.keyboard.press("4");
      await page.getByRole("grid", { name: "Permissions" }).getByText("Used").first().waitFor();
      await page.keyboard.press("7");
      await page.getByRole("switch", { name: "Latency" }).click();
      await page.getByText("A fault is on").waitFor();
      await page.getByRole("switch", { name: "Latency" }).click();
      await page.getByText("A fault is on").waitFor({ state: "detached" });
      browser.requireNoProblems();
    },
    LIVENESS_MS,
  );
});
