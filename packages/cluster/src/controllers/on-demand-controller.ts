import type { ApiObject, InProcessController, ServerContext, StoreEvent } from "@kubescaffold/apiserver/cluster-api";
import type { GroupResource } from "@kubescaffold/k8s";

/** Creates a controller of a server. */
type ControllerFactory = (context: ServerContext) => InProcessController;

/** Objects that need a controller. */
export interface Demand {
  readonly resources: readonly GroupResource[];
  /** Default: all objects of the resources. */
  readonly isNeededBy?: (object: ApiObject) => boolean;
  /** Whether any change needs the controller, also of other objects. Default: false. */
  readonly isNeededByChanges?: boolean;
}

/** Returns a factory of a controller whose module is loaded when the first object exists that needs it. */
export function onDemandController(
  name: string,
  { resources, isNeededBy = () => true, isNeededByChanges = false }: Demand,
  load: () => Promise<ControllerFactory>,
): ControllerFactory {
  return (context) => {
    let controller: InProcessController | undefined;
    let loading: Promise<void> | undefined;
    let unsubscribe: readonly (() => void)[] = [];
    const onWrite = ({ object }: StoreEvent): void => {
      if (isNeededByChanges || isNeededBy(object)) beginOnce();
    };
    const forget = (): void => {
      for (const end of unsubscribe) end();
      unsubscribe = [];
    };
    const begin = async (): Promise<void> => {
      controller ??= (await load())(context);
      controller.start();
    };
    const beginOnce = (): void => {
      if (loading !== undefined) return;
      loading = begin();
      // `stop` and `idle` report why a module could not be loaded.
      loading.catch(() => undefined);
    };
    return {
      name,
      start: () => {
        if (resources.some((resource) => context.objects.list(resource).some((object) => isNeededBy(object))))
          beginOnce();
        else unsubscribe = resources.map((resource) => context.objects.observe(resource, onWrite));
      },
      stop: async () => {
        forget();
        const started = loading;
        loading = undefined;
        await started;
        if (started !== undefined) await controller?.stop();
      },
      idle: async () => {
        await loading;
        if (loading !== undefined) await controller?.idle();
      },
    };
  };
}
