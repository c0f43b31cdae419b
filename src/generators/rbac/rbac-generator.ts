import type { GeneratorInput, GeneratorOutput } from "../generator.ts";
import { generateRbac } from "./generate-rbac.ts";

/** Is the generator `rbac`: roles with the permissions that the sources ask for. */
export function rbacGenerator(input: GeneratorInput): GeneratorOutput {
  const { roleName, fileName } = input.options;
  const { manifests, diagnostics } = generateRbac(input, {
    roleName: typeof roleName === "string" ? roleName : "",
    fileName: typeof fileName === "string" && fileName !== "" ? fileName : "role.yaml",
    header: input.header,
  });
  return { artifacts: manifests.map((each) => ({ kind: "config", ...each })), diagnostics };
}
