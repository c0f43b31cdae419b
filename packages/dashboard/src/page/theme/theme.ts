import { useEffect, useState } from "preact/hooks";

/** The theme that a person chose; `system` follows the settings of the system. */
export type ThemeChoice = "system" | "light" | "dark";

const KEY = "kubescaffold.theme";
const CHANGED = "kubescaffold:theme";

/** Reads the chosen theme. */
function readTheme(): ThemeChoice {
  const stored = localStorage.getItem(KEY);
  return stored === "light" || stored === "dark" ? stored : "system";
}

/** Applies the chosen theme to the document, and remembers it. */
export function chooseTheme(choice: ThemeChoice): void {
  if (choice === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, choice);
  applyTheme();
}

/** Applies the chosen theme to the document. */
export function applyTheme(): void {
  document.documentElement.dataset["theme"] = resolvedTheme();
  dispatchEvent(new Event(CHANGED));
}

/** Switches between dark and light. */
export function toggleTheme(): void {
  chooseTheme(resolvedTheme() === "dark" ? "light" : "dark");
}

/** Returns the chosen theme and the one it resolves to, and renders again when either changes. */
export function useTheme(): { readonly choice: ThemeChoice; readonly resolved: "light" | "dark" } {
  const [theme, setTheme] = useState({ choice: readTheme(), resolved: resolvedTheme() });
  useEffect(() => {
    const update = (): void => setTheme({ choice: readTheme(), resolved: resolvedTheme() });
    addEventListener(CHANGED, update);
    return () => removeEventListener(CHANGED, update);
  }, []);
  return theme;
}

/** Applies the theme of the system again whenever it changes. */
export function followSystemTheme(): void {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);
}

function resolvedTheme(): "light" | "dark" {
  const choice = readTheme();
  if (choice !== "system") return choice;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
