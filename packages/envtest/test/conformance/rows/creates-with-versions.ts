import { configMap, pathOf } from "../kinds.ts";
import type { Row } from "../row.ts";

export const CREATE_VERSION_ROWS: readonly Row[] = [
  {
    row: 172,
    title: "a resourceVersion in a new object fails when it is stored, and not in a dry run",
    run: async ({ namespace, send, quietly }) => {
      const path = pathOf("configmaps", namespace);
      await quietly({ method: "POST", path, body: configMap("existing") });
      const withVersion = (name: string, resourceVersion: string, more: object = {}) => ({
        ...configMap(name),
        metadata: { name, resourceVersion, ...more },
      });
      for (const [what, body] of [
        ["a new object", withVersion("new", "5")],
        ["an existing object", withVersion("existing", "5")],
        ["an invalid object", withVersion("new", "5", { labels: { "a b": "c" } })],
        ["version 0", withVersion("zero", "0")],
        ["no number", withVersion("word", "abc")],
      ] as const) {
        await send(`${what}, dry run`, { method: "POST", path: `${path}?dryRun=All`, body });
        await send(what, { method: "POST", path, body });
      }
    },
  },
];
