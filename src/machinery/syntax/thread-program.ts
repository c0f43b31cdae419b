// The program of the thread that parses scripts: it loads the compiler at once, answers one question, and ends.
import { parentPort } from "node:worker_threads";

import { ts } from "ts-morph";

import { scriptProblem, type ScriptText } from "./syntax-thread.ts";

parentPort?.once("message", (scripts: readonly ScriptText[]) => {
  const problems = scripts.map((script) => scriptProblem(ts, script));
  parentPort?.postMessage(problems, []);
});
// The compiler is loaded when something of it is asked for.
void ts.ScriptTarget;
