// The memory of a manager on a real node, five minutes after its start, as `npm run test:node` measures it: `node bench/node-memory.mjs`.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { printTable, rowOf } from "./measuring.mjs";

const REST_SECONDS = 300;
const MOST_MIB = 85;

const { stdout, stderr, status } = spawnSync(
  process.execPath,
  ["scripts/test-node.mjs", "--required", "test/node/memory.test.ts"],
  {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    env: { ...process.env, KUBESCAFFOLD_NODE_REST_SECONDS: String(REST_SECONDS) },
    encoding: "utf8",
  },
);
const figures = /memory of the manager: (?<working>[\d.]+) MiB less inactive files, (?<peak>[\d.]+) MiB at most/u.exec(
  stdout,
);
if (status !== 0 || figures === null) throw new Error(`the manager's memory was not measured: ${stdout}${stderr}`);
const rows = [
  { title: "manager on a node: memory less inactive files", figure: figures.groups.working, max: MOST_MIB },
  { title: "the same: peak memory", figure: figures.groups.peak },
].map(({ title, figure, max }) => rowOf({ title, ours: [Number(figure)], max, unit: "MiB" }));
printTable(rows);
process.exitCode = rows.every(({ isKept }) => isKept) ? 0 : 1;
