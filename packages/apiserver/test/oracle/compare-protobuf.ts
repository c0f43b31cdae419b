// Compares objects that Go encoded with the same objects in our form; reads one case a line from the standard input:
//   node scripts/test-protobuf-oracle.mjs
import { readFileSync } from "node:fs";

import { differencesOf, type ProtobufCase } from "./protobuf-case.ts";

const cases = readFileSync(0, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as ProtobufCase);
const found = cases.flatMap((each) => differencesOf(each));
for (const difference of found.slice(0, 20)) process.stdout.write(`${difference}\n`);
process.stdout.write(`protobuf: ${String(cases.length)} objects, ${String(found.length)} differences\n`);
process.exit(found.length === 0 && cases.length > 0 ? 0 : 1);
