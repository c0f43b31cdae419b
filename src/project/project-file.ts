import { isDeepStrictEqual } from "node:util";

import { readYaml, YamlError } from "@kubescaffold/k8s/yaml";
import {
  Document,
  isMap,
  isNode,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  visit,
  type YAMLParseError,
} from "yaml";

import { ProjectInvalidError, ProjectVersionError } from "./errors.ts";
import { matchesProjectSchema } from "./generated/matches-project-schema.ts";
import { nameProblems, type ProjectProblem } from "./name-rules.ts";
import type { ProjectConfig } from "./project-config.ts";
import { applyChanges, isReservedScalar, readPlainYaml } from "./project-yaml.ts";

// Aliases were counted when the text was read.
const ANY_ALIASES = { maxAliasCount: -1 } as const;
const PRINT_OPTIONS = { indentSeq: false, lineWidth: 0, flowCollectionPadding: false } as const;

const HEADER = [
  " Written by kubescaffold; DO NOT EDIT unless something is wrong.",
  " Records how this project was scaffolded, so that later commands can add to it.",
  " Commands that add to the project change this file too; your keys and comments are preserved.",
  " The keys are those of kubebuilder's project version 3.",
].join("\n");

/**
 * Parses the text of a PROJECT file.
 *
 * Guarantees: keys that this program does not know are kept in the result.
 * Fails: {@link ProjectInvalidError} with line and column when the text is not YAML or has a value of the wrong type, or names that no flag would
 * take; {@link ProjectVersionError} when the version is neither 3 nor one of those given.
 */
export function parseProject(text: string, { olderVersions = [] }: ParseProjectOptions = {}): ProjectConfig {
  return ProjectDocument.parse(text, { olderVersions }).requireProject();
}

/** Settings of {@link parseProject}. */
export interface ParseProjectOptions {
  /** Versions to accept in addition to 3: the keys that they have are those of version 3. */
  readonly olderVersions?: readonly string[];
}

/**
 * Prints a project as the text of a PROJECT file: keys in alphabetical order, upstream's YAML style.
 *
 * Guarantees: with the previous text given, comments, unknown keys and the order of what is there survive; equal content gives equal bytes.
 */
export function printProject(project: ProjectConfig, previous?: string): string {
  if (previous !== undefined) return ProjectDocument.parse(previous).print(project);
  return printChanged(newDocument(), { before: {}, after: withoutEmpty(project) });
}

/** The text of a PROJECT file with what it holds. A command parses it once, and prints its changes into it. */
export class ProjectDocument {
  readonly project: ProjectConfig;
  /** The names in it that no flag would accept: commands that generate from the project refuse them. */
  readonly problems: readonly ProjectProblem[];
  readonly #text: string;
  readonly #data: Partial<RawProject>;
  readonly #isPlain: boolean;

  private constructor(
    text: string,
    data: RawProject,
    { isPlain, olderVersions = [] }: ParseProjectOptions & { readonly isPlain: boolean },
  ) {
    this.project = normalize(data, olderVersions);
    this.problems = nameProblems(data);
    this.#text = text;
    this.#data = withoutEmpty(data);
    this.#isPlain = isPlain;
  }

  /** Parses a text. Fails: as {@link parseProject}, but for names. */
  static parse(text: string, options: ParseProjectOptions = {}): ProjectDocument {
    const data = readPlainYaml(text);
    if (data !== undefined && validateProject(data) === undefined)
      return new ProjectDocument(text, data as RawProject, { ...options, isPlain: true });
    const unreadable = yamlProblem(text);
    if (unreadable?.isLimit === true) throw new ProjectInvalidError(unreadable, unreadable.reason);
    const { document, lines } = parseDocumentOf(text);
    if (unreadable !== undefined) throw new ProjectInvalidError(unreadable, unreadable.reason);
    const whole: unknown = document.toJS(ANY_ALIASES);
    const problem = validateProject(whole);
    if (problem !== undefined)
      throw new ProjectInvalidError(placeAt(lines, offsetOf(document, problem.path)), problem.message);
    return new ProjectDocument(text, whole as RawProject, { ...options, isPlain: false });
  }

  /** Returns the project. Fails: {@link ProjectInvalidError} with all names that no flag would accept. */
  requireProject(): ProjectConfig {
    if (this.problems.length === 0) return this.project;
    throw this.invalid(this.problems);
  }

