import { seededState } from "./seeded-run.ts";

process.stdout.write(await seededState(process.argv[2] ?? ""));
