import { goQuote } from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../../../fields.ts";
import { appArmorProfile } from "../containers/app-armor.ts";
import { APP_ARMOR, type PlacedContainer, SECCOMP_CONTAINER } from "../containers/placed-containers.ts";
import { byteWarnings } from "./amount-warnings.ts";

/** The Pod, or the template, of a container. */
export interface ContainerSurroundings {
  readonly annotations: MutableJsonObject | undefined;
  readonly podProfile: MutableJsonObject | undefined;
  /** Where the annotations are. */
  readonly at: string;
  /** Those of a Pod become fields, with warnings of their own. */
  readonly isTemplate: boolean;
}

/** Returns the warnings about a container, but for those about its ports. */
export function containerWarnings(
  { container, path }: PlacedContainer,
  surroundings: ContainerSurroundings,
): readonly string[] {
  const resources = objectIn(container, "resources");
  return [
    ...profileWarnings(container, surroundings),
    ...["memory", "ephemeral-storage"].flatMap((name) =>
      ["limits", "requests"].flatMap((part) =>
        byteWarnings(objectIn(resources, part), `${path}.resources.${part}`, [name]),
      ),
    ),
    ...variableWarnings(objectsIn(container, "env"), `${path}.env`),
  ];
}

function profileWarnings(
  container: MutableJsonObject,
  { annotations, podProfile, at, isTemplate }: ContainerSurroundings,
): readonly string[] {
  const [context, name] = [objectIn(container, "securityContext"), textIn(container, "name")];
  const [seccomp, appArmor] = [`${SECCOMP_CONTAINER}${name}`, `${APP_ARMOR}${name}`];
  const hasSeccomp = annotations?.[seccomp] !== undefined && context?.["seccompProfile"] === undefined;
  const annotation = annotations?.[appArmor];
  const isAppArmorAlone =
    isTemplate && typeof annotation === "string" && context?.["appArmorProfile"] === undefined
      ? podProfile === undefined || !deepEqual(podProfile, appArmorProfile(annotation) ?? {})
      : false;
  return [
    ...(hasSeccomp ? [`${at}[${seccomp}]: non-functional in v1.27+; use the "seccompProfile" field instead`] : []),
    ...(isAppArmorAlone ? [`${at}[${appArmor}]: deprecated since v1.30; use the "appArmorProfile" field instead`] : []),
  ];
}

// A definition that refers to the previous one of its name extends it; any other hides it.
function variableWarnings(variables: readonly MutableJsonObject[], at: string): readonly string[] {
  const seen = new Set<string>();
  return variables.flatMap((variable, index) => {
    const [name, value] = [textIn(variable, "name"), textIn(variable, "value")];
    const isFirst = !seen.has(name);
    seen.add(name);
    const reference = `$(${name})`;
    if (isFirst) return [];
    const isExtended = variable["valueFrom"] === undefined && value !== reference && value.includes(reference);
    return isExtended
      ? []
      : [`${at}[${index}]: hides previous definition of ${goQuote(name)}, which may be dropped when using apply`];
  });
}
