// Commits the changes of the test in its own process and kills itself, without any chance to clean up, before the step it is told.
import process from "node:process";

import { commitActions } from "../../../src/machinery/commit/commit.ts";
import type { FileAction } from "../../../src/machinery/file-tree.ts";
import { watchedDisk, writeHalf } from "./faulty-disk.ts";

const [root = "", killAt = "0", actions = "[]"] = process.argv.slice(2);

const disk = watchedDisk((operation, step, args) => {
  if (step !== Number(killAt)) return;
  if (operation === "writeSynced") writeHalf(args);
  process.kill(process.pid, "SIGKILL");
});

await commitActions({
  root,
  command: "scaffold create api",
  actions: JSON.parse(actions) as FileAction[],
  last: "PROJECT",
  disk,
});
