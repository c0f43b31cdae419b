import type { ProjectResource, ProjectWebhooks } from "../project/project-config.ts";
import { type ProjectPart, type ReplayOptions, replayParts, type WebhookType } from "./replay.ts";

/** A text of a file, by its path, and its lines in the order of the alphabet. */
type Texts = ReadonlyMap<string, readonly string[]>;

/**
 * Reports whether a file is what commands made of it that added the types of a resource's webhooks one after the other, in whatever order: such a
 * file differs from one that was made at once, but nobody changed it.
 */
export async function isOfWebhookHistory(
  file: { readonly path: string; readonly text: string },
  resources: readonly ProjectResource[],
  options: ReplayOptions,
): Promise<boolean> {
  const lines = sortedLines(file.text);
  for (const resource of resources) {
    for (const history of historiesOf(resource.webhooks ?? {})) {
      const texts = await textsOf(resource, history, options);
      if (texts.get(file.path)?.join("\n") === lines.join("\n")) return true;
    }
  }
  return false;
}

// What each command of a history added.
type History = readonly (readonly WebhookType[])[];

function historiesOf({ defaulting, validation, conversion }: ProjectWebhooks): readonly History[] {
  const types: readonly (readonly [WebhookType, boolean | undefined])[] = [
    ["defaulting", defaulting],
    ["validation", validation],
    ["conversion", conversion],
  ];
  return orderedPartitions(types.filter(([, isThere]) => isThere === true).map(([type]) => type));
}

function orderedPartitions(types: readonly WebhookType[]): readonly History[] {
  if (types.length === 0) return [[]];
  return nonEmptySubsets(types).flatMap((first) =>
    orderedPartitions(types.filter((type) => !first.includes(type))).map((others) => [first, ...others]),
  );
}

function nonEmptySubsets(types: readonly WebhookType[]): readonly (readonly WebhookType[])[] {
  const subsets = types.reduce<readonly (readonly WebhookType[])[]>(
    (known, type) => [...known, ...known.map((subset) => [...subset, type])],
    [[]],
  );
  return subsets.filter((subset) => subset.length > 0);
}

async function textsOf(resource: ProjectResource, history: History, options: ReplayOptions): Promise<Texts> {
  const { files } = await replayParts(stepsOf(resource, history), options);
  return new Map([...files].map(([path, text]) => [path, sortedLines(text)]));
}

function stepsOf(resource: ProjectResource, history: History): readonly ProjectPart[] {
  return history.map((added, index) => ({
    kind: "webhook",
    before: withTypes(resource, history.slice(0, index).flat()),
    resource: withTypes(resource, history.slice(0, index + 1).flat()),
    added,
  }));
}

function withTypes(resource: ProjectResource, types: readonly WebhookType[]): ProjectResource {
  const { defaulting: _d, validation: _v, conversion: _c, spoke, ...others } = resource.webhooks ?? {};
  const isConverted = types.includes("conversion");
  return {
    ...resource,
    webhooks: {
      ...others,
      ...Object.fromEntries(types.map((type) => [type, true])),
      ...(isConverted && spoke !== undefined ? { spoke } : {}),
    },
  };
}

// Spokes may have come one by one too: lines count, and not their order.
function sortedLines(text: string): readonly string[] {
  return text
    .split(/\r?\n/u)
    .filter((line) => line.trim() !== "")
    .toSorted();
}
