import {
  BOILERPLATE_FILE,
  type InitOptions,
  leaderElectionIdOf,
  type Scaffold,
  type ScaffoldContext,
} from "../plugin/index.ts";
import { boilerplateOf, commentText } from "./boilerplate.ts";
import { mergePackage } from "./merge-package.ts";

const PACKAGE = "package.json";

const RUNTIME_PACKAGES = ["@kubescaffold/k8s", "@kubescaffold/schema", "@kubescaffold/runtime"];

// The tools of a new project, each in the version this program is tested with.
const TOOLS: Readonly<Record<string, string>> = {
  "@types/node": "^20.19.43",
  esbuild: "^0.28.2",
  oxfmt: "0.75.0",
  oxlint: "~1.89.0",
  "oxlint-tsgolint": "7.0.2004",
  tsx: "^4.23.15",
  typescript: "~6.0.3",
  vitest: "^4.1.12",
};

/** Writes a project without an API: the program, its tests and build, and the files around them. */
export const init: Scaffold<InitOptions> = (context, { boilerplate, packages }) => {
  const { tree, project, renderTemplates } = context;
  if (boilerplate !== "") tree.create(BOILERPLATE_FILE, boilerplate, { ifExists: "skip" });
  const values = {
    boilerplate: boilerplateOf(tree),
    boilerplateText: commentText(boilerplate),
    hasLicense: boilerplate !== "",
    projectName: project.projectName ?? "",
    repo: project.repo ?? "",
    leaderElectionId: leaderElectionIdOf(project),
    isNamespaced: project.namespaced === true,
    dependencies: specsOf(packages, (name) => RUNTIME_PACKAGES.includes(name)),
    devDependencies: specsOf({ ...packages, ...TOOLS }, (name) => !RUNTIME_PACKAGES.includes(name)),
  };
  const isMerged = addToPackage(context, values);
  renderTemplates("init", { ifExists: "skip", values, without: (path) => isMerged && path === PACKAGE });
};

// Whoever has run `npm init`, or installed this program, has a package.json before there is a project.
function addToPackage(
  { tree, renderLines, note }: ScaffoldContext,
  values: Readonly<Record<string, unknown>>,
): boolean {
  const present = tree.read(PACKAGE);
  if (present === undefined) return false;
  const merged = mergePackage(present, renderLines(`init/${PACKAGE}`, values).join("\n"));
  if (merged === undefined) return false;
  tree.update(PACKAGE, () => merged.content);
  note(
    `${PACKAGE} was there: it has got what it did not have of the project's scripts and dependencies, and the type "module".`,
  );
  if (merged.keptScripts.length > 0) {
    note(
      `It keeps its own ${merged.keptScripts.join(", ")}: how they would be otherwise shows \`npx kubescaffold init --dry-run\` in an empty folder.`,
    );
  }
  return true;
}

function specsOf(
  packages: Readonly<Record<string, string>>,
  isWanted: (name: string) => boolean,
): readonly { readonly name: string; readonly spec: string }[] {
  return Object.entries(packages)
    .filter(([name]) => isWanted(name))
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, spec]) => ({ name, spec }));
}
