import type { ProjectConfig, ProjectResource } from "../../../project/project-config.ts";
import { validateKind, validateVersion } from "../../../project/validate-names.ts";
import type { Asker, Choice } from "../../command/asker.ts";
import type { Answers, Asking } from "../../command/command.ts";
import type { NameFlags } from "../../flags/kind-flags.ts";
import { matching, namesResource, projectIn, resourceFlags, resourceLabel } from "../../prompts/prompt-for-resource.ts";

/** The flags that the prompts complete, or depend on. */
interface WebhookFlags extends NameFlags, Partial<Record<WebhookType, boolean | undefined>> {
  readonly spoke?: readonly string[] | undefined;
  readonly force?: boolean | undefined;
  readonly "external-api-path"?: string | undefined;
}

type WebhookType = (typeof TYPES)[number];

const TYPES = ["defaulting", "programmatic-validation", "conversion"] as const;

/** Prompts for the missing values of `create webhook`: the kind, the types of webhooks, and the spokes of a conversion. */
export async function askForWebhook({ flags, cwd, ask }: Asking & { readonly flags: WebhookFlags }): Promise<Answers> {
  const project = projectIn(cwd);
  const [named, resource] = await askKind(ask, project, flags);
  const types = await askTypes(ask, { project, resource, flags });
  const spokes = await askSpokes(ask, { project, resource, flags: { ...flags, ...types } });
  return { flags: { ...named, ...types, ...spokes } };
}

type Named = readonly [NameFlags, ProjectResource | undefined];

async function askKind(ask: Asker, project: ProjectConfig, flags: WebhookFlags): Promise<Named> {
  // An external kind is one that the project does not know yet.
  const isExternal = flags["external-api-path"] !== undefined;
  const found = isExternal ? [] : matching(project.resources ?? [], flags);
  const [only] = found;
  if (namesResource(flags) && (isExternal || flags.group !== undefined || found.length !== 1)) return [{}, only];
  const isOne = found.length === 1 && flags.kind !== undefined;
  const resource = isOne ? only : found.length === 0 ? undefined : await askWhichOrOther(ask, found);
  if (resource !== undefined) return [resourceFlags(resource, flags), resource];
  return [await askCoreKind(ask, flags), undefined];
}

const OTHER: ProjectResource = { kind: "", version: "" };

async function askWhichOrOther(ask: Asker, found: readonly ProjectResource[]): Promise<ProjectResource | undefined> {
  const chosen = await ask.one("Webhooks of which kind?", [
    ...found.map((each) => ({ value: each, label: resourceLabel(each) })),
    { value: OTHER, label: "a built-in kind of Kubernetes", hint: "such as core/v1 Pod" },
  ]);
  return chosen === OTHER ? undefined : chosen;
}

async function askCoreKind(ask: Asker, flags: WebhookFlags): Promise<NameFlags> {
  const answers: { group?: string; version?: string; kind?: string } = {};
  if (flags.group === undefined)
    answers.group = await ask.text({
      message: "Group of the kind",
      ...(flags["external-api-path"] === undefined ? { fallback: "core" } : {}),
    });
  if (flags.version === undefined)
    answers.version = await ask.text({ message: "Version of the kind", fallback: "v1", check: validateVersion });
  if (flags.kind === undefined) answers.kind = await ask.text({ message: "Kind, such as Pod", check: validateKind });
  return answers;
}

interface Subject {
  readonly project: ProjectConfig;
  readonly resource: ProjectResource | undefined;
  readonly flags: WebhookFlags;
}

async function askTypes(
  ask: Asker,
  { project, resource, flags }: Subject,
): Promise<Partial<Record<WebhookType, boolean>>> {
  if (TYPES.some((name) => flags[name] !== undefined)) return {};
  const { defaulting, validation } = (flags.force === true ? undefined : resource?.webhooks) ?? {};
  const choices: readonly (Choice<WebhookType> & { readonly isOpen: boolean })[] = [
    { value: "defaulting", label: "Defaulting", hint: "sets default values", isOpen: defaulting !== true },
    {
      value: "programmatic-validation",
      label: "Validation",
      hint: "rejects invalid objects",
      isOpen: validation !== true,
    },
    {
      value: "conversion",
      label: "Conversion",
      hint: "to and from other versions",
      isOpen: otherVersions(project, resource).length > 0,
    },
  ];
  const open = choices.filter(({ isOpen }) => isOpen);
  if (open.length === 0) return {};
  const chosen = await ask.several("Which webhooks?", open);
  return Object.fromEntries(chosen.map((name) => [name, true]));
}

async function askSpokes(
  ask: Asker,
  { project, resource, flags: { conversion, spoke = [] } }: Subject,
): Promise<Pick<WebhookFlags, "spoke">> {
  if (conversion !== true || spoke.length > 0) return {};
  const versions = otherVersions(project, resource);
  if (versions.length === 0) return {};
  const [only] = versions;
  if (versions.length === 1 && only !== undefined) return { spoke: [only] };
  const message = `Which versions are converted to and from ${resource?.version ?? ""}?`;
  return {
    spoke: await ask.several(
      message,
      versions.map((value) => ({ value, label: value })),
    ),
  };
}

// The versions of a kind that its hub does not convert yet.
function otherVersions(project: ProjectConfig, resource: ProjectResource | undefined): readonly string[] {
  if (resource?.api === undefined) return [];
  const { group, domain, kind, version, webhooks = {} } = resource;
  return (project.resources ?? [])
    .filter((each) => each.api !== undefined && each.group === group && each.domain === domain && each.kind === kind)
    .map((each) => each.version)
    .filter((each) => each !== version && webhooks.spoke?.includes(each) !== true);
}
