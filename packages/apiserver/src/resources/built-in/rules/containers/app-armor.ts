import { deepEqual } from "@kubescaffold/schema/values";

import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { ensureObject, objectIn, textIn } from "../../../fields.ts";
import { APP_ARMOR, containersOf } from "./placed-containers.ts";

/** Returns the profile that an annotation of a Pod states for a container; undefined for one that cannot be read. */
export function appArmorProfile(annotation: string): MutableJsonObject | undefined {
  if (annotation === "unconfined") return { type: "Unconfined" };
  if (annotation === "runtime/default") return { type: "RuntimeDefault" };
  const name = annotation.startsWith(LOCAL) ? annotation.slice(LOCAL.length) : "";
  return name === "" ? undefined : { type: "Localhost", localhostProfile: name };
}

const LOCAL = "localhost/";
const LONGEST_NAME = 4095;

function isValid({ localhostProfile: name = "" }: MutableJsonObject): boolean {
  return typeof name === "string" && name.trim() === name && name.length <= LONGEST_NAME;
}

/** Gives containers of a new Pod the profiles that its annotations state, with a warning for each. */
export function setAppArmorProfiles(pod: ApiObject, warn: (text: string) => void): void {
  const spec = objectIn(pod, "spec") ?? {};
  if (textIn(objectIn(spec, "os"), "name") === "windows") return;
  const podProfile = objectIn(objectIn(spec, "securityContext"), "appArmorProfile");
  for (const { container } of containersOf(spec, "")) {
    const key = `${APP_ARMOR}${textIn(container, "name")}`;
    const annotation = pod.metadata.annotations?.[key];
    if (annotation === undefined || objectIn(container, "securityContext")?.["appArmorProfile"] !== undefined) continue;
    const stated = appArmorProfile(annotation);
    const profile = stated !== undefined && isValid(stated) ? stated : undefined;
    if (profile !== undefined && podProfile !== undefined && deepEqual(profile, podProfile)) continue;
    if (profile !== undefined) ensureObject(container, "securityContext")["appArmorProfile"] = profile;
    warn(`metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`);
  }
}
