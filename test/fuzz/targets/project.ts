import { deepEqual } from "@kubescaffold/schema";

import { parseProject, printProject } from "../../../src/project/project-file.ts";
import { accepted, type FuzzTarget, requireThat } from "../engine/fuzz-target.ts";

/** PROJECT files: what is accepted prints as a file that means the same, also over the former text. */
export const target: FuzzTarget = {
  name: "project",
  kind: "text",
  seeds: [
    'domain: example.com\nlayout:\n- base.ts.kubescaffold.dev/v1\nprojectName: guestbook\nrepo: example.com/guestbook\nversion: "3"\nresources:\n- api:\n    crdVersion: v1\n    namespaced: true\n  controller: true\n  domain: example.com\n  group: webapp\n  kind: Guestbook\n  path: ./api/v1\n  version: v1\n  webhooks:\n    defaulting: true\n    webhookVersion: v1\n',
    "# mine\nversion: '3'\nprojectName: a\nlayout: [x.dev/v1]\nplugins:\n  x.dev/v1: {a: 1}\nunknown: &a [*a]\n",
  ],
  dictionary: [
    "version: '3'",
    "projectName: ",
    "domain: ",
    "layout:",
    "- ",
    "resources:",
    "api:",
    "group: ",
    "kind: ",
    "plugins:",
    "webhooks:",
    "multigroup: true",
    "external: true",
    "path: ../",
    "\n  ",
    "# ",
    "&a",
    "*a",
    "<<:",
    "~",
  ],
  run: (text) => {
    const project = accepted(() => parseProject(text));
    if (project === undefined) return;
    for (const previous of [undefined, text]) {
      const printed = printProject(project, previous);
      requireThat(deepEqual(parseProject(printed), project), `another project after printing:\n${printed}`);
    }
  },
};
