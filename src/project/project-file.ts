import { isRecord } from "@kubescaffold/k8s";
import {
  Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
  type YAMLParseError,
  type YAMLSeq,
} from "yaml";

import { ProjectInvalidError, ProjectVersionError } from "./errors.ts";
import { nameProblems, type ProjectProblem } from "./name-problems.ts";
import { readPlainYaml } from "./plain-yaml.ts";
import type { ProjectConfig } from "./project-config.ts";
import { validateProject } from "./validate-project.ts";

const HEADER = [
  " Written by kubescaffold; DO NOT EDIT unless something is wrong.",
  " Records how this project was scaffolded, so that later commands can add to it.",
  " Commands that add to the project change this file too; keys and comments of yours survive that.",
  " The keys are those of kubebuilder's project version 3.",
].join("\n");

/**
 * Parses the text of a PROJECT file.
 *
 * Guarantees: keys that this program does not know are kept in the result.
 * Fails: {@link ProjectInvalidError} with line and column when the text is no YAML or has a value of the wrong type, or names that no flag would
 * take; {@link ProjectVersionError} when the version is not 3.
 */
export function parseProject(text: string): ProjectConfig {
  const parsed = parseRemembered(text);
  if (parsed.problems.length === 0) return parsed.project;
  const { document, lines } = parseDocumentOf(text);
  const [first, ...others] = parsed.problems.map((problem) => ({
    place: placeAt(lines, offsetOf(document, problem.path)),
    problem: problem.message,
  }));
  const more = others.map(({ place, problem }) => `\n  PROJECT:${place.line}:${place.column}: ${problem}`);
  throw new ProjectInvalidError(first?.place ?? { line: 1, column: 1 }, `${first?.problem ?? ""}${more.join("")}`);
}

/**
 * Parses the text of a PROJECT file, and returns with it the names in it that {@link parseProject} refuses: nothing may be made of such a project.
 *
 * Fails: as {@link parseProject}, but for names.
 */
export function inspectProject(text: string): {
  readonly project: ProjectConfig;
  readonly problems: readonly ProjectProblem[];
} {
  const { project, problems } = parseRemembered(text);
  return { project, problems };
}

function parseRemembered(text: string): ParsedProject {
  if (last?.text !== text) last = parse(text);
  return last;
}

/** A text of PROJECT as it was parsed; the document, which can be changed and printed, is there when it was needed. */
interface ParsedProject {
  readonly text: string;
  readonly project: ProjectConfig;
  readonly data: RawProject;
  /** The names that no flag would take. */
  readonly problems: readonly ProjectProblem[];
  readonly document?: Document.Parsed;
}

// A command asks for its project several times and prints it; with a hundred kinds each parsing would cost as much as all else that it does.
let last: ParsedProject | undefined;

function parse(text: string): ParsedProject {
  const data = readPlainYaml(text);
  if (data === undefined || validateProject(data) !== undefined) return parseWhole(text);
  return parsedOf(text, data as RawProject);
}

// Knows where in the text everything stands.
function parseWhole(text: string): ParsedProject & { readonly document: Document.Parsed } {
  const { document, lines } = parseDocumentOf(text);
  const data: unknown = document.toJS();
  const problem = validateProject(data);
  if (problem !== undefined) {
    throw new ProjectInvalidError(placeAt(lines, offsetOf(document, problem.path)), problem.message);
  }
  return { ...parsedOf(text, data as RawProject), document };
}

function parsedOf(text: string, data: RawProject): ParsedProject {
  return { text, project: normalize(data), data, problems: nameProblems(data) };
}

function parseDocumentOf(text: string): { readonly document: Document.Parsed; readonly lines: LineCounter } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = document.errors[0];
  if (broken !== undefined) throw new ProjectInvalidError(placeAt(lines, broken.pos[0]), problemOf(broken));
  return { document, lines };
}

/**
 * Prints a project as the text of a PROJECT file: keys in alphabetical order, upstream's YAML style.
 *
 * Guarantees: with the previous text given, comments, unknown keys and the order of what is there survive; equal content gives equal bytes.
 */
export function printProject(project: ProjectConfig, previous?: string): string {
  if (previous === undefined) return printChanged(newDocument(), { before: {}, after: withoutEmpty(project) });
  const parsed = last?.text === previous ? last : parse(previous);
  const after = withoutEmpty(project);
  const added = parsed.document === undefined ? addedResources(parsed.data, after) : undefined;
  if (added !== undefined) return insertResources(previous, added);
  // A document that is about to be changed is nobody else's any more.
  last = undefined;
  return printChanged(parsed.document ?? parseWhole(previous).document, { before: parsed.data, after });
}

