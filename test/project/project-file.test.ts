import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { type ProjectConfig, withResource } from "../../src/project/project-config.ts";
import { parseProject, printProject, ProjectDocument } from "../../src/project/project-file.ts";

const PROJECT: ProjectConfig = {
  cliVersion: "0.1.0",
  domain: "demo",
  layout: ["ts.kubescaffold.dev/v1"],
  projectName: "guestbook",
  repo: "guestbook",
  version: "3",
};
const GUESTBOOK = {
  api: { crdVersion: "v1", namespaced: true },
  controller: true,
  domain: "demo",
  group: "webapp",
  kind: "Guestbook",
  path: "guestbook/api/v1",
  version: "v1",
} as const;
// What kubebuilder writes for the same commands, less its header and with our layout.
const UPSTREAM = `cliVersion: 0.1.0
domain: demo
layout:
- ts.kubescaffold.dev/v1
projectName: guestbook
repo: guestbook
resources:
- api:
    crdVersion: v1
    namespaced: true
  controller: true
  domain: demo
  group: webapp
  kind: Guestbook
  path: guestbook/api/v1
  version: v1
  webhooks:
    defaulting: true
    validation: true
    webhookVersion: v1
version: "3"
`;

// Names that commands refuse, too.
function readAny(text: string): ProjectConfig {
  return ProjectDocument.parse(text).project;
}

