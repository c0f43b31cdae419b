import type { ProjectResource } from "../../../project/project-config.ts";
import { versionsOfKind } from "../../../project/resource-names.ts";
import type { Answers, Asking } from "../../command/command.ts";
import { CancelledError } from "../../command/errors.ts";
import type { NameFlags } from "../../flags/kind-flags.ts";
import {
  askWhich,
  matching,
  namesResource,
  projectIn,
  resourceFlags,
  resourceLabel,
} from "../../prompts/prompt-for-resource.ts";

interface DeletionAsking extends Asking {
  readonly flags: NameFlags & { readonly [Name in "dry-run" | "yes" | "not-stored"]?: boolean | undefined };
}

/** Asks which API `delete api` is to delete, and whether it is meant. */
export function askForApiToDelete(asking: DeletionAsking): Promise<Answers> {
  return askForDeletion(asking, {
    message: "API to delete",
    isOpen: () => true,
    sentence: (name, isStep) =>
      isStep
        ? `Do the step that is due to remove ${name}, one of several versions?`
        : `Delete ${name} with its types, controllers, webhooks, and manifests?`,
  });
}

/** Asks whose webhooks `delete webhook` is to delete, and whether it is meant. */
export function askForWebhooksToDelete(asking: DeletionAsking): Promise<Answers> {
  return askForDeletion(asking, {
    message: "API whose webhooks to delete",
    isOpen: ({ webhooks }) => webhooks !== undefined,
    sentence: (name) => `Delete the webhooks of ${name}?`,
  });
}

interface Deletion {
  readonly message: string;
  readonly isOpen: (resource: ProjectResource) => boolean;
  readonly sentence: (name: string, isStep: boolean) => string;
}

async function askForDeletion({ flags, cwd, ask }: DeletionAsking, deletion: Deletion): Promise<Answers> {
  if (namesResource(flags)) return {};
  const project = projectIn(cwd);
  const found = matching((project.resources ?? []).filter(deletion.isOpen), flags);
  if (found.length === 0) return {};
  const resource = await askWhich(ask, deletion.message, found);
  // What one key chose, and not a name that was typed, is asked for again.
  if (flags["dry-run"] !== true && flags.yes !== true) {
    const hasOthers = resource.api !== undefined && versionsOfKind(project, resource).length > 1;
    const isStep = hasOthers && flags["not-stored"] !== true;
    if (!(await ask.yesNo(deletion.sentence(resourceLabel(resource), isStep), false))) throw new CancelledError();
  }
  return { flags: { ...resourceFlags(resource, flags) } };
}
