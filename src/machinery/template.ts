import { compileTemplate, type CompiledTemplate } from "./compile-template.ts";
import { TemplateError } from "./errors.ts";

/** The values a template is rendered with; what is cleverer than a value, a list or a condition is computed before. */
export type TemplateValues = Readonly<Record<string, unknown>>;

/**
 * Renders a template: its text with the values filled in.
 *
 * Guarantees: output is never escaped; every name in the template, in conditions and lists too, has a value, and a name without one is an error.
 * Fails: {@link TemplateError} that names the template and the name.
 */
export function renderTemplate(
  template: { readonly path: string; readonly text: string },
  values: TemplateValues,
): string {
  const compiled = compile(template);
  const missing = compiled.names.find((name) => values[name] === undefined);
  if (missing !== undefined)
    throw new TemplateError(`cannot render ${template.path}: no value is given for "${missing}"`);
  try {
    return compiled.fill(values);
  } catch (error) {
    throw unrenderable(template.path, error);
  }
}

// Commands render the same templates again and again, some to compare versions of one file; compiling takes far longer than filling in.
const compiledTemplates = new Map<string, CompiledTemplate>();

function compile({ path, text }: { readonly path: string; readonly text: string }): CompiledTemplate {
  const known = compiledTemplates.get(text);
  if (known !== undefined) return known;
  try {
    const compiled = compileTemplate(text);
    compiledTemplates.set(text, compiled);
    return compiled;
  } catch (error) {
    throw unrenderable(path, error);
  }
}

function unrenderable(path: string, error: unknown): TemplateError {
  const reason = (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
  return new TemplateError(`cannot render ${path}: ${reason}`, { cause: error });
}
