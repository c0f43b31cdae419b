import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { temporaryFolder } from "./temporary-folder.ts";

const DOCKERFILE = readFileSync(fileURLToPath(new URL("../../templates/init/Dockerfile.hbs", import.meta.url)), "utf8");

// Stands for esbuild: what it writes is the same however often it runs.
const BUILD = `
import { mkdirSync, writeFileSync } from "node:fs";
mkdirSync("dist", { recursive: true });
writeFileSync("dist/manager.mjs", "console.log('the manager');\\n");
const inputs = {
  "cmd/main.ts": { bytesInOutput: 10 },
  "node_modules/left-out/index.js": { bytesInOutput: 0 },
  "node_modules/@scope/pack/lib/index.js": { bytesInOutput: 5 },
};
writeFileSync("dist/manager.meta.json", JSON.stringify({ inputs, outputs: { "dist/manager.mjs": { inputs } } }));
`;

/** Makes a project with as much in it as an image needs, in a folder that is removed when the test ends. */
export function imageProject(files: Readonly<Record<string, string>> = {}): string {
  return temporaryFolder({
    PROJECT: 'domain: demo\nlayout:\n- ts.kubescaffold.dev/v1\nprojectName: guestbook\nrepo: guestbook\nversion: "3"\n',
    Dockerfile: DOCKERFILE,
    "package.json": JSON.stringify({ name: "guestbook", version: "1.2.3", description: "An operator", license: "MIT" }),
    "hack/build.mjs": BUILD,
    "node_modules/@scope/pack/package.json": JSON.stringify({ name: "@scope/pack", version: "4.5.6", license: "MIT" }),
    "node_modules/@scope/pack/lib/package.json": JSON.stringify({ type: "module" }),
    "node_modules/left-out/package.json": JSON.stringify({ name: "left-out", version: "1.0.0" }),
    ...files,
  });
}
