import type { Invocation } from "../../command/command.ts";
import { planGenerated } from "../../generating/generate-manifests.ts";
import type { OptionChanges } from "../../generating/generator-options.ts";
import { allArguments } from "../../generating/project-arguments.ts";
import { loadProject, type ProjectSession, withProjectSession } from "../../session/project-session.ts";
import { type MissingPermission, placeMarker } from "./missing-permission.ts";

const ROLE = "config/rbac/role.yaml";

/** What became of a permission. */
export interface AddedPermission {
  readonly missing: MissingPermission;
  /** The source that has the marker now. */
  readonly path?: string;
  /** Why the marker was not added. */
  readonly reason?: string;
}

/**
 * Adds the markers of permissions to the sources that need them, and regenerates the manifests, in one commit.
 *
 * A marker that does not change the generated role is not added. Fails: as the generators do.
 */
export async function addPermissions(
  invocation: Invocation,
  permissions: readonly MissingPermission[],
  changes: OptionChanges,
): Promise<readonly AddedPermission[]> {
  const results: AddedPermission[] = [];
  for (const missing of permissions) {
    // Each is planned on its own, so that one that has no effect does not hide in the change of another.
    results.push(
      await withProjectSession(invocation, { isDryRun: false }, async (session) =>
        addPermission(invocation, session, { missing, changes }),
      ),
    );
  }
  return results;
}

async function addPermission(
  invocation: Invocation,
  session: ProjectSession,
  { missing, changes }: { readonly missing: MissingPermission; readonly changes: OptionChanges },
): Promise<AddedPermission> {
  loadProject(session);
  const { root, tree } = session;
  const placement = placeMarker(missing, sourcesIn(session));
  if (placement.kind === "refused") return { missing, reason: placement.reason };
  const { path, text } = placement;
  // Fails for a file that would lose bytes.
  tree.readExisting(path);
  tree.create(path, text, { ifExists: "overwrite" });
  const before = tree.read(ROLE);
  await planGenerated(invocation, {
    root,
    tree,
    args: allArguments(tree, changes),
    report: () => undefined,
  });
  if (tree.read(ROLE) === before) return { missing, reason: `the marker in ${path} would not change ${ROLE}` };
  await session.commit(tree.actions());
  return { missing, path };
}

const SOURCE = /^(?:cmd|internal)\/.*\.ts$/u;
const NO_SOURCE = /\.(?:test|spec|d)\.ts$|(?:^|\/)zz_generated\.[^/]*$/u;

function sourcesIn({ tree }: ProjectSession): ReadonlyMap<string, string> {
  const paths = tree.files().filter((path) => SOURCE.test(path) && !NO_SOURCE.test(path));
  return new Map(paths.map((path) => [path, tree.read(path) ?? ""]));
}
