import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

import { ObjectsView } from "../objects/objects-view.tsx";
import { Nothing } from "../parts/text.tsx";
import type { View } from "../route/route.ts";
import { useRoute } from "../route/use-route.ts";
import { useSelect } from "../state/hooks.ts";
import { inOwnTask } from "../state/own-task.ts";
import { ConnectionBanner, FaultBanner, ManagerBanner, ProblemBanner } from "./banners.tsx";
import { Header } from "./header.tsx";
import { HelpDialog } from "./help-dialog.tsx";
import { isOffered, Navigation, reasonOf, VIEW_TITLES } from "./navigation.tsx";
import { listenForShortcuts } from "./shortcuts.ts";

/** The page. */
export function App(): JSX.Element {
  const { route } = useRoute();
  const [hasHelp, setHelp] = useState(false);
  const project = useSelect((state) => state.hello)?.project;
  useEffect(() => listenForShortcuts(() => setHelp(true)), []);
  useEffect(() => {
    document.title = `${VIEW_TITLES[route.view]} · ${project ?? "Kubescaffold"}`;
  }, [route.view, project]);
  return (
    <div class="app">
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to the view
      </a>
      <Header onHelp={() => setHelp(true)} />
      <Navigation view={route.view} />
      <main id="main" tabIndex={-1} aria-labelledby="view-title">
        <h1 id="view-title" class="hidden">
          {VIEW_TITLES[route.view]}
        </h1>
        <ConnectionBanner />
        <FaultBanner />
        <ManagerBanner />
        <ProblemBanner />
        <CurrentView view={route.view} />
      </main>
      {hasHelp ? <HelpDialog onClose={() => setHelp(false)} /> : null}
    </div>
  );
}

// The hash belongs to the route.
function skipToMain(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function CurrentView({ view }: { readonly view: View }): JSX.Element {
  const [loaded, setLoaded] = useState<Readonly<Partial<Record<View, ComponentType>>>>({ objects: ObjectsView });
  useEffect(() => {
    if (view === "objects" || loaded[view] !== undefined) return;
    void LOADERS[view]().then((component) => setLoaded((last) => ({ ...last, [view]: component })));
  }, [view]);
  const isFramed = useLater();
  const Component = isFramed ? loaded[view] : undefined;
  const hello = useSelect((state) => state.hello);
  if (hello !== undefined && !isOffered(view, hello.capabilities))
    return <Nothing>{reasonOf(view, hello.mode)}</Nothing>;
  return Component === undefined ? <div class="view" aria-busy="true" /> : <Component />;
}

// The first view is rendered in another task than what is around it.
function useLater(): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => inOwnTask(() => setLater(true)), []);
  return isLater;
}

// The libraries of the other views would delay the first one.
const LOADERS: Readonly<Record<Exclude<View, "objects">, () => Promise<ComponentType>>> = {
  controllers: async () => (await import("../controllers/controllers-view.tsx")).ControllersView,
  webhooks: async () => (await import("../webhooks/webhooks-view.tsx")).WebhooksView,
  permissions: async () => (await import("../permissions/permissions-view.tsx")).PermissionsView,
  editor: async () => (await import("../editor/editor-view.tsx")).EditorView,
  faults: async () => (await import("../faults/faults-view.tsx")).FaultsView,
  logs: async () => (await import("../logs/logs-view.tsx")).LogsView,
  findings: async () => (await import("../findings/findings-view.tsx")).FindingsView,
};
