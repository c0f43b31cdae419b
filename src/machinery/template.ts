import { messageOf } from "@kubescaffold/k8s";
import runtime from "handlebars/runtime.js";

import { yamlScalar } from "../project/project-yaml.ts";
import { TemplateError } from "./errors.ts";

/** The values a template is rendered with; what is cleverer than a value, a list or a condition is computed before. */
export type TemplateValues = Readonly<Record<string, unknown>>;

/** A template as the compiler of Handlebars returns it: plain data, which the runtime of Handlebars renders. */
export interface CompiledTemplate {
  /** The names that must have a value. */
  readonly names: readonly string[];
  /** The specification that the compiler of Handlebars returns. */
  readonly spec: unknown;
}

/** Returns a compiled template. Fails: any error of the compiler for a text that it cannot read. */
export type Template = () => CompiledTemplate;

/**
 * Renders a template: its text with the values filled in.
 *
 * Guarantees: output is never escaped, but `{{yaml name}}` quotes what YAML would not read as a string; every name in the template, in conditions and lists too, has a value, and a name without one is an error.
 * Fails: `TemplateError` that names the template and the name.
 */
export function renderTemplate(
  { path, template }: { readonly path: string; readonly template: Template },
  values: TemplateValues,
): string {
  const { names, spec } = compiled(path, template);
  const missing = names.find((name) => values[name] === undefined);
  if (missing !== undefined) throw new TemplateError(`cannot render ${path}: missing value for "${missing}"`);
  try {
    return renderer(spec)(values);
  } catch (error) {
    throw unrenderable(path, error);
  }
}

type Renderer = (values: TemplateValues) => string;

// The library declares its runtime without the functions that it is for.
const engine = runtime as unknown as {
  readonly template: (spec: unknown) => Renderer;
  readonly registerHelper: (name: string, helper: (value: unknown) => unknown) => void;
};

engine.registerHelper("yaml", (value) => (typeof value === "string" ? yamlScalar(value) : value));

// Commands render the same templates repeatedly, some to compare versions of one file.
const renderers = new Map<unknown, Renderer>();

function renderer(spec: unknown): Renderer {
  const known = renderers.get(spec);
  if (known !== undefined) return known;
  const created = engine.template(spec);
  renderers.set(spec, created);
  return created;
}

function compiled(path: string, template: Template): CompiledTemplate {
  try {
    return template();
  } catch (error) {
    throw unrenderable(path, error);
  }
}

function unrenderable(path: string, error: unknown): TemplateError {
  const reason = messageOf(error).split("\n")[0] ?? "";
  return new TemplateError(`cannot render ${path}: ${reason}`, { cause: error });
}
