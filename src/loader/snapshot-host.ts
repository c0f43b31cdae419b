import type { SourceHost } from "./source-host.ts";

/** Lays a memory over a disk that asks it each question once, so that all who ask see the same state and none pays for the other's question. */
export function createSnapshotHost(disk: SourceHost): SourceHost {
  return {
    readFile: askOnce((path) => disk.readFile(path)),
    listDirectory: askOnce((path) => disk.listDirectory(path)),
    kindOf: askOnce((path) => disk.kindOf(path)),
    realPath: askOnce((path) => disk.realPath(path)),
  };
}

function askOnce<T>(ask: (path: string) => T): (path: string) => T {
  const answers = new Map<string, T>();
  return (path) => {
    if (!answers.has(path)) answers.set(path, ask(path));
    return answers.get(path) as T;
  };
}
