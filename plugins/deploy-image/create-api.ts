import {
  BOILERPLATE_FILE,
  type CreateApiOptions,
  headerOf,
  namesOf,
  type ProjectResource,
  type Scaffold,
  type ScaffoldContext,
} from "kubescaffold/plugin";

import { TakenKindError } from "./errors.ts";
import { addImageVariable } from "./image-variable.ts";
import { readOperand } from "./operand.ts";
import { requestedOptions } from "./requested-options.ts";
import { withStoredOptions } from "./stored-operands.ts";
import { templateValues } from "./template-values.ts";

/**
 * Writes the types, the sample, the controller and its test of a kind that runs an image, over what the plugins before it have planned.
 *
 * Guarantees: without flags it writes again what the options in PROJECT say, and nothing for a kind that has none.
 * Fails: `ImageMissingError`, `InvalidImageError`, `InvalidContainerError`, `IncompleteApiError`, `ControllerTakenError`, {@link TakenKindError}.
 */
export const createApi: Scaffold<CreateApiOptions> = (context, options) => {
  const asked = requestedOptions(context, options);
  if (asked === undefined) return;
  const { resource } = options;
  refuseTakenKind(resource.kind);
  const operand = readOperand(asked);
  const values = {
    ...templateValues(context.project, resource, operand),
    boilerplate: headerOf(context.tree.read(BOILERPLATE_FILE) ?? ""),
  };
  if (options.writesResource) writeTypes(context, resource, values);
  if (options.writesController) {
    writeController(context, options, values);
    addImageVariable(context, { resource, image: operand.image });
  }
  context.storeConfiguration(withStoredOptions(context.configuration, resource, asked));
  for (const note of notesOn(operand)) context.note(note);
};

// What the templates import or take from the language, beside the kind.
const TAKEN_KINDS = new Set(
  [
    "AbortController Client ConditionState Container Date DeepReadonly Deployment Environment Error EventRecorder LiveClient",
    "Manager Object Pod Probe Promise Readonly Reader ReadonlyObject ReconcileContext RecordedEvent Record Request Result",
    "Service Stored String Suite",
  ].flatMap((names) => names.split(" ")),
);

function refuseTakenKind(kind: string): void {
  if (TAKEN_KINDS.has(kind)) throw new TakenKindError(kind);
}

type Values = Readonly<Record<string, unknown>>;

// The plugins before have refused to overwrite files of the user: what is there now is theirs.
function writeTypes({ project, renderTemplates }: ScaffoldContext, resource: ProjectResource, values: Values): void {
  const { apiFolder, kindLower, sampleName } = namesOf(project, resource);
  const shared = { values, ifExists: "overwrite" } as const;
  renderTemplates("types", { ...shared, into: apiFolder, paths: { kind: kindLower } });
  renderTemplates("sample", { ...shared, into: "config/samples", paths: { sample: sampleName } });
}

function writeController(
  { project, tree, renderTemplates }: ScaffoldContext,
  options: CreateApiOptions,
  values: Values,
) {
  const { controllerFolder, kindLower } = namesOf(project, options.resource);
  const into = controllerFolder;
  const workload = `${into}/${kindLower}_workload.ts`;
  // A user's file at the path of the test may stay, as without this plugin.
  const isKept = (path: string): boolean => tree.skipped().includes(path);
  renderTemplates("controller", {
    values,
    paths: { kind: kindLower },
    into,
    ifExists: (path) => (path === workload && !options.force ? "error" : "overwrite"),
    without: (path) => path !== workload && isKept(path),
  });
  renderTemplates("conditions", { values, into, ifExists: "skip" });
}

function notesOn({ image, reference, runAsUser }: ReturnType<typeof readOperand>): readonly string[] {
  const isMoving = reference.digest === undefined && (reference.tag === undefined || reference.tag === "latest");
  return [
    ...(isMoving
      ? [`The image ${image} has a mutable tag: Pods may run different versions. Pin a tag or a digest.`]
      : []),
    ...(runAsUser === undefined
      ? [`The Pods must not run as root: ${image} must set a numeric user ID, or set one with --run-as-user.`]
      : []),
  ];
}
