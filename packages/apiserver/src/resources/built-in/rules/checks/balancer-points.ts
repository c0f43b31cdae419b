import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn } from "../../../fields.ts";

/** Returns the points at which the load balancer of a Service or an Ingress receives traffic. */
export function balancerPoints(object: ApiObject): readonly MutableJsonObject[] {
  return objectsIn(objectIn(objectIn(object, "status"), "loadBalancer"), "ingress");
}
