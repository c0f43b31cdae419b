import { lineComment } from "@kubescaffold/generators/typescript";

import { PROJECT_FILE } from "../project/project-config.ts";
import type { ReadFrom } from "./bare-resources.ts";
import type { Score } from "./compare-manifests.ts";
import type { Translation, TranslationState } from "./file-counterparts.ts";
import type { GoProject } from "./go-project.ts";
import { findManifests } from "./manifest-places.ts";
import type { OtherFiles } from "./other-files.ts";
import type { NotMapped } from "./plan-project.ts";

/** What became of a Go project. */
export interface Migration {
  readonly projectName: string;
  readonly readFrom: readonly ReadFrom[];
  readonly scores: readonly Score[];
  readonly translations: readonly Translation[];
  readonly others: OtherFiles;
  readonly notMapped: readonly NotMapped[];
}

/** The page of the new project that says what is left to do. */
export const MIGRATION_FILE = "MIGRATION.md";

const TITLES: Readonly<Record<TranslationState, string>> = {
  "fill in": "Translate the body: the TypeScript file is scaffolded",
  write: "Translate: the TypeScript file does not exist yet",
  "types made": "The types were generated from the CRDs: translate functions, if any",
  "nothing to do": "Generated in Go: nothing to translate",
};

/** Writes the page. Guarantees: no text of the Go project adds lines. */
export function migrationPage(migration: Migration): string {
  const { projectName, readFrom, scores, translations, others, notMapped } = migration;
  return [
    `# ${projectName}: from Go to TypeScript`,
    "",
    "The layout, names, and manifests match the Go project; translate its code file by file. Delete this page when the translation is complete.",
    "",
    ...section(
      "Read from",
      readFrom.map(({ what, from }) => `- ${what}: ${code(from)}`),
    ),
    ...section("Manifests", [...scores.map((score) => `- ${scoreLine(score)}`), ...differencesOf(scores)]),
    ...section(
      "Not mapped",
      notMapped.map(({ what, why }) => `- ${what}: ${why}`),
    ),
    "## Go files",
    "",
    ...(Object.keys(TITLES) as TranslationState[]).flatMap((state) => translationsOf(translations, state)),
    ...section("Manifests that differ: port your changes", listOf(others.differing)),
    ...section("Files that both projects have: port your changes", listOf(others.replaced)),
    ...section("Files that were not imported", listOf(others.left)),
  ]
    .map((line) => lineComment(line))
    .join("\n")
    .replace(/(?<!\n)\n+$/u, "\n");
}

/** Says how many came out the same. */
export function scoreLine({ what, same, total }: Score): string {
  return `${same} of ${total} ${what} match the Go project`;
}

function differencesOf(scores: readonly Score[]): readonly string[] {
  return scores.flatMap(({ differences }) => differences.map((difference) => `  - ${difference}`));
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${title}`, "", ...lines, ""];
}

function translationsOf(translations: readonly Translation[], state: TranslationState): readonly string[] {
  const own = translations.filter((each) => each.state === state);
  if (own.length === 0) return [];
  const rows = own.map(({ go, typescript }) =>
    typescript === undefined ? `- ${code(go)}` : `- [ ] ${code(go)} → ${code(typescript)}`,
  );
  return [`### ${TITLES[state]}`, "", ...rows, ""];
}

function listOf(paths: readonly string[]): readonly string[] {
  return paths.map((path) => `- ${code(path)}`);
}

// Names of files are anyone's: a backtick in one ends no code.
function code(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** Lists the files that the facts of a project were read from. */
export function readFromOf({
  files,
  layout,
  project,
  readFrom,
  crds,
  roles,
  webhooks,
}: GoProject): readonly ReadFrom[] {
  const places = findManifests(files);
  const version =
    layout.key.startsWith("go.kubebuilder.io/v2") && project.version !== "3"
      ? `version ${project.version}`
      : layout.key;
  return [
    ...(files.read(PROJECT_FILE) === undefined ? [] : [{ what: `layout ${version}`, from: PROJECT_FILE }]),
    ...(crds.length === 0 ? [] : [{ what: "CRDs", from: places.crds }]),
    ...(roles.length === 0 ? [] : [{ what: "roles", from: places.role }]),
    ...(webhooks.length === 0 ? [] : [{ what: "webhooks", from: places.webhooks }]),
    ...readFrom,
  ];
}
