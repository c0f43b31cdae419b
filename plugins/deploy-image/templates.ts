import { compiledTemplates, type TemplateSource } from "kubescaffold/plugin";

import { compiled } from "./generated/templates.ts";

/** The templates of this plugin. */
export const templates: TemplateSource = compiledTemplates(compiled);
