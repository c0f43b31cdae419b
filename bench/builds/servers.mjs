// The embedded server of a build: its start, writes from its own process, and the Go client of bench/server over TLS.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";

import { untilReady } from "../ready.mjs";
import { buildGo, startProcess } from "../runtime/beside-go.mjs";
import { inFlight, objectName, TEXT_OF_3_KB } from "../workload-parts.mjs";

const CLIENT = fileURLToPath(new URL("../server/client/", import.meta.url));
const IN_FLIGHT = 32;
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
      prepare: (root) => ({ run: () => timeStart(root, protocol) }),
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

async function timeStart(root, protocol) {
  const start = performance.now();
  const program = path.join(root, "bench", "serve-embedded.mjs");
  const child = spawn(process.execPath, [program, protocol], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = await once(createInterface({ input: child.stdout }), "line");
    await untilReady(JSON.parse(line));
    return performance.now() - start;
  } finally {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
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
  const api = await namespacesOf(root, server);
  const shared = isExisting ? await api.create(count) : undefined;
  return {
    run: async () => {
      const namespace = shared ?? (await api.create(0));
      return (await startProcess(client, [workload, String(count), namespace, server.clientConfig]))[figure];
    },
    end: server.stop,
  };
}

let starts = 0;

async function namespacesOf(root, { config }) {
  const { createClient } = await import(pathToFileURL(path.join(root, "packages", "runtime", "dist", "index.js")));
  const client = createClient(config);
  let created = 0;
  return {
    create: async (count) => {
      const name = `bench-${String((created += 1))}`;
      await client.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
      await inFlight(count, IN_FLIGHT, (index) =>
        client.create({
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { namespace: name, name: objectName(index) },
          data: { text: TEXT_OF_3_KB },
        }),
      );
      return name;
    },
  };
}
