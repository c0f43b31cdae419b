import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { chromium, type BrowserContext, type Page } from "playwright-core";

import { importScript } from "../../../../../test/support/import-script.ts";
import type { FakeFeed } from "../feed/fake-feed.ts";

const script = await importScript<{
  readonly chromiumPath: () => string | undefined;
  readonly CHROMIUM_ARGUMENTS: readonly string[];
}>("chromium.mjs");

/** The path of Chromium; undefined where the browser tests are skipped. */
export const CHROMIUM: string | undefined = script.chromiumPath();

if (CHROMIUM === undefined)
  console.warn(
    "There is no Chromium on the PATH or in KUBESCAFFOLD_CHROMIUM. NOT run: the browser tests of the dashboard.",
  );

/** A browser with its own profile, and the problems that its pages report. */
export class TestBrowser {
  /** Errors of scripts, and messages of the console such as violations of the content security policy. */
  readonly problems: string[] = [];
  readonly #context: BrowserContext;
  readonly #profile: string;

  private constructor(context: BrowserContext, profile: string) {
    this.#context = context;
    this.#profile = profile;
  }

  static async start(): Promise<TestBrowser> {
    const profile = mkdtempSync(path.join(tmpdir(), "kubescaffold-chromium-"));
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: CHROMIUM ?? "chromium",
      args: [...script.CHROMIUM_ARGUMENTS],
      viewport: { width: 1360, height: 800 },
      reducedMotion: "reduce",
    });
    context.setDefaultTimeout(10_000);
    return new TestBrowser(context, profile);
  }

  /** Records categories of Chromium's trace while something runs, and returns the trace as JSON. */
  async trace(categories: string[], run: () => Promise<void>): Promise<string> {
    const browser = this.#context.browser();
    if (browser === null) throw new Error("the context has no browser");
    await browser.startTracing(undefined, { categories });
    await run();
    return (await browser.stopTracing()).toString("utf8");
  }

  /** Opens the page at a route, and waits until it has received the stream. */
  async open(feed: FakeFeed, hash: string, theme: "light" | "dark" = "light"): Promise<Page> {
    const page = await this.newPage();
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await page.goto(feed.url + hash);
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByText("Manager ready").waitFor();
    return page;
  }

  /** Opens an empty page. */
  async newPage(): Promise<Page> {
    const page = await this.#context.newPage();
    page.on("pageerror", (error) => this.problems.push(error.stack ?? error.message));
    page.on("console", (message) => {
      if (message.type() !== "error" && message.type() !== "warning") return;
      // Chromium reports each failed response, also those that a test provokes.
      if (!message.text().startsWith("Failed to load resource")) this.problems.push(message.text());
    });
    return page;
  }

  /** Throws if a page reported something since the last call. */
  requireNoProblems(): void {
    const problems = this.problems.splice(0);
    if (problems.length > 0) throw new Error(`the page reported problems:\n${problems.join("\n")}`);
  }

  async stop(): Promise<void> {
    await this.#context.close();
    rmSync(this.#profile, { recursive: true, force: true });
  }
}
