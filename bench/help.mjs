// `scaffold --help` beside Node doing nothing.
import { measureInTurn, printWhenMain, rowOf, timeProgram } from "./measuring.mjs";
import { builtProgram } from "./places.mjs";

export async function measureHelp() {
  const program = builtProgram();
  const [ours, reference] = await measureInTurn(
    [() => timeProgram(process.execPath, [program, "--help"]), () => timeProgram(process.execPath, ["-e", "0"])],
    { rounds: 21 },
  );
  return [rowOf({ title: "`scaffold --help` / `node -e 0`", ours, reference, maxRatio: 1.6 })];
}

await printWhenMain(import.meta.url, measureHelp);
