// Programs of this folder that run in their own processes, and answer requests.
import { fork } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";

import { handledLater } from "@kubescaffold/platform";

/** Starts a program of this folder. Requests fail when it has ended. */
export async function startChild(file, args = []) {
  const program = fileURLToPath(new URL(file, import.meta.url));
  const child = fork(program, args, { execArgv: ["--expose-gc"], serialization: "advanced" });
  const waiting = new Map();
  let count = 0;
  child.on("message", ({ id, answer, error }) => {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (error === undefined) resolve?.(answer);
    else reject?.(new Error(`${file}: ${error}`));
  });
  const ended = once(child, "exit");
  const failed = handledLater(
    ended.then(([status]) => {
      throw new Error(`${file} ended with status ${String(status)}`);
    }),
  );
  const [{ ready }] = await Promise.race([once(child, "message"), failed]);
  const ask = async (request, argument) => {
    count += 1;
    const id = count;
    const answered = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    child.send({ id, request, argument });
    return await Promise.race([answered, failed]);
  };
  const stop = async () => {
    if (child.exitCode !== null) return;
    await ask("stop");
    child.disconnect();
    await ended;
  };
  return { ready, ask, stop };
}

/** Sends the parent that this program is ready, and answers its requests by name. */
export function answerParent({ ready, requests }) {
  process.on("message", (message) => void answer(message, requests));
  process.send({ ready });
}

async function answer({ id, request, argument }, requests) {
  try {
    process.send({ id, answer: await requests[request](argument) });
  } catch (error) {
    process.send({ id, error: String(error) });
  }
}
