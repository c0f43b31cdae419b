import { createRequire } from "node:module";
import path from "node:path";

import { ts } from "ts-morph";

export { ts } from "ts-morph";

// The package typescript has no compiler API since version 7; that of ts-morph has no library files on disk.
const { resolve } = createRequire(createRequire(import.meta.url).resolve("typescript/package.json"));
const LIBRARY = path.join(
  path.dirname(resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`)),
  "lib",
);

/** Returns a host of the compiler that reads from the disk. */
export function compilerHost(options: ts.CompilerOptions): ts.CompilerHost {
  return {
    ...ts.createCompilerHost(options),
    getDefaultLibLocation: () => LIBRARY,
    getDefaultLibFileName: () => path.join(LIBRARY, ts.getDefaultLibFileName(options)),
  };
}
