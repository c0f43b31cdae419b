import type { FileTree } from "../machinery/file-tree.ts";
import type { Finding } from "./project-files.ts";

// Files of former scaffolds, and what does their work now.
const RETIRED: Readonly<Record<string, string>> = {
  "cmd/flags.ts": "managerFlags of @kubescaffold/runtime parses the flags of the manager",
  "hack/debug.mjs": "`scaffold debug` replaces it",
  "hack/deploy.mjs": "`scaffold deploy`, `undeploy`, `install`, `uninstall`, and `build-installer` replace it",
  "hack/docker-context.mjs": "`scaffold docker-context` does its work",
  "hack/docker.mjs": "`scaffold docker-build`, `docker-push`, and `docker-buildx` replace it",
  "hack/e2e.mjs": "`scaffold test-e2e`, `setup-test-e2e`, `cleanup-test-e2e`, and `install-kind` replace it",
};

const CALLERS = ["Makefile", "package.json"];

/** Looks for files of former scaffolds that commands and packages replaced, and for calls of scripts that no longer exist. */
export function diagnoseScripts(tree: FileTree): readonly Finding[] {
  const left = Object.entries(RETIRED).filter(([file]) => tree.exists(file));
  const missing = Object.keys(RETIRED).filter((file) => file.startsWith("hack/") && !tree.exists(file));
  return [
    ...left.map(([file, instead]): Finding => ({
      severity: "note",
      path: file,
      message: "new projects no longer have this file",
      hint: `${instead}: run \`npx kubescaffold alpha update\`, or delete the file once nothing uses it`,
    })),
    ...CALLERS.flatMap((caller) =>
      missing
        .filter((file) => tree.read(caller)?.includes(`node ${file}`) === true)
        .map((file): Finding => ({
          severity: "error",
          path: caller,
          message: `it runs ${file}, which does not exist`,
          hint: `${RETIRED[file] ?? ""}: call the command instead`,
        })),
    ),
  ];
}
