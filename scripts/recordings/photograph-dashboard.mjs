// Pictures of the dashboard of a run, in the size of a recording.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { chromium } from "playwright-core";

import { CHROMIUM_ARGUMENTS, chromiumPath } from "../chromium.mjs";

const SIZE = { width: 1280, height: 613 };
const QUALITY = 76;
const GUESTBOOK = "webapp.demo/v1/guestbooks/default/guestbook-sample";
const VIEWS = [
  `#/objects?sel=${GUESTBOOK}`,
  `#/objects?sel=${GUESTBOOK}&tab=history`,
  "#/objects?as=graph&ns=default",
  "#/controllers?span=1m",
  "#/webhooks",
];

/** Opens the page at its one-time address, and yields a WebP of each view in turn. */
export async function* photographDashboard(address) {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error("there is no Chromium on the PATH or in KUBESCAFFOLD_CHROMIUM");
  const profile = mkdtempSync(path.join(tmpdir(), "kubescaffold-recording-profile-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: [...CHROMIUM_ARGUMENTS],
    viewport: SIZE,
    colorScheme: "dark",
    reducedMotion: "reduce",
  });
  try {
    const page = await context.newPage();
    await page.goto(address);
    await page.getByText("Manager ready").waitFor({ timeout: 60_000 });
    const session = await context.newCDPSession(page);
    for (const hash of VIEWS) {
      await page.evaluate((value) => {
        location.hash = value;
      }, hash);
      await page.waitForTimeout(2500);
      const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
      yield data;
    }
    await page.waitForTimeout(2500);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}
