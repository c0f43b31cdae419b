/** The views of the page, in the order of the navigation. */
const VIEWS = ["objects", "controllers", "webhooks", "permissions", "editor", "faults", "logs", "findings"] as const;

/** A view of the page. */
export type View = (typeof VIEWS)[number];

/** What the hash of the URL says: the view, its filters, and its selection. */
export interface Route {
  readonly view: View;
  readonly params: Readonly<Record<string, string>>;
}

/** Reads the hash of a URL: `#/objects?kind=Pod`. Unknown views lead to the first one. */
export function parseRoute(hash: string): Route {
  const [name = "", query = ""] = hash.replace(/^#\/?/u, "").split("?", 2);
  const view = VIEWS.find((each) => each === name) ?? "objects";
  return { view, params: Object.fromEntries(new URLSearchParams(query)) };
}

/** Prints a route as the hash of a URL. Empty parameters are left out. */
export function formatRoute({ view, params }: Route): string {
  const query = new URLSearchParams(Object.entries(params).filter(([, value]) => value !== ""));
  const text = query.toString().replaceAll("%2F", "/").replaceAll("%3A", ":");
  return text === "" ? `#/${view}` : `#/${view}?${text}`;
}

/** Returns the hash of a view with parameters, for links. */
export function linkTo(view: View, params: Readonly<Record<string, string>> = {}): string {
  return formatRoute({ view, params });
}
