import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

import { resolveAsset } from "../../src/control-plane/assets.ts";
import { Environment } from "../../src/environment/environment.ts";
import type { Feature } from "./row.ts";
import { selectedRelease } from "./selected-release.ts";
import type { ConformanceTarget } from "./target.ts";

/** Starts the embedded server with all its controllers; rows reach it through its TLS listener, as they reach the real one. */
export async function startEmbeddedTarget(): Promise<ConformanceTarget> {
  const environment = new Environment({
    backend: "embedded",
    kubernetesVersion: selectedRelease().minor,
    controllers: true,
    workloads: true,
  });
  await environment.start();
  const admin = await environment.listen();
  const kubectl = await findKubectl();
  return {
    kind: "embedded",
    admin,
    ...(kubectl === undefined ? {} : { kubectl }),
    features: new Set<Feature>(["controllers", "workloads", ...(kubectl === undefined ? [] : (["kubectl"] as const))]),
    user: async (name) => environment.addUser({ name }),
    stop: async () => environment.stop(),
  };
}

// The one of the built control plane, else one on the PATH with the same minor version: others have other flags and messages.
async function findKubectl(): Promise<string | undefined> {
  try {
    return await resolveAsset("kubectl", { minor: selectedRelease().minor });
  } catch {
    const found = await findOnPath("kubectl");
    return found !== undefined && (await minorVersionOf(found)) === selectedRelease().minor.slice(2)
      ? found
      : undefined;
  }
}

async function minorVersionOf(kubectl: string): Promise<string | undefined> {
  const { stdout } = await promisify(execFile)(kubectl, ["version", "--client", "--output=json"]);
  return /"minor": "(?<minor>\d+)/u.exec(stdout)?.groups?.["minor"];
}

async function findOnPath(program: string): Promise<string | undefined> {
  for (const folder of (process.env["PATH"] ?? "").split(path.delimiter)) {
    const file = path.join(folder, program);
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  return undefined;
}
