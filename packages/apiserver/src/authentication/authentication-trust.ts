import { isAlreadyExists, isConflict, isNotFound } from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import { type Controller, type ControllerIdentity, defineController } from "../controllers/define-controller.ts";
import type { PublishedValue } from "../controllers/published-value.ts";
import { storeController } from "../controllers/store-controller.ts";
import type { InProcessController, ServerContext } from "../pipeline/server-context.ts";
import type { JsonObject } from "../storage/api-object.ts";

const CONFIG_MAPS = { group: "", version: "v1", resource: "configmaps" } as const;
const PLACE = { namespace: "kube-system", name: "extension-apiserver-authentication" } as const;

/** The user of the client certificate with which the server passes requests on to other API servers. */
export const FRONT_PROXY_USER = "front-proxy-client";

/** Keeps the ConfigMap that tells other API servers whom to trust: clients, and this server when it passes their requests on. */
export const AUTHENTICATION_TRUST: Controller<TrustParts> = defineController({
  name: "authentication-trust",
  create: createController,
});

/** What the controller of the trust needs. */
export interface TrustParts {
  /** The certificate of the authority that serves the cluster, as PEM text. */
  readonly rootCa: PublishedValue<string>;
}

function createController(
  context: ServerContext,
  self: ControllerIdentity,
  { rootCa }: TrustParts,
): InProcessController {
  const client = context.clientFor(self.user);
  return storeController({
    name: self.name,
    context,
    watches: [CONFIG_MAPS],
    keysOf: ({ object: { metadata }, kind }) =>
      metadata.namespace === PLACE.namespace && metadata.name === PLACE.name && kind !== "added" ? [PLACE.name] : [],
    initialKeys: () => [PLACE.name],
    subscribe: (add) => rootCa.onPublish(() => add([PLACE.name])),
    work: async () => {
      const cert = rootCa.current;
      if (cert === undefined) return;
      const stored = context.objects.get(CONFIG_MAPS, PLACE);
      const data = trustData(cert);
      if (stored !== undefined && deepEqual(stored["data"], data)) return;
      try {
        const object: JsonObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { ...PLACE }, data };
        if (stored === undefined) await client.create({ ...CONFIG_MAPS, ...PLACE, name: "" }, object);
        else await client.update({ ...CONFIG_MAPS, ...PLACE }, { ...(stored as unknown as JsonObject), data });
      } catch (error) {
        // Another change leads here again.
        if (!isAlreadyExists(error) && !isNotFound(error) && !isConflict(error)) throw error;
      }
    },
  });
}

function trustData(ca: string): Readonly<Record<string, string>> {
  return {
    "client-ca-file": ca,
    "requestheader-allowed-names": JSON.stringify([FRONT_PROXY_USER]),
    "requestheader-client-ca-file": ca,
    "requestheader-extra-headers-prefix": JSON.stringify(["X-Remote-Extra-"]),
    "requestheader-group-headers": JSON.stringify(["X-Remote-Group"]),
    "requestheader-uid-headers": JSON.stringify(["X-Remote-Uid"]),
    "requestheader-username-headers": JSON.stringify(["X-Remote-User"]),
  };
}
