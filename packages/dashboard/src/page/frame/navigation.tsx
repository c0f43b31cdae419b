import type { JSX } from "preact";
import { useMemo } from "preact/hooks";

import { isFailure } from "../controllers/filter-reconciles.ts";
import type { Capability, Hello } from "../feed/protocol.ts";
import { facetsOf } from "../objects/filter-objects.ts";
import { formatCount } from "../parts/format.ts";
import { Symbol, type Tone } from "../parts/symbols.tsx";
import { linkTo, type View } from "../route/route.ts";
import { useSelect, useSlowSelect } from "../state/hooks.ts";

/** The names of the views. */
export const VIEW_TITLES: Readonly<Record<View, string>> = {
  objects: "Objects",
  controllers: "Controllers",
  webhooks: "Webhooks",
  permissions: "Permissions",
  editor: "Create and edit",
  faults: "Faults",
  logs: "Events and logs",
  findings: "Findings",
};

/** The views of the navigation with their key, and what the process has to be able to do for each. */
export const NAVIGATION: readonly {
  readonly view: View;
  readonly key: string;
  /** One of these; none for all processes. */
  readonly needs: readonly Capability[];
}[] = [
  { view: "objects", key: "1", needs: [] },
  { view: "controllers", key: "2", needs: ["reconciles", "metrics"] },
  { view: "webhooks", key: "3", needs: ["webhooks", "metrics"] },
  { view: "permissions", key: "4", needs: ["permissions"] },
  { view: "logs", key: "5", needs: [] },
  { view: "editor", key: "6", needs: ["write"] },
  { view: "faults", key: "7", needs: ["faults"] },
];

/** Reports whether a process can do what a view needs. */
export function isOffered(view: View, capabilities: readonly Capability[]): boolean {
  const { needs = [] } = NAVIGATION.find((each) => each.view === view) ?? {};
  return needs.length === 0 || needs.some((each) => capabilities.includes(each));
}

/** Explains why a process offers no view. */
export function reasonOf(view: View, mode: Hello["mode"]): string {
  const title = VIEW_TITLES[view];
  if (mode === "cluster") {
    return view === "editor" || view === "faults"
      ? `There is no view “${title}”: scaffold dashboard changes nothing in the cluster.`
      : `There is no view “${title}”: the manager in the cluster does not report what it shows.`;
  }
  if (view === "faults") {
    return "There are no faults: scaffold dev injects them into its own API server, and this one belongs to a cluster. Run scaffold dev without --kubeconfig.";
  }
  return `There is no view “${title}” in this run.`;
}

interface Note {
  readonly text: string;
  readonly tone: Tone;
  readonly title: string;
}

/** The views, with what needs attention in each. */
export function Navigation({ view }: { readonly view: View }): JSX.Element {
  const hello = useSelect((state) => state.hello);
  const notes = useNotes();
  const shown = NAVIGATION.filter(({ view: each }) => hello === undefined || isOffered(each, hello.capabilities));
  return (
    <nav class="navigation" aria-label="Views">
      <ul>
        {shown.map(({ view: each, key }) => {
          const note = notes[each];
          return (
            <li key={each}>
              <a href={linkTo(each)} aria-current={each === view ? "page" : undefined} aria-keyshortcuts={key}>
                <kbd aria-hidden="true">{key}</kbd>
                <span>{VIEW_TITLES[each]}</span>
                {note === undefined ? null : (
                  <span class={`nav-note tone-text-${note.tone}`} title={note.title}>
                    {note.tone === "bad" || note.tone === "busy" ? <Symbol tone={note.tone} /> : null}
                    {note.text}
                    <span class="hidden"> {note.title}</span>
                  </span>
                )}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function useNotes(): Readonly<Partial<Record<View, Note>>> {
  const objects = useSlowSelect(
    (state) => state.objects,
    () => 1000,
  );
  const reconciles = useSlowSelect(
    (state) => state.reconciles,
    () => 1000,
  );
  const permissions = useSelect((state) => state.permissions);
  const faults = useSelect((state) => state.faults);
  const notReady = useMemo(() => facetsOf(objects.values()).notReady, [objects]);
  const failed = useMemo(() => [...reconciles.values()].filter((record) => isFailure(record)).length, [reconciles]);
  const denied = useMemo(
    () => [...permissions.values()].filter(({ state }) => state === "denied" || state === "missing").length,
    [permissions],
  );
  const on = [...faults.values()].filter(({ isOn }) => isOn).length;
  const note = (count: number, tone: Tone, title: string): Note | undefined =>
    count === 0 ? undefined : { text: formatCount(count), tone, title };
  return {
    objects: note(notReady, "busy", "not ready"),
    controllers: note(failed, "bad", "failed reconciles"),
    permissions: note(denied, "bad", "denied or missing"),
    faults: note(on, "busy", "on"),
  };
}
