import { ts } from "ts-morph";

import { listSources, readSource } from "./source-files.ts";

/** A code with what its declaration says of it. */
export interface ErrorCode {
  readonly code: string;
  /** The class of the error; none for the findings of diagnostics and for warnings. */
  readonly className: string | undefined;
  readonly meaning: string;
  readonly fix: string;
}

// The sections of the page, with the areas that their codes begin with.
export const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  "Command line": ["CLI", "DOWNLOAD"],
  "PROJECT file": ["PROJECT"],
  Scaffolding: ["SCAFFOLD", "TEMPLATE", "JOURNAL"],
  Plugins: ["PLUGIN", "DEPLOY", "AUTOUPDATE"],
  Sources: ["LOADER"],
  Markers: ["MARKER"],
  Generators: ["GENERATE"],
  "CRD checks": ["CRD"],
  "CRD compatibility": ["COMPAT"],
  Import: ["IMPORT"],
  Images: ["IMAGE"],
  Charts: ["HELM"],
  Manifests: ["MANIFEST"],
  Values: ["INT", "QUANTITY", "SELECTOR"],
  "Schemas and patches": ["SCHEMA"],
  Clients: ["CLIENT", "CONFIG"],
  Caches: ["CACHE"],
  Waits: ["WAIT"],
  Controllers: ["CONTROLLER"],
  Managers: ["MANAGER"],
  Logging: ["LOG"],
  "Leader election": ["LEADER"],
  Webhooks: ["WEBHOOK"],
  "Embedded API server": ["APISERVER"],
  "Test environments": ["ENVTEST"],
  "Node.js": ["NODE"],
};

const INTRODUCTION = `# Error codes

All errors have a code, a meaning, and a fix. Codes do not change after a release. \`npm run docs:errors\` generates this page from
the docstrings of the error classes and of \`DiagnosticCodes\`; a test fails if it is outdated.
`;

/** Returns docs/errors.md. Throws for a code that no section has, or whose docstring lacks its meaning or its fix. */
export function renderErrorPage(codes: readonly ErrorCode[]): string {
  const known = new Set(Object.values(SECTIONS).flat());
  const homeless = codes.filter(({ code }) => !known.has(areaOf(code)));
  if (homeless.length > 0) throw new TypeError(`no section has ${homeless.map(({ code }) => code).join(", ")}`);
  const sections = Object.entries(SECTIONS).map(([title, areas]) =>
    renderSection(
      title,
      codes.filter(({ code }) => areas.includes(areaOf(code))),
    ),
  );
  return [INTRODUCTION, ...sections].join("\n");
}

function areaOf(code: string): string {
  return code.split("_")[0] ?? "";
}

function renderSection(title: string, codes: readonly ErrorCode[]): string {
  const hasClasses = codes.some(({ className }) => className !== undefined);
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const cellsOf = ({ code, className, meaning, fix }: ErrorCode): readonly string[] => [
    `\`${code}\``,
    ...(hasClasses ? [className === undefined ? "" : `\`${className}\``] : []),
    meaning,
    fix,
  ];
  const head = ["Code", ...(hasClasses ? ["Class"] : []), "Meaning", "Fix"];
  const rows = codes.toSorted((left, right) => (left.code < right.code ? -1 : 1)).map((code) => row(cellsOf(code)));
  return [`## ${title}`, "", row(head), `|${head.map(() => "---|").join("")}`, ...rows, ""].join("\n");
}

/** Reads the codes of the sources: of classes with a literal code, of the codes of findings, and of constants that are named as their code. */
export function readErrorCodes(): readonly ErrorCode[] {
  return listSources().flatMap((file) => {
    const text = readSource(file);
    return /readonly code = "|interface DiagnosticCodes|= "LOG_NOT_SET"/u.test(text) ? codesIn(file, text) : [];
  });
}

function codesIn(file: string, text: string): readonly ErrorCode[] {
  const found: ErrorCode[] = [];
  const visit = (node: ts.Node): void => {
    const declared = codeOf(node);
    if (declared !== undefined) found.push({ ...declared, ...describedBy(node, declared.code) });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}

function codeOf(node: ts.Node): Pick<ErrorCode, "code" | "className"> | undefined {
  if (ts.isClassDeclaration(node)) {
    const member = node.members.find((each) => ts.isPropertyDeclaration(each) && each.name.getText() === "code");
    const value = member !== undefined && ts.isPropertyDeclaration(member) ? member.initializer : undefined;
    if (value !== undefined && ts.isStringLiteral(value)) return { code: value.text, className: node.name?.text };
  }
  if (ts.isPropertySignature(node) && ts.isInterfaceDeclaration(node.parent))
    return node.parent.name.text === "DiagnosticCodes"
      ? { code: node.name.getText(), className: undefined }
      : undefined;
  if (ts.isVariableStatement(node)) {
    const [declaration] = node.declarationList.declarations;
    const value = declaration?.initializer;
    if (value !== undefined && ts.isStringLiteral(value) && declaration?.name.getText() === value.text)
      return { code: value.text, className: undefined };
  }
  return undefined;
}

function describedBy(node: ts.Node, code: string): Pick<ErrorCode, "meaning" | "fix"> {
  const [doc] = ts.getJSDocCommentsAndTags(node);
  const text = doc !== undefined && ts.isJSDoc(doc) ? (ts.getTextOfJSDocComment(doc.comment) ?? "") : "";
  const paragraphs = text.split("\n\n").map((each) => each.replaceAll("\n", " "));
  const [meaning = ""] = paragraphs;
  const fix = paragraphs.find((each) => each.startsWith("Fix: "))?.slice("Fix: ".length);
  if (meaning === "" || fix === undefined)
    throw new TypeError(`the docstring of ${code} needs its meaning and a paragraph that begins with "Fix: "`);
  return { meaning: cellOf(meaning.replace(/^Thrown when /u, "")), fix: cellOf(fix) };
}

// A cell begins with a capital and has no full stop.
function cellOf(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`.replace(/\.$/u, "").replaceAll("|", "\\|");
}
