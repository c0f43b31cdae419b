import { expect, it } from "vitest";

import { replayedFlags } from "../../../src/plugin/external/external-plugin.ts";

const PROJECT = {
  domain: "demo",
  layout: [],
  multigroup: true,
  projectName: "guestbook",
  repo: "@acme/guestbook",
  version: "3",
};
const RESOURCE = { group: "webapp", version: "v1", kind: "Guestbook", plural: "guests" };
const ID = { group: "webapp", version: "v1", kind: "Guestbook", plural: "guests" };

it("init and edit have the settings of the project as flags", () => {
  const settings = { multigroup: true, namespaced: undefined };
  expect(replayedFlags("edit", PROJECT, {})).toEqual(settings);
  expect(replayedFlags("init", PROJECT, {})).toEqual({
    domain: "demo",
    "project-name": "guestbook",
    repo: "@acme/guestbook",
    ...settings,
  });
});

it("create api has the kind and what consists of it", () => {
  const asked = { resource: { ...RESOURCE, api: {} }, writesResource: true, writesController: false };
  expect(replayedFlags("create api", PROJECT, asked)).toEqual({
    ...ID,
    resource: true,
    controller: false,
    namespaced: false,
  });
  const core = { resource: { group: "", version: "v1", kind: "Pod" }, writesResource: false, writesController: true };
  expect(replayedFlags("create api", PROJECT, { ...core, controllerName: "watcher" })).toEqual({
    version: "v1",
    kind: "Pod",
    resource: false,
    controller: true,
    "controller-name": "watcher",
  });
});

it("create webhook has the types and the spokes", () => {
  const resource = { ...RESOURCE, webhooks: { conversion: true, spoke: ["v2", "v3"] } };
  expect(replayedFlags("create webhook", PROJECT, { resource, defaulting: true, conversion: true })).toEqual({
    ...ID,
    defaulting: true,
    conversion: true,
    spoke: ["v2", "v3"],
  });
  expect(replayedFlags("create webhook", PROJECT, { resource, validation: true, conversion: false })).toEqual({
    ...ID,
    "programmatic-validation": true,
  });
});
