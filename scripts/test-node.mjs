// `npm run test:node`: runs the tests of test/node on a real node, which has a kubelet, containerd, and runc, in namespaces of its own.
// Where something is missing, prints one line that says what, and exits with status 0; `--required` makes that an error. `--kubernetes 1.37` selects another minor; other arguments go to vitest.
import path from "node:path";

import { buildControlPlane, buildKubelet } from "./build-control-plane.mjs";
import { pinnedMinors, selectedMinor, withoutSelection } from "./control-plane-pins.mjs";
import { ROOT, binOf, ensureInstalled, run } from "./ensure-installed.mjs";
import { installNodeProgram } from "./node/node-program.mjs";
import { missingPrerequisites } from "./node/prerequisites.mjs";
import { runInSandbox } from "./node/sandbox.mjs";
import { buildPinnedTool } from "./pinned-go-tool.mjs";

const args = process.argv.slice(2);
const missing = missingPrerequisites();
if (missing.length > 0) {
  console.log(`SKIPPED: the tests on a real node did NOT run, since there is no ${missing.join(", no ")}`);
  process.exit(args.includes("--required") ? 1 : 0);
}

ensureInstalled();
// The newest minor, unless another one is selected: each needs about ten minutes of a processor to build.
const minor = args.some((word) => word.startsWith("--kubernetes")) ? selectedMinor(args) : pinnedMinors().at(-1);
const variables = {
  KUBESCAFFOLD_NODE_CONTROL_PLANE: buildControlPlane({ minor }),
  KUBESCAFFOLD_NODE_KUBELET: path.join(buildKubelet({ minor }), "kubelet"),
  KUBESCAFFOLD_NODE_PROGRAM: installNodeProgram(),
  KUBESCAFFOLD_HELM: buildPinnedTool("helm"),
};
run(process.execPath, [path.join(ROOT, "scripts", "build.mjs")]);
const vitest = [binOf("vitest"), "run", "--project=node", "--maxWorkers=1"];
const selection = withoutSelection(args).filter((word) => word !== "--required");
process.exitCode = await runInSandbox([process.execPath, ...vitest, ...selection], { cwd: ROOT, variables });
