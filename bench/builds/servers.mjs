// The embedded server of a build: its start, writes from its own process, and the Go client of bench/server over TLS.
import { mkdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { createClient } from "@kubescaffold/runtime";

import { timeEmbedded } from "../embedded-start.mjs";
import { configMapOf, newNamespace } from "../namespaces.mjs";
import { buildGo, startProcess } from "../runtime/beside-go.mjs";
import { TEXT_OF_3_KB } from "../workload-parts.mjs";

const CLIENT = fileURLToPath(new URL("../server/client/", import.meta.url));
const IN_PROCESS = [
  { name: "server-create-in-process", workload: "create", count: 10_000, figure: "seconds", unit: "s" },
  { name: "server-rules-in-process", workload: "rules", count: 1000, figure: "p50Ms", unit: "ms" },
];
const FROM_GO = [
  { name: "server-create", workload: "create", count: 10_000, figure: "seconds", unit: "s" },
  { name: "server-list", workload: "list", count: 10_000, isExisting: true, figure: "seconds", unit: "s" },
  { name: "server-watch", workload: "watch", count: 1000, figure: "seconds", unit: "s" },
  { name: "server-apply", workload: "apply", count: 1000, figure: "seconds", unit: "s" },
];

/** Returns the workloads; `folder` receives the Go client and the servers' files. */
export function serverWorkloads(folder) {
  let client;
  const goClient = () => (client ??= buildGo(path.join(folder, "client"), CLIENT));
  return [
    ...["http", "tls"].map((protocol) => ({
      name: `server-start-${protocol}`,
      title: `embedded server ready over ${protocol.toUpperCase()}, from process start`,
      prepare: (root) => ({ run: () => timeEmbedded(protocol, path.join(root, "bench", "serve-embedded.mjs")) }),
      warmUps: 2,
    })),
    ...IN_PROCESS.map((each) => ({
      ...each,
      title: `embedded server in one process, ${each.workload}, ${String(each.count)}: ${each.figure}`,
      prepare: (root) => ({ run: () => runInProcess(root, each) }),
    })),
    ...FROM_GO.map((each) => ({
      ...each,
      title: `embedded server over TLS, ${each.workload}, ${String(each.count)}: ${each.figure}`,
      prepare: async (root) =>
        goClient() === undefined ? undefined : await servedByGo(root, { ...each, client: goClient(), folder }),
    })),
  ];
}

async function runInProcess(root, { workload, count, figure }) {
  const program = path.join(root, "bench", "server", "workloads.mjs");
  return (await startProcess(process.execPath, [program, workload, String(count), "bench"]))[figure];
}

// The stand-in of the build, started by the build's own code.
async function servedByGo(root, { name, workload, count, isExisting = false, figure, client, folder }) {
  const { startStandIn } = await import(pathToFileURL(path.join(root, "bench", "server", "servers.mjs")));
  const place = path.join(folder, `${name}-${String((starts += 1))}`);
  mkdirSync(place);
  const server = await startStandIn(place);
  const api = createClient(server.config);
  const shared = isExisting ? await newNamespace(api, { content: configMapOf(TEXT_OF_3_KB), count }) : undefined;
  return {
    run: async () => {
      const namespace = shared ?? (await newNamespace(api));
      return (await startProcess(client, [workload, String(count), namespace, server.clientConfig]))[figure];
    },
    end: server.stop,
  };
}

let starts = 0;
