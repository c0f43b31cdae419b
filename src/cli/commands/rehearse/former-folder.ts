import { existsSync } from "node:fs";
import path from "node:path";

import { pathKindSync } from "../../../machinery/disk.ts";
import { PROJECT_FILE } from "../../../project/project-config.ts";
import { InvalidFlagError } from "../../command/errors.ts";

/** What `--from` accepts, for messages. */
export const FORMS = "pass a commit, branch, or tag of this repository, or the folder of a project, such as ../v1";

/** Fails with {@link InvalidFlagError} for a folder without a project, and for an image or a chart, which are no programs that run here. */
export function requireProject(folder: string, what: string): void {
  if (pathKindSync(path.join(folder, PROJECT_FILE)) === "file") return;
  throw new InvalidFlagError(`cannot rehearse: ${what}, ${folder}, ${contentOf(folder)}`, { hint: FORMS });
}

function contentOf(folder: string): string {
  if (existsSync(path.join(folder, "oci-layout"))) return "is an image layout, from which no manager is started";
  if (existsSync(path.join(folder, "Chart.yaml")) || folder.endsWith(".tgz"))
    return "is a chart, which contains no manager";
  return "is no project";
}
