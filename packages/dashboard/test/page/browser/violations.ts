import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** A place of the page, and what to check there. */
export interface Check {
  readonly place: string;
  /** All rules, if it is empty. */
  readonly rules: readonly string[];
}

/** Loads axe into a page: the content security policy allows no inserted script, but what the debugger evaluates. */
export async function loadAxe(page: Page): Promise<void> {
  await page.evaluate(readFileSync(AXE, "utf8"));
}

/** Returns what axe finds in a page. */
export async function violations(page: Page, { place, rules }: Check): Promise<readonly string[]> {
  const results = await page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as {
      readonly axe: { readonly run: (options: object) => Promise<AxeResults> };
    };
    return await axe.run(runOnly.length === 0 ? {} : { runOnly });
  }, rules);
  return results.violations.map(
    ({ id, help, nodes }) =>
      `${place}: ${id}: ${help}: ${nodes
        .slice(0, 3)
        .map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary ?? ""}`)
        .join(" | ")}`,
  );
}
