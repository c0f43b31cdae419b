// The API reference of all packages, from their docstrings.
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { Application, Comment, Converter, LogLevel, MinimalSourceFile, ReflectionKind } from "typedoc";

import { publicModules } from "./modules.mjs";

const SITE = path.dirname(fileURLToPath(import.meta.url));

const ROOT = path.join(SITE, "..");
const MODULES = publicModules(ROOT);

/** Writes one page per symbol. Returns the warnings of TypeDoc. */
export async function writeApiReference(folder) {
  const entryPoints = Object.values(MODULES).map((file) => path.join(ROOT, file));
  const app = await Application.bootstrapWithPlugins({
    entryPoints,
    plugin: ["typedoc-plugin-markdown"],
    out: folder,
    tsconfig: path.join(SITE, "tsconfig.json"),
    // The type check of the repository has already found all errors, with its own compiler.
    skipErrorChecking: true,
    // Explains which modules are left out.
    readme: path.join(SITE, "api-index.md"),
    mergeReadme: true,
    disableSources: true,
    excludePrivate: true,
    excludeInternal: true,
    // The members of Node's own classes.
    excludeExternals: true,
    hidePageHeader: true,
    hideBreadcrumbs: true,
    parametersFormat: "table",
    indexFormat: "table",
    outputFileStrategy: "members",
    entryFileName: "index",
    logLevel: "Warn",
  });
  const warnings = [];
  app.logger.log = (message, level) => {
    if (level >= LogLevel.Warn) warnings.push(message);
  };
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getChildrenByKind(ReflectionKind.Module)) {
      // TypeDoc names a module by its file, or by the folder of its index.
      const name = Object.keys(MODULES).find((each) => MODULES[each].replace(/(?:\/index)?\.ts$/u, "") === module.name);
      if (name === undefined) throw new Error(`no package exports the module ${module.name}`);
      module.name = name;
      const file = new MinimalSourceFile(textAtHead(path.join(ROOT, MODULES[name])), MODULES[name]);
      module.comment = new Comment(app.converter.parseRawComment(file, project.files).content);
    }
  });
  const project = await app.convert();
  if (project === undefined) throw new Error("TypeDoc cannot read the sources");
  // Links that lead nowhere are warnings of the validation.
  app.validate(project);
  await app.generateOutputs(project);
  return warnings;
}

// TypeDoc takes the comment above the first statement for the statement's own, unless a tag says otherwise.
function textAtHead(file) {
  const text = /^\/\*\*(?<text>[^]*?)\*\//u.exec(readFileSync(file, "utf8"))?.groups?.text;
  if (text === undefined) throw new Error(`${file} does not begin with a comment that says what the module is for`);
  return text.replaceAll(/^\s*\* ?/gmu, "").trim();
}
