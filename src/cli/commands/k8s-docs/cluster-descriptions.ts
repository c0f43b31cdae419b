import { type Descriptions, type DescribedSchema, descriptionsIn } from "@kubescaffold/k8s/tables";
import { asRecord, asString } from "@kubescaffold/platform";

import { printable } from "../../../machinery/commit/project-paths.ts";
import type { Invocation } from "../../command/command.ts";
import { InputError } from "../../command/errors.ts";
import { readProgram } from "../../programs/run-program.ts";
import type { ClusterSource } from "./k8s-docs-options.ts";

type KubectlInvocation = Pick<Invocation, "cwd" | "terminal">;

/**
 * Reads the descriptions in the OpenAPI documents of a cluster's API server, with kubectl, which has the user's credentials.
 *
 * Fails: {@link InputError} for a server that publishes none, and as `readProgram`.
 */
export async function readClusterDescriptions(
  cluster: ClusterSource,
  invocation: KubectlInvocation,
): Promise<Descriptions> {
  const version = await readJson(cluster, invocation, "/version");
  const release = asString(version["gitVersion"]) ?? "";
  const { paths } = await readJson(cluster, invocation, "/openapi/v3");
  const definitions: Record<string, DescribedSchema> = {};
  for (const [path, entry] of Object.entries(asRecord(paths))) {
    if (!BUILT_IN_PATH.test(path)) continue;
    const document = await readJson(
      cluster,
      invocation,
      asString(asRecord(entry)["serverRelativeURL"]) ?? `/openapi/v3/${path}`,
    );
    const schemas = asRecord(asRecord(document["components"])["schemas"]);
    for (const [name, schema] of Object.entries(schemas)) {
      if (name.startsWith("io.k8s.")) definitions[name] = asRecord(schema);
    }
  }
  const types = descriptionsIn(definitions);
  if (!/^v\d+\.\d[\w.+-]*$/u.test(release) || types["core/v1.PodSpec"] === undefined) {
    throw new InputError(
      `cannot use the descriptions of the API server${release === "" ? "" : ` ${printable(release)}`}: it publishes none`,
      {
        hint: "use a cluster with kube-apiserver, or --from=package",
      },
    );
  }
  return { release: release.split("+", 1)[0] ?? release, source: `the API server ${release}`, types };
}

// The groups of Kubernetes have no dot, or end with k8s.io; of the latter, definitions may be custom.
const BUILT_IN_PATH = /^(?:api\/v\d\w*|apis\/(?:[^./]+|[^/]+\.k8s\.io)\/v\d\w*)$/u;

async function readJson(
  { kubectl, kubeconfig, context }: ClusterSource,
  invocation: KubectlInvocation,
  path: string,
): Promise<Readonly<Record<string, unknown>>> {
  const args = [
    ...(kubeconfig === undefined ? [] : [`--kubeconfig=${kubeconfig}`]),
    ...(context === undefined ? [] : [`--context=${context}`]),
  ];
  const text = await readProgram(kubectl, ["get", "--raw", path, ...args], { invocation });
  try {
    return asRecord(JSON.parse(text));
  } catch (cause) {
    throw new InputError(`cannot read ${path} of the API server: the response is not JSON`, {
      hint: "check that the context of the kubeconfig is that of a cluster",
      cause,
    });
  }
}
