/** A graph over time. */
export interface Panel {
  readonly title: string;
  readonly description?: string;
  /** A unit of Grafana, such as `s`, `bytes`, `ops` or `none`. */
  readonly unit: string;
  readonly queries: readonly Query[];
}

/** One query of a panel, and what its series are called. */
export interface Query {
  readonly expr: string;
  readonly legend: string;
}

/** A dashboard, by what is particular to it. */
export interface Dashboard {
  /** Tells it apart from others in one Grafana, which takes 40 characters. */
  readonly uid: string;
  readonly title: string;
  readonly rows: readonly { readonly title: string; readonly panels: readonly Panel[] }[];
}

/** Selects the series of the managers that are chosen at the top of a dashboard. */
export const SELECTED = 'job=~"$job", namespace=~"$namespace", pod=~"$pod"';

const DATASOURCE = { type: "prometheus", uid: "${datasource}" };
// What every metrics endpoint of a manager serves: the choices at the top are taken from it.
const ALWAYS = "process_start_time_seconds";
const [COLUMNS, HEIGHT, WIDTH] = [24, 8, 8];

/** Returns the model of a dashboard as Grafana 10 and later import it: the data source is chosen at its top, not while it is imported. */
export function dashboardModel({ uid, title, rows }: Dashboard): object {
  return {
    annotations: { list: [] },
    description:
      "Made by kubescaffold, and written anew by `npx scaffold edit --plugins=grafana/v1-alpha`: copy it before you change it.",
    editable: true,
    graphTooltip: 1,
    id: null,
    links: [],
    panels: placed(rows),
    refresh: "30s",
    schemaVersion: 39,
    tags: ["kubescaffold"],
    templating: {
      list: [
        datasourceVariable(),
        ...["job", "namespace", "pod"].map((name, index, all) => labelVariable(name, all.slice(0, index))),
      ],
    },
    time: { from: "now-1h", to: "now" },
    timepicker: {},
    timezone: "browser",
    title,
    uid,
    version: 1,
  };
}

function placed(rows: Dashboard["rows"]): readonly object[] {
  let [id, y] = [0, 0];
  return rows.flatMap(({ title, panels }) => {
    const header = {
      collapsed: false,
      gridPos: { h: 1, w: COLUMNS, x: 0, y },
      id: (id += 1),
      panels: [],
      title,
      type: "row",
    };
    const perLine = COLUMNS / WIDTH;
    const placedPanels = panels.map((panel, index) =>
      graph(panel, (id += 1), { x: (index % perLine) * WIDTH, y: y + 1 + Math.floor(index / perLine) * HEIGHT }),
    );
    y += 1 + Math.ceil(panels.length / perLine) * HEIGHT;
    return [header, ...placedPanels];
  });
}

function graph(
  { title, description, unit, queries }: Panel,
  id: number,
  { x, y }: { readonly x: number; readonly y: number },
): object {
  return {
    datasource: DATASOURCE,
    ...(description === undefined ? {} : { description }),
    fieldConfig: {
      defaults: { color: { mode: "palette-classic" }, custom: { fillOpacity: 10, showPoints: "never" }, min: 0, unit },
      overrides: [],
    },
    gridPos: { h: HEIGHT, w: WIDTH, x, y },
    id,
    options: {
      legend: { calcs: ["lastNotNull", "max"], displayMode: "table", placement: "bottom", showLegend: true },
      tooltip: { mode: "multi", sort: "desc" },
    },
    targets: queries.map(({ expr, legend }, index) => ({
      datasource: DATASOURCE,
      editorMode: "code",
      expr,
      legendFormat: legend,
      range: true,
      refId: String.fromCodePoint("A".codePointAt(0)! + index),
    })),
    title,
    type: "timeseries",
  };
}

function datasourceVariable(): object {
  return {
    current: {},
    hide: 0,
    includeAll: false,
    label: "Data source",
    multi: false,
    name: "datasource",
    options: [],
    query: "prometheus",
    refresh: 1,
    type: "datasource",
  };
}

function labelVariable(name: string, chosenBefore: readonly string[]): object {
  const selector = chosenBefore.map((each) => `${each}=~"$${each}"`).join(", ");
  const query = `label_values(${ALWAYS}${selector === "" ? "" : `{${selector}}`}, ${name})`;
  return {
    allValue: ".*",
    current: { selected: true, text: ["All"], value: ["$__all"] },
    datasource: DATASOURCE,
    definition: query,
    hide: 0,
    includeAll: true,
    multi: true,
    name,
    options: [],
    query: { query, refId: `${name}-values` },
    refresh: 2,
    sort: 1,
    type: "query",
  };
}
