import type { InitOptions, Scaffold } from "kubescaffold/plugin";

/** Writes one file, named for the project. */
export const init: Scaffold<InitOptions> = ({ project, renderTemplates }) => {
  renderTemplates("init", { values: { projectName: project.projectName ?? "" } });
};
