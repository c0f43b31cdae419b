import { compareQuantities, type FieldError, forbiddenField, invalidField } from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../../../fields.ts";
import { eachItem } from "../checks/field-checks.ts";
import { isHugePages } from "../checks/resource-names.ts";
import { amountsOf, totalOf } from "../containers/container-amounts.ts";
import { podResourceErrors } from "./resource-errors.ts";

/** Returns what is wrong with the resources of a Pod as a whole. */
export function podLevelErrors(spec: MutableJsonObject, claims: readonly string[], at: string): readonly FieldError[] {
  const resources = objectIn(spec, "resources");
  if (resources === undefined) return [];
  const place = `${at}.resources`;
  if (textIn(objectIn(spec, "os"), "name") === "windows") {
    return [forbiddenField(place, "may not be set for a windows pod")];
  }
  return [
    ...(resources["claims"] === undefined
      ? []
      : [forbiddenField(`${place}.claims`, "claims may not be set for Resources at pod-level")]),
    ...podResourceErrors(resources, claims, place),
    ...consistencyErrors(spec, resources, place),
  ];
}

function consistencyErrors(spec: MutableJsonObject, resources: MutableJsonObject, at: string): readonly FieldError[] {
  const [requests, limits] = [objectIn(resources, "requests"), objectIn(resources, "limits")];
  return [
    ...[...totalOf(spec, "requests")].flatMap(([name, total]) => {
      const amount = textIn(requests, name);
      const detail = `must be greater than or equal to aggregate container requests of ${total}`;
      return amount !== "" && compareQuantities(total, amount) > 0
        ? [invalidField(`${at}.requests[${name}]`, amount, detail)]
        : [];
    }),
    ...[...totalOf(spec, "limits")]
      .filter(([name]) => isHugePages(name))
      .flatMap(([name, total]) => {
        const amount = textIn(limits, name);
        const detail = `must be greater than or equal to aggregate container limits of ${total}`;
        return amount !== "" && compareQuantities(total, amount) > 0
          ? [invalidField(`${at}.limits[${name}]`, amount, detail)]
          : [];
      }),
    ...eachItem(objectsIn(spec, "containers"), `${at}.containers`, (container, place) =>
      [...amountsOf(container, "limits")].flatMap(([name, amount]) => {
        const most = textIn(limits, name);
        return most !== "" && compareQuantities(amount, most) > 0
          ? [invalidField(`${place}[${name}].limits`, amount, `must be less than or equal to pod limits of ${most}`)]
          : [];
      }),
    ),
  ];
}
