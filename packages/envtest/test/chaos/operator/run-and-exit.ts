// Runs one seed and then has nothing left to do, so that the process exits if nothing holds it.
import { runSeed } from "./run-seed.ts";

const { violations } = await runSeed(Number(process.argv[2]), 0.5);
process.send?.(violations);
process.disconnect();
