import type { InitOptions, Scaffold } from "kubescaffold/plugin";

/** Writes what every operator needs: the manager, its permissions, metrics, network policies. */
export const init: Scaffold<InitOptions> = ({ project, renderTemplates }) => {
  renderTemplates("init", {
    values: { projectName: project.projectName ?? "", isNamespaced: project.namespaced === true },
    ifExists: "skip",
  });
};
