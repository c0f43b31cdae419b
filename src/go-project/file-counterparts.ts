import type { FileTree } from "../machinery/file-tree.ts";

/** What is left to do about a file in Go. */
export type TranslationState =
  /** The types of it were generated from the definitions. */
  | "types made"
  /** The new file has its frame; the body is to be translated. */
  | "fill in"
  /** There is no new file yet. */
  | "write"
  /** Generators made it; there is nothing to translate. */
  | "nothing to do";

/** A file in Go and the file in TypeScript that it corresponds to. */
export interface Translation {
  readonly go: string;
  /** Nothing where there is nothing to translate. */
  readonly typescript: string | undefined;
  readonly state: TranslationState;
}

/** Lists the files in Go, each with the file that it corresponds to in the new project. */
export function planTranslations(paths: readonly string[], tree: FileTree): readonly Translation[] {
  return paths
    .filter((path) => path.endsWith(".go"))
    .map((go): Translation => {
      if (isGeneratedGo(go)) return { go, typescript: undefined, state: "nothing to do" };
      const typescript = counterpartOf(go);
      return { go, typescript, state: stateOf(go, tree.exists(typescript)) };
    });
}

/** Reports whether a file in Go was written by a generator. */
function isGeneratedGo(path: string): boolean {
  return /(?:^|\/)(?:zz_generated\.[^/]*|[^/]*\.pb)\.go$/u.test(path) || path.includes("/applyconfiguration/");
}

const SPECIAL: Readonly<Record<string, string>> = {
  "main.go": "cmd/main.ts",
  "test/e2e/e2e_suite_test.go": "test/e2e/cluster.ts",
  "test/utils/utils.go": "test/e2e/cluster.ts",
};

function counterpartOf(path: string): string {
  return (
    SPECIAL[path] ??
    path
      .replace(/(?<suite>(?:^|\/)(?:\w+_)?suite)_test\.go$/u, "$<suite>.ts")
      .replace(/_test\.go$/u, ".test.ts")
      .replace(/\.go$/u, ".ts")
  );
}

function stateOf(go: string, exists: boolean): TranslationState {
  if (!exists) return "write";
  return /^(?:api|apis)\/.*(?:_types|groupversion_info)\.go$/u.test(go) ? "types made" : "fill in";
}
