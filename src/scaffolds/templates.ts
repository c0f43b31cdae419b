import { compiledTemplates, type TemplateSource } from "../plugin/index.ts";
import { compiled } from "./generated/templates.ts";

/** The templates of the built-in plugin. */
export const templates: TemplateSource = compiledTemplates(compiled);
