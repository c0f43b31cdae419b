import type { ProjectResource } from "kubescaffold/plugin";

import { InvalidContainerError } from "./errors.ts";
import type { OperandOptions } from "./operand.ts";

interface StoredOperand {
  readonly domain?: string;
  readonly group?: string;
  readonly version: string;
  readonly kind: string;
  readonly options: OperandOptions;
}

interface StoredOperands {
  readonly resources?: readonly StoredOperand[];
}

/** Returns the options that PROJECT has of a resource. Fails: {@link InvalidContainerError}. */
export function storedOptions(configuration: unknown, resource: ProjectResource): OperandOptions | undefined {
  const options: unknown = entriesOf(configuration).find((each) => isSame(each, resource))?.options;
  if (options === undefined || isOptions(options)) return options;
  throw new InvalidContainerError(`cannot read the options of ${resource.kind} in PROJECT: they are not strings`, {
    hint: "fix the options in the section of the plugin, or recreate the API with --force",
  });
}

function isOptions(value: unknown): value is OperandOptions {
  if (typeof value !== "object" || value === null) return false;
  return "image" in value && Object.values(value).every((each) => typeof each === "string");
}

/** Returns the data of PROJECT with the options of a resource: in place of those that were there, or behind the others. */
export function withStoredOptions(configuration: unknown, resource: ProjectResource, options: OperandOptions): object {
  const { domain, group, version, kind } = resource;
  const entry: StoredOperand = {
    ...(domain === undefined ? {} : { domain }),
    ...(group === undefined ? {} : { group }),
    kind,
    options,
    version,
  };
  const entries = entriesOf(configuration);
  const index = entries.findIndex((each) => isSame(each, resource));
  const resources = index < 0 ? [...entries, entry] : entries.with(index, entry);
  return { ...(configuration as StoredOperands | undefined), resources };
}

function entriesOf(configuration: unknown): readonly StoredOperand[] {
  const { resources } = (configuration ?? {}) as StoredOperands;
  return Array.isArray(resources)
    ? (resources as readonly unknown[]).filter(
        (each): each is StoredOperand => typeof each === "object" && each !== null,
      )
    : [];
}

function isSame(entry: StoredOperand, { domain, group, version, kind }: ProjectResource): boolean {
  return (
    (entry.domain ?? "") === (domain ?? "") &&
    (entry.group ?? "") === (group ?? "") &&
    entry.version === version &&
    entry.kind === kind
  );
}
