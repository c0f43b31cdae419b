import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";

import { ROOT } from "../../architecture/source-files.ts";
import type { RecordedCommand } from "./normalize.ts";

const RECORDED_MINOR = "1.35";
const RECORDINGS = path.join(ROOT, "test", "e2e", "kubectl-recorded");

/** The minor of Kubernetes of kubectl and of both servers. */
export const COMPARED_MINOR: string = process.env["KUBESCAFFOLD_COMPARED_MINOR"] ?? RECORDED_MINOR;

type Commands = readonly RecordedCommand[];

/** Returns what the commands of a group wrote with kube-apiserver of the compared minor. */
export function readRecorded(group: string): Commands {
  const common = readCommands(fileOf(group, RECORDED_MINOR));
  const own = readCommands(fileOf(group, COMPARED_MINOR));
  return common.map((each) => own.find(({ command }) => command === each.command) ?? each);
}

/** Records what the commands of a group wrote; other minors have files with the commands alone that wrote otherwise. */
export function writeRecorded(group: string, ran: Commands): void {
  const file = fileOf(group, COMPARED_MINOR);
  const common = COMPARED_MINOR === RECORDED_MINOR ? [] : readCommands(fileOf(group, RECORDED_MINOR));
  const own = ran.filter((each) => !common.some((other) => isDeepStrictEqual(each, other)));
  if (own.length === 0) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(own, undefined, 2)}\n`);
}

function fileOf(group: string, minor: string): string {
  return path.join(RECORDINGS, minor === RECORDED_MINOR ? "" : minor, `${group}.json`);
}

function readCommands(file: string): Commands {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Commands) : [];
}
