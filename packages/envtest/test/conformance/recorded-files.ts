import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { RECORDED_MINOR, selectedRelease } from "./selected-release.ts";

/** Returns the text of a recorded file: that of the minor version that tests compare with, if it has one of its own, and otherwise the common one. */
export function readRecorded(folder: string, name: string, minor: string = selectedRelease().minor): string {
  const own = path.join(folder, minor, name);
  return readFileSync(existsSync(own) ? own : path.join(folder, name), "utf8");
}

/** Records a text for the minor version that tests compare with: another one than that of the common files has its own file only where the text differs. */
export function writeRecorded(
  folder: string,
  name: string,
  text: string,
  minor: string = selectedRelease().minor,
): void {
  const common = path.join(folder, name);
  if (minor === RECORDED_MINOR) {
    write(common, text);
    return;
  }
  const own = path.join(folder, minor, name);
  if (existsSync(common) && readFileSync(common, "utf8") === text) rmSync(own, { force: true });
  else write(own, text);
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