  /** Returns the line and column of the value at a path of keys, or of the nearest value that contains it. */
  placeOf(path: readonly string[]): { readonly line: number; readonly column: number } {
    const { document, lines } = parseDocumentOf(this.#text);
    return placeAt(lines, offsetOf(document, path));
  }

  /** Returns the error that lists problems with their lines and columns. */
  invalid(problems: readonly ProjectProblem[]): ProjectInvalidError {
    const [first, ...others] = problems.map((problem) => ({
      place: this.placeOf(problem.path),
      problem: problem.message,
    }));
    const more = others.map(({ place, problem }) => `\n  PROJECT:${place.line}:${place.column}: ${problem}`);
    return new ProjectInvalidError(first?.place ?? { line: 1, column: 1 }, `${first?.problem ?? ""}${more.join("")}`);
  }

  /** Prints a project into the text, as {@link printProject} does with a previous text. */
  print(project: ProjectConfig): string {
    const after = withoutEmpty(project);
    // A text in the style of the printer gets further resources as lines: to parse and print a hundred others takes far longer.
    const added = this.#isPlain ? addedResources(this.#data, after) : undefined;
    if (added !== undefined) return insertResources(this.#text, added);
    return printChanged(parseDocumentOf(this.#text).document, { before: this.#data, after });
  }
}

function parseDocumentOf(text: string): { readonly document: Document.Parsed; readonly lines: LineCounter } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = document.errors[0];
  if (broken !== undefined) throw new ProjectInvalidError(placeAt(lines, broken.pos[0]), problemOf(broken));
  requirePrintableAnchors(document, lines);
  return { document, lines };
}

// The library reads anchors that it refuses to print.
function requirePrintableAnchors(document: Document.Parsed, lines: LineCounter): void {
  visit(document, {
    Node: (_, node) => {
      if (!("anchor" in node) || node.anchor === undefined || /^[^\s\p{Cc},[\]{}]+$/u.test(node.anchor)) return;
      const message = `the anchor ${JSON.stringify(node.anchor)} contains blanks or control characters`;
      throw new ProjectInvalidError(placeAt(lines, node.range?.[0] ?? 0), message);
    },
  });
}

// The library that knows where everything is in a text does not limit what the text stands for.
function yamlProblem(text: string): YamlError | undefined {
  try {
    readYaml(text);
    return undefined;
  } catch (error) {
    if (error instanceof YamlError) return error;
    throw error;
  }
}

// Returns the resources behind those that were there, when nothing else has changed.
function addedResources(data: Partial<RawProject>, after: Partial<ProjectConfig>): ProjectConfig["resources"] {
  const { resources: old = [], ...before } = data;
  const { resources = [], ...others } = after;
  const isSame = isShallowlyEqual(before, others) && isShallowlyEqual(old, resources.slice(0, old.length));
  return isSame && old.length > 0 ? resources.slice(old.length) : undefined;
}

function isShallowlyEqual(left: object, right: object): boolean {
  const entries = Object.entries(left);
  return (
    entries.length === Object.keys(right).length &&
    entries.every(([key, value]) => (right as Readonly<Record<string, unknown>>)[key] === value)
  );
}

// Puts resources behind those of a text that is as it is printed.
function insertResources(text: string, resources: readonly unknown[]): string {
  if (resources.length === 0) return text;
  const lines = printChanged(new Document({}), { before: {}, after: { resources } }).replace("resources:\n", "");
  return text.replace(/^resources:\n(?:[- ].*\n)*/mu, (block) => block + lines);
}

function printChanged(document: Document, change: { readonly before: unknown; readonly after: unknown }): string {
  applyChanges(document, change);
  quoteAsUpstream(document);
  const text = document.toString(PRINT_OPTIONS);
  return quoteBlocks(document, text) ? document.toString(PRINT_OPTIONS) : text;
}

// The library does not indent or fold every block scalar so that it reads back as the same text. Returns whether it changed any.
function quoteBlocks(document: Document, text: string): boolean {
  const blocks: Scalar[] = [];
  visit(document, {
    Scalar: (_, node) => {
      if (node.type === "BLOCK_FOLDED" || node.type === "BLOCK_LITERAL") blocks.push(node);
    },
  });
  if (blocks.length === 0 || isDeepStrictEqual(parseDocument(text).toJS(ANY_ALIASES), document.toJS(ANY_ALIASES)))
    return false;
  for (const block of blocks) block.type = "QUOTE_DOUBLE";
  return true;
}

// Upstream's printer takes single quotes for text that begins with an indicator, such as the scope of an npm package, and double ones elsewhere.
function quoteAsUpstream(document: Document): void {
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value !== "string") return;
      if (/^[@`%]/u.test(node.value)) node.type ??= "QUOTE_SINGLE";
      // kubebuilder reads YAML 1.1, in which more words are booleans and numbers.
      else if (node.range === undefined && isReservedScalar(node.value)) node.type ??= "QUOTE_DOUBLE";
    },
  });
}

type RawProject = Omit<ProjectConfig, "layout"> & { readonly layout?: string | readonly string[] };

function normalize(data: RawProject, olderVersions: readonly string[]): ProjectConfig {
  // The pre-release name of the same format, which upstream still reads.
  const version = data.version === "3-alpha" ? "3" : data.version;
  if (version !== "3" && !olderVersions.includes(version)) throw new ProjectVersionError(version);
  const layout = typeof data.layout === "string" ? data.layout.split(",") : (data.layout ?? []);
  return { ...withoutEmpty({ ...data, layout }), version, layout };
}

function newDocument(): Document {
  const document = new Document({});
  // On the content, not on the document: there it would be followed by an empty line.
  if (document.contents !== null) document.contents.commentBefore = HEADER;
  return document;
}

// Empty values of these keys mean the same as their absence; keys that this program does not know keep theirs.
const ABSENT_WHEN_EMPTY: ReadonlySet<string> = new Set<keyof ProjectConfig>([
  "cliVersion",
  "domain",
  "multigroup",
  "namespaced",
  "projectName",
  "repo",
]);

function withoutEmpty<T extends object>(project: T): Partial<T> {
  const entries = Object.entries(project).filter(
    ([key, value]) => value !== undefined && !(ABSENT_WHEN_EMPTY.has(key) && (value === false || value === "")),
  );
  return Object.fromEntries(entries) as Partial<T>;
}

function offsetOf(document: Document.Parsed, path: readonly string[]): number {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const segment of path) {
    const next: unknown = childOf(node, segment);
    if (!isNode(next)) break;
    offset = keyOffset(node, segment) ?? next.range?.[0] ?? offset;
    node = next;
  }
  return offset;
}

function childOf(node: unknown, segment: string): unknown {
  if (!isNode(node) || !("get" in node) || typeof node.get !== "function") return undefined;
  const key = isMap(node) ? segment : Number(segment);
  return (node as unknown as { get: (key: unknown, keepScalar: boolean) => unknown }).get(key, true);
}

function keyOffset(node: unknown, segment: string): number | undefined {
  if (!isMap(node)) return undefined;
  const pair = node.items.find((item) => isNode(item.key) && String(item.key) === segment);
  return (pair?.key as Node | undefined)?.range?.[0];
}

function placeAt(lines: LineCounter, offset: number): { readonly line: number; readonly column: number } {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

// The library tells its callers what to call, which are not the readers of this.
function problemOf({ code, message }: YAMLParseError): string {
  return code === "MULTIPLE_DOCS" ? "the file contains more than one document" : lowerFirst(message);
}

function lowerFirst(message: string): string {
  return (message.slice(0, 1).toLowerCase() + message.slice(1)).replace(/\.$/u, "");
}

/** Checks the data of a PROJECT file and returns the first problem, or nothing. */
function validateProject(data: unknown): ProjectProblem | undefined {
  if (matchesProjectSchema(data)) return undefined;
  const error = matchesProjectSchema.errors?.at(-1);
  if (error === undefined) return undefined;
  if (data === null || data === undefined) return { path: [], message: "the file is empty" };
  const path = error.instancePath.split("/").slice(1).map(unescapePointer);
  return { path, message: `${path.join(".") || "the file"} ${error.message ?? "is invalid"}` };
}

function unescapePointer(segment: string): string {
  return segment.replaceAll("~1", "/").replaceAll("~0", "~");
}
