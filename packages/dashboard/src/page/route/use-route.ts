import { useEffect, useState } from "preact/hooks";

import { formatRoute, parseRoute, type Route } from "./route.ts";

/** The route, and how it changes. */
export interface RouteControl {
  readonly route: Route;
  /** Sets parameters of the current view; an empty one is removed. `isStep` adds an entry to the browser's history. */
  readonly set: (params: Readonly<Record<string, string>>, isStep?: boolean) => void;
}

/** Returns the route of the URL, and renders again when it changes. */
export function useRoute(): RouteControl {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const update = (): void => setRoute(parseRoute(location.hash));
    addEventListener("hashchange", update);
    addEventListener(CHANGED, update);
    return () => {
      removeEventListener("hashchange", update);
      removeEventListener(CHANGED, update);
    };
  }, []);
  return { route, set: setParams };
}

const CHANGED = "kubescaffold:route";

/** Sets parameters of the current view in the URL. */
export function setParams(params: Readonly<Record<string, string>>, isStep = false): void {
  const route = parseRoute(location.hash);
  const hash = formatRoute({ ...route, params: { ...route.params, ...params } });
  if (hash === location.hash) return;
  if (isStep) history.pushState(undefined, "", hash);
  else history.replaceState(undefined, "", hash);
  dispatchEvent(new Event(CHANGED));
}
