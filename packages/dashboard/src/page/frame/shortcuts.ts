import { linkTo, parseRoute } from "../route/route.ts";
import { setParams } from "../route/use-route.ts";
import { toggleTheme } from "../theme/theme.ts";
import { NAVIGATION, VIEW_TITLES } from "./navigation.tsx";

/** A shortcut, for the help. */
export interface Shortcut {
  readonly keys: readonly string[];
  readonly action: string;
}

/** The shortcuts of the page, by group. */
export const SHORTCUTS: readonly { readonly title: string; readonly shortcuts: readonly Shortcut[] }[] = [
  {
    title: "Everywhere",
    shortcuts: [
      ...NAVIGATION.map(({ view, key }) => ({ keys: [key], action: VIEW_TITLES[view] })),
      { keys: ["/"], action: "Search in the view" },
      { keys: ["l"], action: "Focus the list" },
      { keys: ["Esc"], action: "Close the details, clear the search" },
      { keys: ["t"], action: "Switch between dark and light" },
      { keys: ["?"], action: "This help" },
    ],
  },
  {
    title: "In lists",
    shortcuts: [
      { keys: ["↓", "j"], action: "Next row" },
      { keys: ["↑", "k"], action: "Previous row" },
      { keys: ["→", "←"], action: "Expand and collapse" },
      { keys: ["PgDn", "PgUp"], action: "Next and previous page" },
      { keys: ["Home", "End"], action: "First and last row" },
      { keys: ["Enter"], action: "Open the details" },
    ],
  },
  {
    title: "In some views",
    shortcuts: [
      { keys: ["g"], action: "Objects: tree or graph" },
      { keys: ["n"], action: "Objects: only those that are not ready" },
      { keys: ["f"], action: "Events and logs: follow" },
    ],
  },
];

const KEY = "kubescaffold.shortcuts";

/** Reports whether shortcuts of one character are on. People who use speech input turn them off. */
export function hasShortcuts(): boolean {
  return localStorage.getItem(KEY) !== "off";
}

/** Turns shortcuts of one character on or off. */
export function setShortcuts(isOn: boolean): void {
  if (isOn) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, "off");
}

/** Handles the shortcuts of the page until the returned function is called. */
export function listenForShortcuts(onHelp: () => void): () => void {
  const listener = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]") !== null) return;
    if (event.key === "Escape") {
      closePanel();
      return;
    }
    if (isTyping(event.target) || !hasShortcuts()) return;
    if (run(event.key, onHelp)) event.preventDefault();
  };
  addEventListener("keydown", listener);
  return () => removeEventListener("keydown", listener);
}

function run(key: string, onHelp: () => void): boolean {
  const target = NAVIGATION.find((each) => each.key === key);
  if (target !== undefined) {
    // The navigation lacks the views that the process does not support.
    document.querySelector<HTMLAnchorElement>(`.navigation a[href="${linkTo(target.view)}"]`)?.click();
    return true;
  }
  const { view, params } = parseRoute(location.hash);
  switch (key) {
    case "?":
      onHelp();
      return true;
    case "/":
      return focus("[data-search]");
    case "l":
      return focus(".grid, .graph-node");
    case "t":
      toggleTheme();
      return true;
    case "g":
      if (view === "objects") setParams({ as: params["as"] === "graph" ? "" : "graph" });
      return view === "objects";
    case "n":
      if (view === "objects") setParams({ notready: params["notready"] === "1" ? "" : "1" });
      return view === "objects";
    case "f":
      document.querySelector("[data-follow]")?.closest("button")?.click();
      return view === "logs";
    default:
      return false;
  }
}

function focus(selector: string): boolean {
  const element = document.querySelector<HTMLElement>(selector);
  element?.focus();
  return element !== null;
}

function closePanel(): void {
  document.querySelector<HTMLElement>("[data-close]")?.click();
  document.querySelector<HTMLElement>(".grid")?.focus();
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLSelectElement || target.isContentEditable;
}
