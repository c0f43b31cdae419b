import type { InProcessController, ServerContext } from "@kubescaffold/apiserver/cluster-api";

/** Creates a controller of a server. */
type ControllerFactory = (context: ServerContext) => InProcessController;

/** Returns a factory of a controller whose module is loaded when the controller starts, so that servers without it start faster. */
export function lazyController(name: string, load: () => Promise<ControllerFactory>): ControllerFactory {
  return (context) => {
    let controller: InProcessController | undefined;
    let loading: Promise<void> | undefined;
    const start = async (): Promise<void> => {
      controller ??= (await load())(context);
      controller.start();
    };
    return {
      name,
      start: () => {
        loading = start();
        // `stop` and `idle` report why a module could not be loaded.
        loading.catch(() => undefined);
      },
      stop: async () => {
        await loading;
        loading = undefined;
        await controller?.stop();
      },
      idle: async () => {
        await loading;
        await controller?.idle();
      },
    };
  };
}
