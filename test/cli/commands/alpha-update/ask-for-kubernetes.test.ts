import { writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import type { Asker, Choice } from "../../../../src/cli/command/asker.ts";
import { askForKubernetes } from "../../../../src/cli/commands/alpha-update/run-alpha-update.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const PROJECT = `domain: example.com
layout:
- ts.kubescaffold.dev/v1
plugins:
  base.ts.kubescaffold.dev/v1:
    kubernetesVersion: "1.36"
projectName: demo
version: "3"
`;

// Takes the last choice, and records all of them.
function asker(): { readonly ask: Asker; readonly labels: string[] } {
  const labels: string[] = [];
  const one = async <T>(_message: string, choices: readonly Choice<T>[]): Promise<T> => {
    labels.push(...choices.map(({ label }) => label));
    return (choices.at(-1) as Choice<T>).value;
  };
  const unused = (): never => expect.unreachable("it is not asked for");
  return { ask: { one, text: unused, yesNo: unused, several: unused }, labels };
}

function projectFolder(text: string): string {
  const cwd = temporaryFolder();
  writeFileSync(path.join(cwd, "PROJECT"), text);
  return cwd;
}

it("the recorded version of Kubernetes is the first choice, and the newest ones are before older ones", async () => {
  const { ask, labels } = asker();
  const cwd = projectFolder(PROJECT);
  expect(await askForKubernetes({ ask, cwd, words: [], flags: { kubernetes: undefined } })).toEqual({
    flags: { kubernetes: "1.34" },
  });
  expect(labels).toEqual(["1.36", "1.37", "1.35", "1.34"]);
});

it.each([
  ["the flag is given", PROJECT, "1.37"],
  ["PROJECT is not YAML", "{", undefined],
  ["PROJECT has a version that is not supported", PROJECT.replace("1.36", "1.20"), undefined],
])("nothing is asked for if %s", async (_, text, kubernetes) => {
  const { ask, labels } = asker();
  expect(await askForKubernetes({ ask, cwd: projectFolder(text), words: [], flags: { kubernetes } })).toEqual({});
  expect(labels).toEqual([]);
});
