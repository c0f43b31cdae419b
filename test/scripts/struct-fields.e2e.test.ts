import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";

const MODULE = fileURLToPath(new URL("../../scripts/k8s-structs", import.meta.url));
const LIVENESS_MS = 500_000;
const hasGo = spawnSync("go", ["version"]).status === 0;
if (!hasGo)
  console.warn("SKIPPED: the program that reads fields of structs was NOT tested, since there is no Go on the PATH");

it.skipIf(!hasGo)("the fields of structs that are read are those of encoding/json", { timeout: LIVENESS_MS }, () => {
  const options = { cwd: MODULE, env: { ...process.env, GOWORK: "off" }, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync("go", ["test", "-mod=readonly", "./fields"], options);
  expect({ status, stdout, stderr }).toMatchObject({ status: 0 });
});
