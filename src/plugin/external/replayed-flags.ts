import type { ProjectConfig } from "../../project/project-config.ts";
import type { FlagValues, PluginCommand } from "../flag.ts";
import type { CreateApiOptions, CreateWebhookOptions, EditOptions, InitOptions } from "../plugin.ts";

/** What any of the commands asks of a part. */
export type ReplayedOptions = Partial<InitOptions & EditOptions & CreateApiOptions & CreateWebhookOptions>;

/** Returns the flags by which a person would have asked for a part that is run again from PROJECT. */
export function replayedFlags(command: PluginCommand, project: ProjectConfig, asked: ReplayedOptions): FlagValues {
  if (command === "create api") return { ...resourceFlags(asked), ...apiFlags(asked) };
  if (command === "create webhook") return { ...resourceFlags(asked), ...webhookFlags(asked) };
  const settings = { multigroup: whenTrue(project.multigroup), namespaced: whenTrue(project.namespaced) };
  if (command === "edit") return settings;
  return { domain: project.domain, "project-name": project.projectName, repo: project.repo, ...settings };
}

function resourceFlags({ resource }: ReplayedOptions): FlagValues {
  if (resource === undefined) return {};
  const { group, version, kind, plural } = resource;
  return { group: group === "" ? undefined : group, version, kind, plural };
}

function apiFlags({ resource, writesResource, writesController, controllerName }: ReplayedOptions): FlagValues {
  return {
    resource: writesResource,
    controller: writesController,
    "controller-name": controllerName,
    namespaced: resource?.api === undefined ? undefined : resource.api.namespaced === true,
  };
}

function webhookFlags({ resource, defaulting, validation, conversion }: ReplayedOptions): FlagValues {
  return {
    defaulting: whenTrue(defaulting),
    "programmatic-validation": whenTrue(validation),
    conversion: whenTrue(conversion),
    spoke: conversion === true ? resource?.webhooks?.spoke : undefined,
  };
}

function whenTrue(value: boolean | undefined): true | undefined {
  return value === true ? true : undefined;
}
