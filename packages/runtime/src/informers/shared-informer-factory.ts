import { type GroupVersionKind, gvkToString } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import { createListWatch } from "../cache/list-watch.ts";
import type { KindRef, LiveClient, UnstructuredObject } from "../client/client.ts";
import {
  type InformerFactory,
  type InformerFactoryOptions,
  type InformerWithLister,
  SharedInformers,
} from "./informer-factory.ts";

/**
 * Informers by kind, one for each kind: a program without a manager shares them among its parts.
 *
 * Programs with a manager use its cache, which also starts informers for reads, and has scopes by kind and namespace.
 *
 * client-go: informers.SharedInformerFactory
 */
export interface SharedInformerFactory extends InformerFactory<GroupVersionKind> {
  /** Returns the informer of a kind; of a plain group, version, and kind, its objects have no static type. */
  forKind<T extends KubernetesObject = UnstructuredObject>(kind: KindRef<T>): InformerWithLister<T>;
}

/**
 * Creates a factory of informers by kind.
 *
 * client-go: informers.NewSharedInformerFactoryWithOptions
 *
 * @example
 * const factory = createSharedInformerFactory(createClient(getConfig()), { namespace: "default" });
 * const { informer, lister } = factory.forKind(Pod);
 * factory.start(signal);
 * await factory.waitForCacheSync(signal);
 * console.log(lister.list().length);
 */
export function createSharedInformerFactory(
  client: LiveClient,
  options: InformerFactoryOptions<GroupVersionKind> = {},
): SharedInformerFactory {
  const informers = new SharedInformers(options);
  return {
    forKind: (kind) =>
      informers.informerFor({
        target: kind,
        name: gvkToString(kind),
        kind,
        listWatchIn: (namespace) => createListWatch(client, kind, namespace === "" ? {} : { namespace }),
      }),
    start: (signal) => informers.start(signal),
    waitForCacheSync: (signal) => informers.waitForCacheSync(signal),
    shutdown: () => informers.shutdown(),
  };
}
