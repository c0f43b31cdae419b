import { addQuantities, compareQuantities, type FieldError, forbiddenField, invalidField } from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn, textOf } from "../../../fields.ts";
import { eachItem } from "../checks/field-checks.ts";
import { isHugePages } from "../checks/resource-names.ts";
import { podResourceErrors } from "./resource-errors.ts";

type Amounts = ReadonlyMap<string, string>;

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

// Containers run beside one another and beside the sidecars; an init container runs beside the sidecars before it.
function totalOf(spec: MutableJsonObject, part: "requests" | "limits"): Amounts {
  const running = objectsIn(spec, "containers").reduce<Amounts>(
    (sum, each) => added(sum, amountsOf(each, part)),
    new Map(),
  );
  let [sidecars, starting]: readonly [Amounts, Amounts] = [new Map(), new Map()];
  for (const container of objectsIn(spec, "initContainers")) {
    const amounts = amountsOf(container, part);
    if (container["restartPolicy"] === "Always") {
      sidecars = added(sidecars, amounts);
      starting = larger(starting, sidecars);
    } else {
      starting = larger(starting, added(sidecars, amounts));
    }
  }
  return larger(added(running, sidecars), starting);
}

function amountsOf(container: MutableJsonObject, part: string): Amounts {
  const amounts = objectIn(objectIn(container, "resources"), part) ?? {};
  return new Map(Object.entries(amounts).map(([name, amount]) => [name, textOf(amount)]));
}

function added(left: Amounts, right: Amounts): Amounts {
  const sums = [...right].map(([name, amount]): readonly [string, string] => [
    name,
    addQuantities(left.get(name) ?? "0", amount),
  ]);
  return new Map([...left, ...sums]);
}

function larger(left: Amounts, right: Amounts): Amounts {
  const others = [...right].filter(([name, amount]) => {
    const present = left.get(name);
    return present === undefined || compareQuantities(amount, present) > 0;
  });
  return new Map([...left, ...others]);
}
