import { readFile } from "node:fs/promises";

import type { ServerView } from "@kubescaffold/apiserver";
import type { EmbeddedCluster } from "@kubescaffold/cluster";
import type { GroupResource } from "@kubescaffold/k8s";
import { writePrivateFile } from "@kubescaffold/platform/files";

/** A server of the cluster for the operator alone, whose events can be held. */
export class OperatorView {
  readonly #view: ServerView;

  private constructor(view: ServerView) {
    this.#view = view;
  }

  /** Starts to listen, and makes the server that of a kubeconfig. */
  static async start(cluster: EmbeddedCluster, kubeconfigPath: string): Promise<OperatorView> {
    const view = cluster.server.viewAt(cluster.server.snapshot());
    view.catchUp();
    try {
      const { url } = await cluster.listen({ tls: true, view });
      await writePrivateFile(kubeconfigPath, withServer(await readFile(kubeconfigPath, "utf8"), url));
      return new OperatorView(view);
    } catch (error) {
      await view.close();
      throw error;
    }
  }

  /** Holds the events of all resources while work is done; the operator receives them at once afterward. */
  async unobserved(work: () => Promise<void>): Promise<void> {
    this.#view.hold();
    try {
      await work();
    } finally {
      this.#view.catchUp();
    }
  }

  /** Holds the events of a resource. */
  hold(resource: GroupResource): void {
    this.#view.hold(resource);
  }

  /** Sends the events of a resource that were held. */
  catchUp(resource: GroupResource): void {
    this.#view.catchUp(resource);
  }

  /** Ends the watches of the operator, and stops listening. */
  async close(): Promise<void> {
    await this.#view.close();
  }
}

function withServer(kubeconfig: string, url: string): string {
  const { clusters, ...others } = JSON.parse(kubeconfig) as {
    readonly clusters: readonly { readonly cluster: object }[];
  };
  return JSON.stringify({
    ...others,
    clusters: clusters.map((each) => ({ ...each, cluster: { ...each.cluster, server: url } })),
  });
}
