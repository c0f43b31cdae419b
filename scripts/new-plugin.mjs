// `npm run new-plugin -- <name> [--description "…"]`: a plugin to fill in, made from plugins/_template, and its row in ARCHITECTURE.md.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { generateTemplates } from "./generate-templates.mjs";

const ROOT = path.resolve(fileURLToPath(new URL("..", import.meta.url)));
const TEMPLATE = path.join(ROOT, "plugins", "_template");
const RESERVED = new Set(["template", "base", "ts", "default"]);

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { description: { type: "string" }, root: { type: "string", default: ROOT } },
});
const [name] = positionals;
const problem = problemOf(name);
if (problem === undefined) await writePlugin(name);
else {
  console.error(`new-plugin: ${problem}\nusage: npm run new-plugin -- <name> [--description "<one sentence>"]`);
  process.exitCode = 2;
}

function problemOf(wanted) {
  if (wanted === undefined || positionals.length > 1) return "one name is needed";
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/u.test(wanted))
    return `"${wanted}" is no name: lower-case letters and digits, with dashes between`;
  if (RESERVED.has(wanted)) return `"${wanted}" is taken by the program itself`;
  if (existsSync(path.join(values.root, "plugins", wanted))) return `plugins/${wanted} exists`;
  return undefined;
}

async function writePlugin(plugin) {
  const description = values.description ?? "Says in one sentence what the plugin adds to a project";
  const identifier = plugin.replaceAll(/-(?<letter>[a-z0-9])/gu, (_, letter) => letter.toUpperCase());
  for (const file of filesBelow(TEMPLATE)) {
    const target = path.join(
      values.root,
      "plugins",
      plugin,
      file.replace("template.test.ts", `${plugin}.test.ts`).replace("TEMPLATE.md", `${plugin.toUpperCase()}.md`),
    );
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, filledIn(file, { plugin, identifier, description }));
  }
  addToMap(plugin, description);
  await generateTemplates(values.root);
  console.log(nextSteps(plugin, identifier));
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && path.basename(entry.parentPath) !== "generated")
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

function filledIn(file, { plugin, identifier, description }) {
  const text = readFileSync(path.join(TEMPLATE, file), "utf8");
  if (file === "README.md") return `# ${plugin}\n\n\`${plugin}.kubescaffold.dev/v1-alpha\`: ${description}.\n`;
  return text
    .replaceAll("template.kubescaffold.dev/", `${plugin}.kubescaffold.dev/`)
    .replaceAll("The starting point of a plugin", description)
    .replaceAll("Says in one sentence what the plugin adds to a project.", `${description}.`)
    .replaceAll("the plugin to start from", `the plugin ${plugin}`)
    .replaceAll("TEMPLATE.md", `${plugin.toUpperCase()}.md`)
    .replace("  isHidden: true,\n", "")
    .replaceAll(/\btemplate\b(?=: Plugin|\.init|;| \})/gu, identifier);
}

// The row goes behind those of the other plugins.
function addToMap(plugin, description) {
  const map = path.join(values.root, "ARCHITECTURE.md");
  const lines = readFileSync(map, "utf8").split("\n");
  const place = lines.findIndex((line) => line.startsWith("| `plugins/_template`"));
  writeFileSync(map, lines.toSpliced(place, 0, `| \`plugins/${plugin}\` | ${description} |`).join("\n"));
}

function nextSteps(plugin, identifier) {
  return [
    `plugins/${plugin} is there. What is left to do:`,
    `  - list what it can do in plugins/${plugin}/index.ts, and put its templates below plugins/${plugin}/templates`,
    "  - add it where the program's plugins are named, bin/scaffold.ts, and in test/support/run-command.ts:",
    `      import { ${identifier} } from "../plugins/${plugin}/index.ts";`,
    `  - npx vitest run plugins/${plugin}`,
    "  - npx vitest run test/cli/output/cli-reference -u    # docs/reference/cli.md",
    "  - npm run check",
  ].join("\n");
}
