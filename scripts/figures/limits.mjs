// The limits of the figures, and the table of CONTRIBUTING.md that states them.
import { readFileSync } from "node:fs";

/** The figures in their order: what is counted, the name of the flow if it is one, the limit, and the aim. */
export const LIMITS = JSON.parse(readFileSync(new URL("limits.json", import.meta.url), "utf8"));

const TITLE = "| Figure | At most | Aim |";

/** Returns a page with the current table of limits in place of the one that it has. Fails: if it has none. */
export function withTable(page) {
  const lines = page.split("\n");
  const start = lines.indexOf(TITLE);
  if (start < 0) throw new Error(`the page has no table that starts with ${TITLE}`);
  const length = lines.slice(start).findIndex((line) => !line.startsWith("|"));
  const rows = LIMITS.map(({ figure, atMost, aim }) => `| ${figure} | ${String(atMost)} | ${String(aim)} |`);
  return [...lines.slice(0, start), TITLE, "|---|---|---|", ...rows, ...lines.slice(start + length)].join("\n");
}
