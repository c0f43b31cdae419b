import type { FileTree } from "../machinery/file-tree.ts";
import type { ProjectConfig } from "../project/project-config.ts";
import { namesOf } from "../project/resource-names.ts";
import { typeFolders } from "./bare-resources.ts";
import type { GoProject } from "./go-project.ts";

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
export function planTranslations(
  {
    files,
    layout,
    project,
  }: Pick<GoProject, "layout" | "project"> & { readonly files: Pick<GoProject["files"], "paths"> },
  tree: FileTree,
): readonly Translation[] {
  const folders = typeFoldersOf(project);
  return files.paths
    .filter((path) => path.endsWith(".go"))
    .map((go): Translation => {
      if (isGeneratedGo(go)) return { go, typescript: undefined, state: "nothing to do" };
      const [same, current] = [counterpartOf(go), counterpartOf(currentPath(go, folders))];
      const named = [same, current].map((each) => controllerFile(each)).find((each) => tree.exists(each));
      const isSame = tree.exists(same) || (layout.major === 4 && !tree.exists(current));
      const typescript = named !== undefined && !tree.exists(isSame ? same : current) ? named : isSame ? same : current;
      return { go, typescript, state: stateOf(typescript, tree.exists(typescript)) };
    });
}

// The name of a controller may end with the word that its file has anyway.
function controllerFile(path: string): string {
  return path.replace(/(?<end>(?:\.test)?\.ts)$/u, "_controller$<end>");
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

// Where layouts v2 and v3 have their types by now: in PROJECT, or else in the folders of the layouts.
function typeFoldersOf(project: ProjectConfig): ReadonlyMap<string, string> {
  return new Map(
    (project.resources ?? []).flatMap((resource) => {
      const { apiFolder } = namesOf(project, resource);
      const recorded =
        resource.path?.startsWith(`${project.repo ?? ""}/`) === true
          ? resource.path.slice((project.repo ?? "").length + 1)
          : undefined;
      const known = recorded === undefined ? typeFolders(resource) : [`${recorded}/`];
      return known.map((folder) => [folder, `${apiFolder}/`] as const);
    }),
  );
}

// The path that layout v4 gives a file of an older layout.
function currentPath(path: string, folders: ReadonlyMap<string, string>): string {
  if (path === "main.go") return "cmd/main.go";
  if (path.startsWith("controllers/")) return path.replace("controllers/", "internal/controller/");
  const end = path.lastIndexOf("/") + 1;
  const folder = folders.get(path.slice(0, end));
  if (folder === undefined) return path;
  const name = path.slice(end);
  return `${/(?:^|_)webhook(?:_suite)?(?:_test)?\.go$/u.test(name) ? folder.replace("api/", "internal/webhook/") : folder}${name}`;
}

function stateOf(typescript: string, exists: boolean): TranslationState {
  if (!exists) return "write";
  return /^api\/.*(?:_types|groupversion_info)\.ts$/u.test(typescript) ? "types made" : "fill in";
}
