import {
  ADMIN,
  issueToken,
  loadOnce,
  type ServerContext,
  type ServiceAccountTokenSigner,
} from "@kubescaffold/apiserver/cluster-api";
import type { Pod, ServiceAccountTokenProjection } from "@kubescaffold/k8s/core/v1";

import type { ContainerRuntime, ContainerSurroundings } from "../kubelet/containers/container-runtime.ts";
import type { ClusterNetwork } from "../kubelet/containers/network/cluster-network.ts";
import type { ServerPlace } from "./cluster-listener.ts";

/** Inputs of the surroundings of containers. */
interface SurroundingParts {
  readonly context: ServerContext;
  readonly signer: ServiceAccountTokenSigner;
  readonly place: ServerPlace;
}

/** Returns what the containers of a cluster reach: each other, the API server, and tokens of their service accounts. */
export function containerSurroundings(parts: SurroundingParts): ContainerSurroundings {
  return {
    kubeletMinor: parts.context.release.minor,
    networkAround: (runtime) => {
      const network = loadOnce(async () => await createNetwork(parts, runtime));
      return (client) => ({
        connect: async (host, port, { protocol = "TCP" } = {}) =>
          (await network()).connect(client, host, { port, protocol }),
        lookup: async (host) => (await network()).lookup(client, host),
        resolve: async (name, type) => (await network()).resolve(client, name, type),
      });
    },
    tokenFor: (pod, projection) => tokenFor(parts, pod, projection),
  };
}

async function createNetwork({ context, place }: SurroundingParts, runtime: ContainerRuntime): Promise<ClusterNetwork> {
  // Few containers connect to others.
  const [{ ClusterNetwork }, net] = await Promise.all([
    import("../kubelet/containers/network/cluster-network.ts"),
    import("node:net"),
  ]);
  const { clock, objects } = context;
  return new ClusterNetwork({
    objects,
    clock,
    runtime,
    advertised: place.advertised,
    connectToServer: () => {
      const { listener } = place;
      return listener === undefined ? undefined : net.connect({ host: listener.host, port: listener.port });
    },
  });
}

// Kubelets report an account that does not exist until it does; here the container starts without the token.
function tokenFor(
  { context, signer }: SurroundingParts,
  { metadata, spec }: Pod,
  { audience = "", expirationSeconds = DEFAULT_SECONDS }: ServiceAccountTokenProjection,
): string | undefined {
  const { namespace = "", name = "", uid = "" } = metadata;
  const account = spec?.serviceAccountName ?? "";
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
