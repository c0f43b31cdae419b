import { mkdirSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { converse, type Exchange, KEYS } from "../../support/converse.ts";
import { CREATE_API, INIT, runCommand, runCommands } from "../../support/run-command.ts";
import { readFiles, temporaryFolder } from "../../support/temporary-folder.ts";

const { enter, down, escape, interrupt, endOfInput } = KEYS;
const SAME = "Equivalent non-interactive command:\n  ";

async function project(...lines: readonly string[]): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, ...lines);
  return root;
}

const V2 = "create api --group webapp --version v2 --kind Guestbook --controller=false --make=false";

interface Talk {
  readonly before: readonly string[];
  readonly line: string;
  readonly exchanges: readonly Exchange[];
  /** The command line that says the same. */
  readonly same: string;
}

const TALKS: Readonly<Record<string, Talk>> = {
  "the group, version and kind of an API, and kubebuilder's two questions": {
    before: [],
    line: "create api --make=false",
    exchanges: [
      ["Group of the API, which demo follows", `webapp${enter}`],
      ["Version of the API", enter],
      ["Kind of the API", `Guestbook${enter}`],
      ["Create Resource: the types of the kind [Y/n]", `y${enter}`],
      ["Create Controller [Y/n]", `YES${enter}`],
    ],
    same: "create api --make=false --group webapp --version v1 --kind Guestbook --resource --controller",
  },
  "only kubebuilder's two questions, when the rest is there": {
    before: [],
    line: "create api --group webapp --version v1 --kind Guestbook --make=false",
    exchanges: [
      ["Create Resource", enter],
      ["Create Controller", `n${enter}`],
    ],
    same: "create api --group webapp --version v1 --kind Guestbook --make=false --resource --controller=false",
  },
  "the version whose fields a further version starts with": {
    before: [CREATE_API, V2],
    line: "create api --group webapp --version v3 --kind Guestbook --make=false",
    exchanges: [
      ["Create Resource", enter],
      ["Start with the fields of", `${down}${enter}`],
      ["Create Controller [y/N]", enter],
    ],
    same: "create api --group webapp --version v3 --kind Guestbook --make=false --resource --from v1 --controller=false",
  },
  "the version whose fields a further version starts with, where none is wanted": {
    before: [CREATE_API],
    line: "create api --group webapp --version v3 --kind Guestbook --make=false",
    exchanges: [
      ["Create Resource", enter],
      ["Start with the fields of", `${down}${enter}`],
      ["Create Controller [y/N]", enter],
    ],
    same: "create api --group webapp --version v3 --kind Guestbook --make=false --resource --from none --controller=false",
  },
  "no types for a kind that Kubernetes has": {
    before: [],
    line: "create api --group apps --version v1 --kind Deployment --make=false",
    exchanges: [
      ["Create Resource: the types of the kind [y/N]", enter],
      ["Create Controller", enter],
    ],
    same: "create api --group apps --version v1 --kind Deployment --make=false --resource=false --controller",
  },
  "the kind among those of the project, and the types of its webhooks": {
    before: [CREATE_API, "create api --group webapp --version v1 --kind Visitor --make=false"],
    line: "create webhook --make=false",
    exchanges: [
      ["Webhooks of which kind?", `${down}${enter}`],
      ["Which webhooks?", ` ${down} ${enter}`],
    ],
    same: "create webhook --make=false --group webapp --version v1 --kind Visitor --defaulting --programmatic-validation",
  },
  "a conversion between versions, whose only spoke is clear": {
    before: [CREATE_API, V2],
    line: "create webhook --version v1 --kind Guestbook --make=false",
    exchanges: [["Which webhooks?", `${down}${down} ${enter}`]],
    same: "create webhook --version v1 --kind Guestbook --make=false --group webapp --conversion --spoke v2",
  },
  "a kind of Kubernetes for its webhooks": {
    before: [CREATE_API],
    line: "create webhook --programmatic-validation --make=false",
    exchanges: [
      ["Webhooks of which kind?", `${down}${enter}`],
      ["Group of the kind", enter],
      ["Version of the kind", enter],
      ["Kind, such as Pod", `Pod${enter}`],
    ],
    same: "create webhook --programmatic-validation --make=false --group core --version v1 --kind Pod",
  },
  "the API that is to be deleted, and whether it is meant": {
    before: [CREATE_API, "create api --group webapp --version v1 --kind Visitor --make=false"],
    line: "delete api --make=false",
    exchanges: [
      ["API to delete", `${down}${enter}`],
      ["Delete webapp/v1 Visitor with its types, controllers, webhooks, and manifests? [y/N]", `y${enter}`],
    ],
    same: "delete api --make=false --group webapp --version v1 --kind Visitor",
  },
  "whose webhooks are to be deleted": {
    before: [
      CREATE_API,
      "create api --group webapp --version v1 --kind Visitor --make=false",
      "create webhook --group webapp --version v1 --kind Visitor --defaulting --make=false",
    ],
    line: "delete webhook --make=false",
    exchanges: [
      ["API whose webhooks to delete", enter],
      ["Delete the webhooks of webapp/v1 Visitor? [y/N]", `y${enter}`],
    ],
    same: "delete webhook --make=false --group webapp --version v1 --kind Visitor",
  },
  "the name of a kubectl plugin, which is no command of kubectl": {
    before: [CREATE_API],
    line: "create kubectl-plugin",
    exchanges: [
      ["Name of the plugin, which users type after kubectl", `get${enter}`],
      ["kubectl runs its own command of this name", `\u007F\u007F\u007Fgb${enter}`],
    ],
    same: "create kubectl-plugin gb",
  },
  "the kubectl plugin that is to be deleted, and whether it is meant": {
    before: [CREATE_API, "create kubectl-plugin first", "create kubectl-plugin second"],
    line: "delete kubectl-plugin",
    exchanges: [
      ["kubectl plugin to delete", `${down}${enter}`],
      ["Delete the kubectl plugin second with its sources? [y/N]", `y${enter}`],
    ],
    same: "delete kubectl-plugin second",
  },
  "the kind that gets another name, and the name": {
    before: [CREATE_API],
    line: "rename api --make=false",
    exchanges: [
      ["Rename which API?", enter],
      ["What do you want to rename?", enter],
      ["New name of the kind", `VisitorBook${enter}`],
    ],
    same: "rename api --make=false --group webapp --version v1 --kind Guestbook --to-kind VisitorBook",
  },
};

