// `npm test`: installs and builds what is missing, then runs the tests; arguments go to vitest.
import { binOf, ensureInstalled, run } from "./ensure-installed.mjs";

ensureInstalled();
run(process.execPath, ["scripts/build.mjs"]);
run(process.execPath, [binOf("vitest"), "run", ...process.argv.slice(2)]);