describe("a PROJECT file", () => {
  it("has upstream's bytes below four lines of comment", () => {
    const withWebhooks = { ...GUESTBOOK, webhooks: { webhookVersion: "v1", validation: true, defaulting: true } };
    const lines = printProject(withResource(PROJECT, withWebhooks)).split("\n");
    expect(lines.slice(0, 4).every((line) => line.startsWith("# "))).toBe(true);
    expect(lines.slice(4).join("\n")).toBe(UPSTREAM);
  });

  it("quotes a scoped package name as upstream's printer does, also in a file that it changes", () => {
    const first = printProject({ ...PROJECT, repo: "@acme/guestbook" });
    expect(first).toContain("\nrepo: '@acme/guestbook'\n");
    expect(printProject({ ...parseProject(first), multigroup: true }, first)).toContain("\nrepo: '@acme/guestbook'\n");
  });

  it("has the same bytes whether it is written at once or in steps", () => {
    const first = printProject(PROJECT);
    const second = printProject(withResource(parseProject(first), GUESTBOOK), first);
    const webhooks = { defaulting: true, validation: true, webhookVersion: "v1" };
    const third = printProject(withResource(parseProject(second), { ...GUESTBOOK, webhooks }), second);
    expect(third.slice(third.indexOf("cliVersion"))).toBe(UPSTREAM);
  });

  it("has the same bytes whether its resources are added one by one or all at once", () => {
    const word = fc.oneof(
      fc.stringMatching(/^[a-z][a-z0-9.-]{0,8}[a-z0-9]$/u),
      fc.constantFrom("@acme/x", "true", "null", "yes", "1.0", "0.1.0", "", " a", "a: b", "# a", "über", "3", "a$&b"),
    );
    const resource = fc.record(
      {
        kind: word,
        version: word,
        group: word,
        path: word,
        controller: fc.boolean(),
        api: fc.record({ crdVersion: word }),
      },
      { requiredKeys: ["kind", "version"] },
    );
    fc.assert(
      fc.property(
        word,
        fc.array(fc.array(resource, { minLength: 1, maxLength: 2 }), { maxLength: 4 }),
        (domain, steps) => {
          let text = printProject({ ...PROJECT, domain, repo: "@acme/guestbook" });
          for (const step of steps) {
            const project = readAny(text);
            text = printProject({ ...project, resources: [...(project.resources ?? []), ...step] }, text);
          }
          const [resources, start] = [steps.flat(), { ...PROJECT, domain, repo: "@acme/guestbook" }];
          expect(text).toBe(printProject(steps.length === 0 ? start : { ...start, resources }));
        },
      ),
      { examples: [["demo", [[{ kind: "A", version: "v1" }], [{ kind: "B", version: "v1" }]]]] },
    );
  });

  it("keeps what is changed beside a resource that is added", () => {
    const others = { projectName: "other", plugins: { "a.b/v1": { x: "y" } } };
    const changed = { ...withResource(parseProject(UPSTREAM), { ...GUESTBOOK, kind: "Second" }), ...others };
    expect(parseProject(printProject(changed, UPSTREAM))).toEqual(changed);
  });

  it("keeps comments, unknown keys and their order", () => {
    const text = `# mine\n${UPSTREAM.replace("domain: demo\nlayout", "domain: demo # why\nfuture:\n  a: [1, 2]\nlayout").replace("  kind: Guestbook", "  # the first\n  kind: Guestbook\n  newer: yes")}`;
    const printed = printProject({ ...parseProject(text), multigroup: true }, text);
    expect(printed).toBe(text.replace("projectName", "multigroup: true\nprojectName"));
  });

  it("leaves a file alone when nothing changes", () => {
    expect(printProject(parseProject(UPSTREAM), UPSTREAM)).toBe(UPSTREAM);
  });

  it("drops a key that is switched off again", () => {
    const text = printProject({ ...PROJECT, multigroup: true });
    expect(printProject({ ...parseProject(text), multigroup: false }, text)).toBe(printProject(PROJECT));
  });

  it("reads a layout that is one string, and the pre-release name of the version", () => {
    expect(parseProject('layout: a/v1,b/v1\nversion: "3-alpha"\n')).toMatchObject({
      layout: ["a/v1", "b/v1"],
      version: "3",
    });
  });

  it.each([
    ["no YAML", 'domain: [\nversion: "3"\n', /PROJECT:\d+:\d+: /u],
    ["a duplicate key", 'domain: a\ndomain: b\nversion: "3"\n', /PROJECT:2:1: .*unique/u],
    ["a number for a text", 'domain: 5\nversion: "3"\n', /PROJECT:1:1: domain must be string/u],
    ["a version that is a number", "domain: a\nversion: 3\n", /PROJECT:2:1: version must be string/u],
    [
      "a resource without a kind",
      'resources:\n- group: a\n  version: v1\nversion: "3"\n',
      /PROJECT:2:3: resources\.0 must have required property 'kind'/u,
    ],
    [
      "a flag that is a text",
      'resources:\n- kind: A\n  version: v1\n  api:\n    namespaced: "yes"\nversion: "3"\n',
      /PROJECT:5:5: resources\.0\.api\.namespaced must be boolean/u,
    ],
    ["an empty file", "", /PROJECT:1:1: the file is empty/u],
  ])("is refused at its line for %s", (_, text, message) => {
    expect(() => parseProject(text)).toThrow(
      expect.objectContaining({ code: "PROJECT_INVALID", message: expect.stringMatching(message) }),
    );
  });

  it("is refused when its version is of another program", () => {
    expect(() => parseProject('version: "4"\n')).toThrow(
      expect.objectContaining({ code: "PROJECT_VERSION", message: expect.stringContaining('"4" is not supported') }),
    );
  });

  it("comes back as it was, whatever is in it", () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9.-]{0,12}[a-z0-9]$/u);
    const resource = fc.record({
      kind: fc.stringMatching(/^[A-Z][a-z]{1,8}$/u),
      version: fc.constantFrom("v1", "v1beta1"),
      group: name,
      controller: fc.constant(true),
    });
    fc.assert(
      fc.property(
        name,
        fc.array(resource, { maxLength: 4 }),
        fc.array(resource, { maxLength: 3 }),
        (domain, before, after) => {
          const first = { ...PROJECT, domain, resources: before };
          const text = printProject(first);
          expect(readAny(text)).toEqual(first);
          const second = { ...first, resources: after };
          expect(readAny(printProject(second, text))).toEqual(second);
        },
      ),
    );
  });
});