describe("questions at a terminal", () => {
  it.for(Object.entries(TALKS))("ask for %s", async ([, { before, line, exchanges, same }]) => {
    const [asked, told] = [await project(...before), await project(...before)];
    const { status, stderr, stdout, unasked } = await converse(asked, line, exchanges);
    expect({ status, stderr, unasked }).toEqual({ status: 0, stderr: "", unasked: [] });
    expect(stdout).toContain(`${SAME}scaffold ${same}\n`);
    await runCommands(told, same);
    expect(readFiles(asked)).toEqual(readFiles(told));
  });

  it("ask for the domain of a project, and for a name when that of the folder is none", async () => {
    const root = path.join(temporaryFolder(), "My_Guests");
    mkdirSync(root);
    const { status, stdout, unasked } = await converse(root, "init --skip-install --dry-run", [
      ["Domain of the API groups", `Bad_Domain${enter}`],
      ["it is not a DNS subdomain", `\u0015example.com${enter}`],
      ["Name of the project (the folder's name, my_guests, is not valid)", enter],
    ]);
    expect({ status, unasked }).toEqual({ status: 0, unasked: [] });
    expect(stdout).toContain("+domain: example.com\n");
    expect(stdout).toContain("--domain example.com --project-name my-guests\n");
  });

  it("say at once what is wrong with an answer, and take another", async () => {
    const root = await project();
    const { status, unasked } = await converse(root, "create api --make=false", [
      ["Group of the API", `Web_App${enter}`],
      ["is not a DNS subdomain", `\u0015webapp${enter}`],
      ["Version of the API", `1${enter}`],
      ["is not a Kubernetes API version", `\u0015v1${enter}`],
      ["Kind of the API", `guestbook${enter}`],
      ["such as Guestbook", `\u0015Guestbook${enter}`],
      ["Create Resource", `maybe${enter}`],
      ["Enter y or n.", `\u0015no${enter}`],
      ["Create Controller", `n${enter}`],
    ]);
    expect({ status, unasked }).toEqual({ status: 1, unasked: [] });
  });

  it.for([
    ["Escape", escape],
    ["Ctrl-C", interrupt],
    ["Ctrl-D", endOfInput],
  ] as const)("are broken off by %s, and nothing is written", async ([, key]) => {
    const root = await project();
    const before = readFiles(root);
    const { status, stderr } = await converse(root, "create api", [
      ["Group of the API", `webapp${enter}`],
      ["Version of the API", key],
    ]);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("CLI_CANCELLED") });
    expect(readFiles(root)).toEqual(before);
  });

  it("take no for an answer to a deletion", async () => {
    const root = await project(CREATE_API);
    const before = readFiles(root);
    const { status, stderr } = await converse(root, "delete api", [
      ["API to delete", enter],
      ["Delete webapp/v1 Guestbook", enter],
    ]);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("CLI_CANCELLED") });
    expect(readFiles(root)).toEqual(before);
  });

  it.for([
    "create api --no-input",
    "create webhook --output json",
    "delete api --input=false",
    "rename api --no-input",
  ])("are none for `%s`", async (line) => {
    const root = await project(CREATE_API);
    const { status, stdout, stderr, screen } = await converse(root, line, []);
    expect({ status, text: stdout + stderr }).toEqual({ status: 1, text: expect.stringContaining("CLI_MISSING_FLAG") });
    expect(screen).not.toContain("?");
  });

  it("can be read at a terminal that does not know how wide it is", async () => {
    const root = await project(CREATE_API);
    const questions = ["API to delete", "Delete webapp/v1 Guestbook"];
    const exchanges = questions.map((question) => [question, enter] as const);
    const { unasked } = await converse(root, "delete api", exchanges, { columns: 0 });
    expect(unasked).toEqual([]);
  });

  it("are none without a terminal", async () => {
    const root = await project(CREATE_API);
    for (const line of ["create api", "create webhook", "delete api", "delete webhook", "rename api"])
      expect(await runCommand(root, line)).toMatchObject({ status: 1, stderr: expect.stringContaining("not set [") });
  });

  it("are none in a folder without a project", async () => {
    const { status, stderr } = await converse(temporaryFolder(), "create api", []);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("PROJECT_NOT_FOUND") });
  });
});
