import { quotedText } from "@kubescaffold/generators/typescript";
import { readYamlDocuments } from "@kubescaffold/k8s/yaml";
import { isRecord } from "@kubescaffold/platform";

import type { FileTree } from "../machinery/file-tree.ts";
import { leaderElectionIdOf } from "../project/leader-election-id.ts";
import { PROJECT_FILE, type ProjectConfig } from "../project/project-config.ts";
import type { ReadFrom } from "./bare-resources.ts";
import type { GoFiles } from "./go-files.ts";
import { textOf } from "./manifest-facts.ts";

/** The leader election id of a Go project, and the file that has it. */
interface LeaderElectionId {
  readonly id: string;
  /** Nothing where no file has it, and the id is the one that kubebuilder derives. */
  readonly from: string | undefined;
}

/** Finds the leader election id of a project in its main programs, then in its component config. */
function findLeaderElectionId({
  files,
  project,
}: {
  readonly files: GoFiles;
  readonly project: ProjectConfig;
}): LeaderElectionId {
  const mains = ["cmd/main.go", "main.go", ...files.paths.filter((path) => /^cmd\/[^/]+\/main\.go$/u.test(path))];
  const configs = files.paths.filter((path) => isComponentConfig(path));
  const found = [
    ...mains.map((path) => ({ from: path, id: idInMain(files.read(path) ?? "") })),
    ...configs.map((path) => ({ from: path, id: idInConfig(files, path) })),
  ].find(({ id }) => id !== "");
  return found ?? { id: leaderElectionIdOf(project), from: undefined };
}

/** Gives the manager the lease of the Go program, so that the two never work at the same time. Returns where it was read from. */
export function keepLeaderElectionId(
  tree: FileTree,
  go: { readonly files: GoFiles; readonly project: ProjectConfig },
  project: ProjectConfig,
): readonly ReadFrom[] {
  const { id, from } = findLeaderElectionId(go);
  tree.update("cmd/main.ts", (text) => text.replace(`"${leaderElectionIdOf(project)}"`, () => quotedText(id)));
  const what = `leader election id ${id}`;
  return [from === undefined ? { what: `${what}, derived as kubebuilder does`, from: PROJECT_FILE } : { what, from }];
}

/** Reports whether a file is a component config, which kubebuilder scaffolded for layout v3. */
export function isComponentConfig(path: string): boolean {
  return path.startsWith("config/") && path.endsWith("/controller_manager_config.yaml");
}

// A literal, or a constant of the same file.
function idInMain(text: string): string {
  const literal = /\bLeaderElectionID:\s*"(?<id>[^"\n]+)"/u.exec(text)?.groups?.["id"];
  if (literal !== undefined) return literal;
  const name = /\bLeaderElectionID:\s*(?<name>[A-Za-z]\w*),/u.exec(text)?.groups?.["name"];
  if (name === undefined) return "";
  const constants = text
    .split("\n")
    .map((line) => /^\s*(?:const\s+)?(?<name>[A-Za-z]\w*)\s*=\s*"(?<id>[^"]+)"/u.exec(line)?.groups ?? {});
  return constants.find((constant) => constant["name"] === name)?.["id"] ?? "";
}

function idInConfig(files: GoFiles, path: string): string {
  const documents = readYamlDocuments(files.read(path) ?? "", { file: path });
  const ids = documents.map((document) =>
    isRecord(document) && isRecord(document["leaderElection"])
      ? textOf(document["leaderElection"]["resourceName"])
      : "",
  );
  return ids.find((id) => id !== "") ?? "";
}
