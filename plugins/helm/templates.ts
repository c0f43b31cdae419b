import { directoryTemplates, type TemplateSource } from "kubescaffold/plugin";

/** The templates of this plugin. The published program carries them inside, in place of this file. */
export const templates: TemplateSource = directoryTemplates(new URL("./templates/", import.meta.url));
