import path from "node:path";

import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { kubeconfigOf } from "@kubescaffold/envtest";
import type { VerifyOptions } from "@kubescaffold/envtest/verify";
import { ignoreAlreadyExists } from "@kubescaffold/k8s";
import { Namespace, Secret } from "@kubescaffold/k8s/core/v1";
import { createClient } from "@kubescaffold/runtime";

import { DnsServer } from "../../../../examples/dnsrecord/test/dns/dns_server.ts";

/** What an example needs to be verified beside its project. */
export interface ExampleOperator {
  /** The options of `verifyOperator`. */
  readonly options: Partial<VerifyOptions>;
  /** Stops what the last run has used. */
  stop(): Promise<void>;
}

/** The folder of the examples. */
export const EXAMPLES: string = path.join(import.meta.dirname, "../../../../examples");

const NEEDED: Readonly<Record<string, () => ExampleOperator>> = {
  addingress: () => withoutStop({ samples: [path.join(EXAMPLES, "addingress/test/verify/service.yaml")] }),
  cronjob: () =>
    withoutStop({
      samples: [path.join(EXAMPLES, "cronjob/test/verify/cronjob.yaml")],
      env: { NODE_OPTIONS: "--import=./test/verify/tomorrow.mjs" },
    }),
  dnsrecord,
  multicluster,
};

/** Returns what an example needs: nothing for most of them. */
export function exampleOperator(name: string): ExampleOperator {
  return NEEDED[name]?.() ?? withoutStop({});
}

function withoutStop(options: Partial<VerifyOptions>): ExampleOperator {
  return { options, stop: async () => await Promise.resolve() };
}

// Each run has its own DNS API, whose records survive a crash of the operator.
function dnsrecord(): ExampleOperator {
  let server: DnsServer | undefined;
  const stop = async (): Promise<void> => await server?.stop();
  const prepare = async (cluster: EmbeddedCluster): Promise<void> => {
    await stop();
    server = await DnsServer.start({ token: "secret" });
    const { url, token } = server;
    const metadata = { name: "dns-api", namespace: "default" };
    await createClient(cluster.config).create(Secret.create({ metadata, stringData: { url, token } }));
  };
  return { options: { prepare }, stop };
}

// Each run has its own member cluster, which survives a crash of the operator.
function multicluster(): ExampleOperator {
  let member: EmbeddedCluster | undefined;
  const stop = async (): Promise<void> => await member?.close();
  const prepare = async (cluster: EmbeddedCluster): Promise<void> => {
    await stop();
    member = createEmbeddedCluster({ seed: 2, workloadSimulation: false });
    const { config } = await member.listen({ tls: true });
    const kubeconfig = kubeconfigOf(member.addUser({ name: "hub", groups: ["system:masters"] }, config));
    const namespace = "multicluster-system";
    const client = createClient(cluster.config);
    await ignoreAlreadyExists(client.create(Namespace.create({ metadata: { name: namespace } })));
    await client.create(
      Secret.create({
        metadata: { name: "east", namespace, labels: { "sigs.k8s.io/multicluster-runtime-kubeconfig": "true" } },
        stringData: { kubeconfig },
      }),
    );
  };
  return { options: { prepare }, stop };
}