// Returns the resources behind those that were there, when nothing else has changed.
function addedResources(data: RawProject, after: Partial<ProjectConfig>): ProjectConfig["resources"] {
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
  return document.toString({ indentSeq: false, lineWidth: 0, flowCollectionPadding: false });
}

// Upstream's printer takes single quotes for text that begins with an indicator, such as the scope of an npm package, and double ones elsewhere.
function quoteAsUpstream(document: Document): void {
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === "string" && /^[@`%]/u.test(node.value)) node.type ??= "QUOTE_SINGLE";
    },
  });
}

type RawProject = Omit<ProjectConfig, "layout"> & { readonly layout?: string | readonly string[] };

function normalize(data: RawProject): ProjectConfig {
  // The pre-release name of the same format, which upstream still reads.
  const version = data.version === "3-alpha" ? "3" : data.version;
  if (version !== "3") throw new ProjectVersionError(version);
  const layout = typeof data.layout === "string" ? data.layout.split(",") : (data.layout ?? []);
  return { ...data, version, layout };
}

function newDocument(): Document {
  const document = new Document({});
  // On the content, not on the document: there it would be followed by an empty line.
  if (document.contents !== null) document.contents.commentBefore = HEADER;
  return document;
}

function withoutEmpty(project: ProjectConfig): Partial<ProjectConfig> {
  return Object.fromEntries(
    Object.entries(project).filter(([, value]) => value !== undefined && value !== false && value !== ""),
  );
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

/**
 * Changes a YAML document so that it holds `after` where it held `before`, touching only what differs.
 *
 * Guarantees: comments and keys outside the differences stay as they are; a new key stands in alphabetical order.
 */
function applyChanges(document: Document, change: { readonly before: unknown; readonly after: unknown }): void {
  if (!isMap(document.contents)) document.contents = document.createNode({}) as never;
  const root = document.contents;
  root.flow = false;
  applyToMap(document, root, change);
}

type Change = { readonly before: unknown; readonly after: unknown };

function applyToMap(document: Document, map: YAMLMap, { before, after }: Change): void {
  const old = asRecord(before);
  const next = asRecord(after);
  for (const key of Object.keys(old)) if (!(key in next)) map.delete(key);
  for (const key of Object.keys(next).toSorted())
    applyToKey(document, { map, key, before: old[key], after: next[key] });
}

function applyToKey(document: Document, at: Change & { readonly map: YAMLMap; readonly key: string }): void {
  const { map, key, before, after } = at;
  if (sameValue(before, after)) return;
  const node: unknown = map.get(key, true);
  if (isMap(node) && isRecord(after)) return applyToMap(document, node, { before, after });
  if (isSeq(node) && Array.isArray(after)) return applyToSequence(document, node, { before, after });
  if (isScalar(node) && !isRecord(after) && !Array.isArray(after)) {
    node.value = after;
    return;
  }
  insertSorted(map, document, { key, value: after });
}

function applyToSequence(document: Document, sequence: YAMLSeq, { before, after }: Change): void {
  const old = before as readonly unknown[];
  const next = after as readonly unknown[];
  dropMissing(sequence, old, next);
  const kept = old.length > next.length ? old.filter((each) => next.some((other) => sameValue(each, other))) : old;
  for (const [index, value] of next.entries()) {
    if (index < kept.length && sameValue(kept[index], value)) continue;
    const node: unknown = sequence.items[index];
    if (index < kept.length && isMap(node) && isRecord(value)) {
      applyToMap(document, node, { before: kept[index], after: value });
    } else {
      sequence.items[index] = createSorted(document, value);
    }
  }
  sequence.items.length = next.length;
}

function dropMissing(sequence: YAMLSeq, old: readonly unknown[], next: readonly unknown[]): void {
  if (old.length <= next.length) return;
  sequence.items = sequence.items.filter((_, index) => next.some((value) => sameValue(value, old[index])));
}

function insertSorted(
  map: YAMLMap,
  document: Document,
  entry: { readonly key: string; readonly value: unknown },
): void {
  map.delete(entry.key);
  const pair = document.createPair(entry.key, createSorted(document, entry.value));
  const position = map.items.findIndex((item) => String(item.key) > entry.key);
  if (position < 0) map.items.push(pair);
  else map.items.splice(position, 0, pair);
}

function createSorted(document: Document, value: unknown): never {
  return document.createNode(sortKeys(value)) as never;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sortKeys(each)]));
}

function sameValue(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(sortKeys(left)) === JSON.stringify(sortKeys(right));
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) : {};
}
