// Runs controller-gen's applyconfiguration on the Go halves of golden cases and writes which types it makes, with which fields, to upstream.json.
//
// node scripts/golden-apply-facts.mjs
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { RECORDED_MINOR } from "./control-plane-pins.mjs";
import { CONTROLLER_GEN, installControllerGen, prepareModule, run } from "./controller-gen.mjs";

const GOLDEN = fileURLToPath(new URL("../packages/generators/test/applyconfiguration/golden", import.meta.url));
const MODULE = mkdtempSync(path.join(os.tmpdir(), "golden-apply-"));
cpSync(prepareModule(RECORDED_MINOR), MODULE, {
  recursive: true,
  filter: (file) => !/[\\/](?:cases|structs)$/u.test(file),
});

for (const name of readdirSync(GOLDEN).filter((each) => existsSync(path.join(GOLDEN, each, "go")))) {
  const target = path.join(MODULE, "cases");
  rmSync(target, { recursive: true, force: true });
  cpSync(path.join(GOLDEN, name, "go"), target, { recursive: true });
  run(installControllerGen(), ["object", "applyconfiguration", "paths=./..."], { cwd: target });
  const files = readdirSync(target, { recursive: true }).filter((file) => /applyconfiguration.*\.go$/u.test(file));
  const structs = files.flatMap((file) => structsOf(readFileSync(path.join(target, file), "utf8")));
  const facts = { controllerGen: CONTROLLER_GEN, structs: Object.fromEntries(structs.toSorted(byName)) };
  writeFileSync(path.join(GOLDEN, name, "upstream.json"), `${JSON.stringify(facts, undefined, 2)}\n`);
}
rmSync(MODULE, { recursive: true, force: true });

// The fields of each configuration by their names in JSON, with their Go types; what is embedded has no name.
function structsOf(text) {
  return [...text.matchAll(/^type (\w+)ApplyConfiguration struct \{\n([^}]*)\}/gmu)].map(([, name, body]) => {
    const fields = body.split("\n").flatMap((line) => {
      const found = /^\s*(?:(\w+)\s+)?(\S+)\s+`json:"([^",]*)/u.exec(line);
      return found === null ? [] : [[found[3] || `embeds ${found[2]}`, found[2]]];
    });
    return [name, Object.fromEntries(fields)];
  });
}

function byName([left], [right]) {
  return left < right ? -1 : 1;
}
