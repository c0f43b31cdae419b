import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";

const COUNT = 20;
const LENGTH = 100_000;

it("events reach a pipe whole, also when its reader is slower than requests are", async () => {
  const program = fileURLToPath(new URL("logging-process.ts", import.meta.url));
  const args = ["--import", "tsx", "--conditions=@kubescaffold/source", program, String(COUNT), String(LENGTH)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    child.stdout.pause();
    setImmediate(() => child.stdout.resume());
  });
  await once(child.stdout, "end");
  expect(await exited).toEqual([0, null]);
  const [start, ...lines] = output.trimEnd().split("\n");
  expect(start).toBe("start");
  const events = lines.map((line) => JSON.parse(line) as { readonly auditID: string; readonly requestURI: string });
  expect(events.map(({ auditID }) => auditID)).toEqual(Array.from({ length: COUNT }, (_, index) => String(index)));
  expect(new Set(events.map(({ requestURI }) => requestURI))).toEqual(new Set(["é".repeat(LENGTH)]));
});
