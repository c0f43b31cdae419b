import { directoryTemplates, type TemplateSource } from "../plugin/index.ts";

/** The templates of the built-in plugin. The published program carries them inside, in place of this file. */
export const templates: TemplateSource = directoryTemplates(new URL("../../templates/", import.meta.url));
