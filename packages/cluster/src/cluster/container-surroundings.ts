import {
  ADMIN,
  type ApiServer,
  issueToken,
  type Listener,
  loadOnce,
  type ServiceAccountTokenSigner,
} from "@kubescaffold/apiserver/cluster-api";
import type { Pod, ServiceAccountTokenProjection } from "@kubescaffold/k8s/core/v1";

import type { AdvertisedAddress } from "../controllers/server-endpoints.ts";
import type { ContainerRuntime, ContainerSurroundings } from "../kubelet/containers/container-runtime.ts";
import type { ClusterNetwork } from "../kubelet/containers/network/cluster-network.ts";

/** Inputs of the surroundings of containers, most of which exist only later. */
interface SurroundingParts {
  readonly server: () => ApiServer;
  readonly runtime: () => ContainerRuntime;
  readonly signer: ServiceAccountTokenSigner;
  readonly advertised: AdvertisedAddress;
  /** The listener that containers reach; undefined while there is none. */
  readonly listener: () => Listener | undefined;
}

/** Returns what the containers of a cluster reach: each other, the API server, and tokens of their service accounts. */
export function containerSurroundings(parts: SurroundingParts): ContainerSurroundings {
  const network = loadOnce(async () => await createNetwork(parts));
  return {
    networkOf: (client) => ({
      connect: async (host, port, { protocol = "TCP" } = {}) =>
        (await network()).connect(client, host, { port, protocol }),
      lookup: async (host) => (await network()).lookup(client, host),
      resolve: async (name, type) => (await network()).resolve(client, name, type),
    }),
    tokenFor: (pod, projection) => tokenFor(parts, pod, projection),
  };
}

async function createNetwork({ server, runtime, listener, advertised }: SurroundingParts): Promise<ClusterNetwork> {
  // Few containers connect to others.
  const [{ ClusterNetwork }, net] = await Promise.all([
    import("../kubelet/containers/network/cluster-network.ts"),
    import("node:net"),
  ]);
  const { clock, objects } = server().context;
  return new ClusterNetwork({
    objects,
    clock,
    runtime: runtime(),
    advertised: () => advertised.current,
    connectToServer: () => {
      const target = listener();
      return target === undefined ? undefined : net.connect({ host: target.host, port: target.port });
    },
  });
}

// Kubelets report an account that does not exist until it does; here the container starts without the token.
function tokenFor(
  { server, signer }: SurroundingParts,
  { metadata, spec }: Pod,
  { audience = "", expirationSeconds = DEFAULT_SECONDS }: ServiceAccountTokenProjection,
): string | undefined {
  const { namespace = "", name = "", uid = "" } = metadata;
  const account = spec?.serviceAccountName ?? "";
  const { context } = server();
  const key = { namespace, name: account };
  if (context.objects.get({ group: "", resource: "serviceaccounts" }, key) === undefined) return undefined;
  const object = {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    metadata: {},
    spec: {
      audiences: audience === "" ? [] : [audience],
      expirationSeconds,
      boundObjectRef: { apiVersion: "v1", kind: "Pod", name, uid },
    },
  };
  const answer = issueToken(context, signer, { ...key, user: ADMIN, object, isDryRun: false });
  return (answer["status"] as { readonly token?: string } | undefined)?.token;
}

const DEFAULT_SECONDS = 3600;
