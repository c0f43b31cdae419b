// Counts the files that a flow passes through, with the precise coverage of V8.
import { Session } from "node:inspector";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { ROOT } from "../ensure-installed.mjs";

/** Starts counting calls; {@link CallCounter.stop} returns the files of ours in which a function was called since. */
export class CallCounter {
  #session = new Session();

  /** Starts counting. Functions that run already are not counted until they are called again. */
  start() {
    this.#session.connect();
    this.#post("Profiler.enable");
    this.#post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    // What was counted while it started.
    this.#post("Profiler.takePreciseCoverage");
  }

  /** Stops counting, and returns paths relative to the repository, without tests, templates, generated modules, and modules that were only loaded. */
  stop() {
    const { result } = this.#post("Profiler.takePreciseCoverage");
    this.#session.disconnect();
    const files = result
      .filter(({ functions }) => functions.some((each) => isCalled(each) && !isModuleBody(each)))
      .flatMap(({ url }) => sourceOf(url));
    return [...new Set(files)].toSorted((left, right) => (left < right ? -1 : 1));
  }

  // A session of the same thread answers before `post` returns.
  #post(method, parameters) {
    let answer;
    this.#session.post(method, parameters, (error, result) => {
      if (error) throw new Error(`cannot run ${method}: ${error.message}`);
      answer = result;
    });
    return answer;
  }
}

/** Returns the files below some folders. */
export function filesOf(files, folders) {
  return files.filter((file) => folders.some((folder) => file.startsWith(folder)));
}

function isCalled({ ranges }) {
  return (ranges[0]?.count ?? 0) > 0;
}

function isModuleBody({ functionName, ranges }) {
  return functionName === "" && ranges[0]?.startOffset === 0;
}

function sourceOf(url) {
  if (!url.startsWith("file:")) return [];
  const file = path.relative(ROOT, fileURLToPath(new URL(url))).replaceAll(path.sep, "/");
  const isOurs =
    /^(?:bin|src|plugins|packages)\//u.test(file) && !/(?:^|\/)(?:node_modules|test|templates|generated)\//u.test(file);
  return isOurs ? [file] : [];
}
