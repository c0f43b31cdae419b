// The program of the thread that parses files: it loads its parsers at once, answers one question, and ends.
import { parentPort } from "node:worker_threads";

import { ts } from "ts-morph";

import { problemOf } from "./check-syntax.ts";
import type { SourceText } from "./syntax-thread.ts";
import { WARM_UP } from "./warm-up.ts";

parentPort?.once("message", (files: readonly SourceText[]) => {
  const problems = files.map((file) => problemOf(() => ts, file));
  parentPort?.postMessage(problems, []);
});

// Functions are compiled when they first run: in the time that the command plans. More runs take the time of the command's own thread.
for (const file of WARM_UP) problemOf(() => ts, file);
