// From the start of a process until the embedded server in it is ready, over HTTP and TLS, beside etcd and kube-apiserver.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { measureInTurn, printWhenMain, rowOf, skipLoudly, timeProgram } from "./measuring.mjs";
import { untilReady } from "./ready.mjs";
import { findRealServer, timeRealServer } from "./real-server.mjs";

const SERVER = fileURLToPath(new URL("serve-embedded.mjs", import.meta.url));
const ROUNDS_BESIDE_REAL = 7;

export async function measureEmbeddedStart() {
  const real = await findRealServer();
  if (real === undefined)
    skipLoudly("the real control plane", "it was not built (npm run test:control-plane does, with Go)");
  const bareNode = () => timeProgram(process.execPath, ["-e", "0"]);
  const [http, tls, bare] = await measureInTurn([() => timeEmbedded("http"), () => timeEmbedded("tls"), bareNode], {
    rounds: 21,
  });
  const [besideHttp, besideTls, reference] =
    real === undefined
      ? [http, tls]
      : await measureInTurn([() => timeEmbedded("http"), () => timeEmbedded("tls"), () => timeRealServer(real)], {
          rounds: ROUNDS_BESIDE_REAL,
          warmUps: 1,
        });
  return [
    rowOf({ title: "embedded server ready, HTTP / `node -e 0`", ours: http, reference: bare, maxMs: 150 }),
    rowOf({ title: "embedded server ready, TLS / `node -e 0`", ours: tls, reference: bare, maxMs: 300 }),
    rowOf({ title: "embedded server, HTTP / etcd and kube-apiserver", ours: besideHttp, reference, maxRatio: 0.1 }),
    rowOf({ title: "embedded server, TLS / etcd and kube-apiserver", ours: besideTls, reference, maxRatio: 0.1 }),
  ];
}

/** Returns the milliseconds until the server of a program, `serve-embedded.mjs` of this or another checkout, is ready over `http` or `tls`. */
export async function timeEmbedded(protocol, program = SERVER) {
  const start = performance.now();
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

await printWhenMain(import.meta.url, measureEmbeddedStart);
