// `npm test` runs the tests of the packages, the program, and the plugins; `npm run test:e2e` those of whole programs and generated projects. The tests of the architecture are a part of `npm run check`.
// Both install what is missing, and the second one builds the programs; `--part=3/14` leaves out the end-to-end tests of other parts (scripts/rotation.mjs). Other arguments go to vitest, where a path selects from all tests.
import { binOf, ensureInstalled, run } from "./ensure-installed.mjs";
import { leftOut, partIn, ROTATING_FILES } from "./rotation.mjs";

const UNIT = "unit";
const END_TO_END = "e2e";
// Whole programs wait for timers and processes, so that two processors have time for a third worker.
const WORKERS = { [UNIT]: "2", [END_TO_END]: "3" };

const args = process.argv.slice(2).filter((word) => word !== "--e2e" && !word.startsWith("--part="));
const isEndToEnd = process.argv.includes("--e2e");
const isSelection = args.some((word) => !word.startsWith("-") || word.startsWith("--project"));
const project = isEndToEnd ? END_TO_END : UNIT;
const projects = [`--project=${project}`, `--maxWorkers=${WORKERS[project]}`];
const excluded = isEndToEnd ? leftOut(ROTATING_FILES, partIn(process.argv)).map((file) => `--exclude=${file}`) : [];
ensureInstalled();
// Unit tests load sources; a path may select any test.
if (isEndToEnd || isSelection) run(process.execPath, ["scripts/build.mjs"]);
run(process.execPath, [binOf("vitest"), "run", ...(isSelection ? [] : [...projects, ...excluded]), ...args]);
