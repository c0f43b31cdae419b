// Asks kube-openapi's formats about all samples, compiled with the version of Go that the released kube-apiserver is compiled with:
//   npx tsx --conditions=@kubescaffold/source packages/schema/test/oracle/record-formats.ts
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { SAMPLED_FORMATS, samplesOf } from "../formats/format-samples.ts";

const GO = "go1.25.9";

const cases = SAMPLED_FORMATS.map((format) => ({ op: "format", type: format, value: samplesOf(format) }));
const output = execFileSync("go", ["run", "."], {
  cwd: fileURLToPath(new URL(".", import.meta.url)),
  env: { ...process.env, GOTOOLCHAIN: GO },
  input: JSON.stringify(cases),
  encoding: "utf8",
  maxBuffer: 2 ** 28,
});
const answers = JSON.parse(output) as readonly { readonly value: string }[];
const verdicts = Object.fromEntries(SAMPLED_FORMATS.map((format, index) => [format, answers[index]?.value]));
writeFileSync(new URL("../recorded/formats.json", import.meta.url), `${JSON.stringify(verdicts, undefined, 2)}\n`);
for (const [format, verdict = ""] of Object.entries(verdicts)) {
  process.stdout.write(
    `${format}: ${String(verdict.replaceAll("0", "").length)} of ${String(verdict.length)} are valid\n`,
  );
}
