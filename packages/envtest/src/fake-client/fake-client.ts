import { type ApiServer, createApiServer } from "@kubescaffold/apiserver";
import type { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { Clock } from "@kubescaffold/platform/clock";
import {
  createClient,
  type FieldIndexer,
  interceptedClient,
  type Interceptors,
  type LiveClient,
} from "@kubescaffold/runtime";

import { announcedVersion } from "../kubernetes-version/requested-version.ts";
import { catalogMapper } from "./catalog-mapper.ts";
import { type FieldIndex, FieldIndexes } from "./field-indexes.ts";
import { definitionsFor, type ServedKind } from "./served-kinds.ts";

/**
 * Options of {@link createFakeClient}.
 *
 * controller-runtime: pkg/client/fake.ClientBuilder
 */
export interface FakeClientOptions {
  /**
   * The objects that exist from the start, with all fields, status and finalizers included. They get defaults, but are not validated; their namespaces and
   * kinds exist, too. Their resourceVersion is replaced. Default: none.
   */
  readonly objects?: readonly KubernetesObject[];
  /** Custom kinds without a definition, in addition to those of the objects: any field is accepted. Default: none. */
  readonly kinds?: readonly ServedKind[];
  /** Kinds without a definition whose status is a subresource, so that other writes do not change it. Default: none. */
  readonly statusSubresources?: readonly ServedKind[];
  /** Definitions, for example from `readCrds`, whose kinds are validated, defaulted, and pruned as by a server. Default: none. */
  readonly crds?: readonly CustomResourceDefinition[];
  /** Indexes that lists select objects by, as those of a cache; `indexField` of the client adds more. Default: none. */
  readonly indexes?: readonly FieldIndex[];
  /** Replaces methods of the client and its subresources; they are called with the underlying client. Default: none. */
  readonly interceptors?: Interceptors;
  /** The clock of timestamps and timeouts. Default: the system clock. */
  readonly clock?: Clock;
  /**
   * The minor version of Kubernetes: 1.34 to 1.37. Default: `KUBESCAFFOLD_KUBERNETES_VERSION`, then that of PROJECT in the current folder or a parent, otherwise
   * 1.37.
   */
  readonly kubernetesVersion?: string;
}

/** A client for unit tests, with its own API server. */
export interface FakeClient extends LiveClient, FieldIndexer {
  /** The client below the interceptors. */
  readonly underlying: LiveClient;
  /** The server of this client only, with faults, audit log, and snapshots; `server.restConfig()` is for managers and caches. */
  readonly server: ApiServer;
}

/**
 * Creates a client for unit tests on its own API server, without sockets, controllers, authorization, or webhooks.
 *
 * Unlike upstream's, it behaves as a server: optimistic locking, generations, finalizers, server-side apply, selectors, watches, and the validation of built-in
 * kinds are those of the embedded API server.
 *
 * Guarantees: the objects exist when it returns; nothing needs to be closed.
 * Fails: {@link FakeClientOptionsError}, `KubernetesVersionError`, or `SeedObjectError` for an object that no server can store.
 *
 * controller-runtime: pkg/client/fake.NewClientBuilder
 *
 * @example
 * const client = createFakeClient({ objects: [guestbook], statusSubresources: [Guestbook] });
 * await new GuestbookReconciler(client).reconcile({ namespace: "default", name: "sample" }, reconcileContext());
 */
export function createFakeClient(options: FakeClientOptions = {}): FakeClient {
  const { objects = [], indexes = [], interceptors = {}, clock } = options;
  const timed = clock === undefined ? {} : { clock };
  const server = createApiServer({
    ...timed,
    kubernetesVersion: announcedVersion({ kubernetesVersion: options.kubernetesVersion }).minor,
    // Objects of Kubernetes are JSON by contract.
    seedObjects: [...definitionsFor({ ...options, indexed: indexes.map(({ kind }) => kind) }), ...objects] as never,
  });
  const restMapper = catalogMapper(server.context.resources);
  const fieldIndexes = new FieldIndexes(indexes);
  const underlying = fieldIndexes.serve(createClient(server.restConfig(), { ...timed, restMapper }));
  return {
    ...interceptedClient(underlying, interceptors),
    indexField: async (kind, field, valuesOf) => fieldIndexes.add({ kind, field, valuesOf }),
    underlying,
    server,
  };
}
