import type { ProjectConfig } from "../../../project/project-config.ts";
import { validateGroup, validateKind, validateVersion } from "../../../project/validate-names.ts";
import type { Asker } from "../../command/asker.ts";
import type { Answers, Asking } from "../../command/command.ts";
import type { NameFlags } from "../../flags/kind-flags.ts";
import { askWhich, matching, projectIn, resourceFlags } from "../../prompts/prompt-for-resource.ts";

/** The names that can change, with the question for each. */
const NEW_NAMES = ["to-kind", "to-group", "to-version"] as const;

type NewNames = Partial<Record<(typeof NEW_NAMES)[number], string | undefined>>;

/** The flags that the prompts complete, or depend on. */
interface RenameFlags extends NameFlags, Readonly<NewNames> {
  readonly "to-plural"?: string | undefined;
}

/** Asks which kind `rename api` is to rename, and how. */
export async function askForRename({ flags, cwd, ask }: Asking & { readonly flags: RenameFlags }): Promise<Answers> {
  const project = projectIn(cwd);
  const named = await askKind(ask, project, flags);
  return { flags: { ...named, ...(await askNewName(ask, project, { ...flags, ...named })) } };
}

async function askKind(ask: Asker, project: ProjectConfig, flags: RenameFlags): Promise<NameFlags> {
  if (flags.kind !== undefined || (flags.group !== undefined && flags["to-group"] !== undefined)) return {};
  const own = (project.resources ?? []).filter((each) => each.api !== undefined && each.external !== true);
  const found = matching(own, flags);
  if (found.length === 0) return {};
  return resourceFlags(await askWhich(ask, "Rename which API?", found), flags);
}

async function askNewName(ask: Asker, project: ProjectConfig, flags: RenameFlags): Promise<NewNames> {
  if ([...NEW_NAMES, "to-plural" as const].some((name) => flags[name] !== undefined)) return {};
  const name = await ask.one("What do you want to rename?", [
    { value: "to-kind" as const, label: "the kind", hint: "in all its versions" },
    { value: "to-group" as const, label: "the group", hint: "of the kind, in all its versions" },
    { value: "to-version" as const, label: "the version" },
  ]);
  const check = {
    "to-kind": (kind: string): void => validateKind(kind, "to-kind"),
    "to-group": (group: string): void => validateGroup(group, project.domain ?? "", "to-group"),
    "to-version": (version: string): void => validateVersion(version, "to-version"),
  }[name];
  return { [name]: await ask.text({ message: `New name of ${name.replace("to-", "the ")}`, check }) };
}
