// `scaffold create api --make=false` in the Guestbook project, which gets a second API, beside Node doing nothing.
import { rmSync } from "node:fs";
import path from "node:path";

import { measureInTurn, printWhenMain, rowOf, timeProgram } from "./measuring.mjs";
import { builtProgram, copyGuestbook, inTemporaryFolder } from "./places.mjs";

const COMMAND = "create api --group webapp --version v1 --kind Visitor --resource --controller --make=false".split(" ");

export function measureCreateApi() {
  const program = builtProgram();
  return inTemporaryFolder(async (folder) => {
    const project = path.join(folder, "guestbook");
    const createApi = () => {
      rmSync(project, { recursive: true, force: true });
      return timeProgram(process.execPath, [program, ...COMMAND], { cwd: copyGuestbook(project) });
    };
    const [ours, reference] = await measureInTurn([createApi, () => timeProgram(process.execPath, ["-e", "0"])], {
      rounds: 21,
    });
    return [rowOf({ title: "`scaffold create api --make=false` / `node -e 0`", ours, reference, maxRatio: 2.5 })];
  });
}

await printWhenMain(import.meta.url, measureCreateApi);
