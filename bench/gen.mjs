// `scaffold gen` on the Guestbook project beside controller-gen on the same project in Go, with the words of its Makefile.
import path from "node:path";

import { findControllerGen } from "./controller-gen.mjs";
import { measureInTurn, printWhenMain, rowOf, skipLoudly, timeProgram } from "./measuring.mjs";
import { builtProgram, copyGoGuestbook, copyGuestbook, inTemporaryFolder } from "./places.mjs";

const WORDS = [
  "rbac:roleName=manager-role",
  "crd",
  "webhook",
  "paths=./...",
  "output:crd:artifacts:config=config/crd/bases",
];

export function measureGen() {
  const program = builtProgram();
  const controllerGen = findControllerGen();
  if (controllerGen === undefined) skipLoudly("controller-gen", "there is no Go on the PATH");
  return inTemporaryFolder(async (folder) => {
    const ours = copyGuestbook(path.join(folder, "guestbook"));
    const theirs = copyGoGuestbook(path.join(folder, "go-guestbook"));
    const [durations, reference] = await measureInTurn(
      [
        () => timeProgram(process.execPath, [program, "gen", ...WORDS], { cwd: ours }),
        ...(controllerGen === undefined ? [] : [() => timeProgram(controllerGen, WORDS, { cwd: theirs })]),
      ],
      { rounds: 11 },
    );
    return [rowOf({ title: "`scaffold gen` / `controller-gen`", ours: durations, reference, maxRatio: 0.6 })];
  });
}

await printWhenMain(import.meta.url, measureGen);
