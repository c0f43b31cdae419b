// `npm run test:oracle`: random input to controller-gen and to our generators, and the answers side by side; then random objects to Go's
// serializers and to the protocol buffers of the embedded server.
//
// node scripts/test-oracle.mjs [--packages 200] [--seed N] [--generator crd|rbac|webhook] [--only generate|markers|yaml|plurals]
//
// With --record the answers that `npm test` compares with are overwritten.
// Ends with status 1 at a difference that docs/verification/generator-differences.md does not list. The seeds are printed; a seed
// given again makes the same input.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { DEFAULT_MINOR } from "./control-plane-pins.mjs";
import { CACHE, installControllerGen, prepareModule, run } from "./controller-gen.mjs";
import { ROOT, ensureInstalled, runStatus } from "./ensure-installed.mjs";
import { EXECUTABLE_SUFFIX, goVersion } from "./go-programs.mjs";
import { compareWithGo } from "./protobuf-oracle.mjs";

if (goVersion() === undefined) {
  console.log("****************************************************************************");
  console.log("* SKIPPED: nothing was compared with controller-gen.                       *");
  console.log("* The oracle tests need Go 1.26 or later on the PATH; `npm test` compares  *");
  console.log("* with recorded answers all the same.                                      *");
  console.log("****************************************************************************");
  process.exit(0);
}

ensureInstalled();
const folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-oracle-"));
let status = 1;
try {
  status = runStatus(process.execPath, [
    "--import",
    "tsx",
    "--conditions=@kubescaffold/source",
    path.join(ROOT, "packages", "generators", "test", "oracle", "run-oracle.ts"),
    JSON.stringify({
      oracle: buildOracle(),
      controllerGen: installControllerGen(),
      module: copyModule(),
      flect: flectFolder(),
    }),
    ...process.argv.slice(2),
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(compareWithGo() === 0 ? status : 1);

function buildOracle() {
  const program = path.join(CACHE, `oracle${EXECUTABLE_SUFFIX}`);
  run("go", ["build", "-o", program, "."], {
    cwd: path.join(ROOT, "hack", "oracle"),
    env: { ...process.env, GOFLAGS: "-mod=readonly" },
  });
  return program;
}

// The packages of each run are in their own module, so that several runs do not meet.
function copyModule() {
  const module = prepareModule(DEFAULT_MINOR);
  mkdirSync(path.join(folder, "anchor"));
  for (const file of ["go.mod", "go.sum", "anchor/anchor.go"]) {
    if (existsSync(path.join(module, file))) copyFileSync(path.join(module, file), path.join(folder, file));
  }
  return folder;
}

function flectFolder() {
  return run("go", ["list", "-m", "-f", "{{.Dir}}", "github.com/gobuffalo/flect"], {
    cwd: path.join(ROOT, "hack", "oracle"),
  }).trim();
}
