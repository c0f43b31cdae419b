import { coreGroupDomain } from "../../../project/core-groups.ts";
import { controlledVersion } from "../../../project/plans/plan-controllers.ts";
import { findResource, type ProjectConfig, versionsWithTypes } from "../../../project/project-config.ts";
import { validateGroup, validateKind, validateVersion } from "../../../project/validate-names.ts";
import { NO_SOURCE } from "../../../project/version-records.ts";
import type { Asker } from "../../command/asker.ts";
import type { Answers, Asking } from "../../command/command.ts";
import { type NameFlags, namedKind } from "../../flags/kind-flags.ts";
import { projectIn } from "../../prompts/prompt-for-resource.ts";

/** The flags that the prompts complete, or depend on. */
interface ApiFlags extends NameFlags {
  readonly resource?: boolean | undefined;
  readonly controller?: boolean | undefined;
  readonly from?: string | undefined;
  readonly force?: boolean | undefined;
  readonly "external-api-path"?: string | undefined;
}

interface ApiAsking extends Asking {
  readonly flags: ApiFlags;
  /** Whether a plugin writes the types and the controller for an image. */
  readonly hasImage: boolean;
}

/** Prompts for the missing values of `create api`: the kind, and kubebuilder's two questions. */
export async function askForApi({ flags, hasImage, cwd, ask }: ApiAsking): Promise<Answers> {
  const project = projectIn(cwd);
  const named = await askName(ask, project, flags);
  return { flags: { ...named, ...(hasImage ? {} : await askParts(ask, project, { ...flags, ...named })) } };
}

// A group that is omitted may be meant to be: it is asked for together with the rest.
async function askName(ask: Asker, project: ProjectConfig, flags: NameFlags): Promise<NameFlags> {
  if (flags.version !== undefined && flags.kind !== undefined) return {};
  const answers: { group?: string; version?: string; kind?: string } = {};
  if (flags.group === undefined) answers.group = await askGroup(ask, project);
  if (flags.version === undefined)
    answers.version = await ask.text({ message: "Version of the API", fallback: "v1", check: validateVersion });
  if (flags.kind === undefined)
    answers.kind = await ask.text({ message: "Kind of the API, such as Guestbook", check: validateKind });
  return answers;
}

function askGroup(ask: Asker, project: ProjectConfig): Promise<string> {
  const { domain = "" } = project;
  const [known] = (project.resources ?? []).flatMap((each) =>
    each.api !== undefined && each.group !== undefined ? [each.group] : [],
  );
  const example = domain === "" ? "" : `, which ${domain} follows`;
  return ask.text({
    message: `Group of the API${example}`,
    ...(known === undefined ? {} : { fallback: known }),
    check: (group) => validateGroup(group, coreGroupDomain(group) ?? domain),
  });
}

/** The parts that are asked for, with what their questions say. */
const QUESTIONS = [
  ["resource", "Create Resource: the types of the kind"],
  ["controller", "Create Controller"],
] as const;

type Parts = Pick<ApiFlags, "resource" | "controller" | "from">;

async function askParts(ask: Asker, project: ProjectConfig, flags: ApiFlags): Promise<Parts> {
  const answers: { resource?: boolean; controller?: boolean; from?: string } = {};
  const isKnown = hasTypes(project, flags);
  for (const [name, question] of QUESTIONS) {
    if (flags[name] !== undefined) continue;
    const isSettled = name === "resource" && isKnown && flags.force !== true;
    const hasController = name === "controller" && isControlled(project, flags);
    const isWanted = isSettled
      ? false
      : await ask.yesNo(question, name === "resource" ? !isForeign(project, flags) : !hasController);
    answers[name] = isWanted;
    if (name === "resource" && isWanted) Object.assign(answers, await askSource(ask, project, flags));
  }
  return answers;
}

// A further version usually has most fields of an earlier one.
async function askSource(ask: Asker, project: ProjectConfig, flags: ApiFlags): Promise<Pick<Parts, "from">> {
  const versions = versionsWithTypes(project, namedKind(flags)).filter(({ version }) => version !== flags.version);
  if (flags.from !== undefined || versions.length === 0) return {};
  const from = await ask.one("Start with the fields of", [
    ...versions.map(({ version }) => ({ value: version, label: version })),
    { value: NO_SOURCE, label: "an example" },
  ]);
  return { from };
}

// A controller works with one version of its kind.
function isControlled(project: ProjectConfig, flags: ApiFlags): boolean {
  const others = versionsWithTypes(project, namedKind(flags)).filter(({ version }) => version !== flags.version);
  return controlledVersion(others) !== undefined;
}

function hasTypes(project: ProjectConfig, flags: ApiFlags): boolean {
  return findResource(project, namedKind(flags))?.api !== undefined;
}

// Types that Kubernetes or others define need not be written.
function isForeign(project: ProjectConfig, flags: ApiFlags): boolean {
  if (flags["external-api-path"] !== undefined) return true;
  const { group } = namedKind(flags);
  return coreGroupDomain(group) !== undefined && !(project.resources ?? []).some((each) => each.group === group);
}
