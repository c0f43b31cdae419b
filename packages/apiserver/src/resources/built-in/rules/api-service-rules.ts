import {
  dns1035LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  goQuote,
  invalidField,
  portNumberErrors,
  requiredField,
} from "@kubescaffold/k8s";
import { pathSegmentErrors } from "@kubescaffold/schema/values";

import type { ApiObject, MutableJsonObject } from "../../../storage/api-object.ts";
import { numberIn, objectIn, objectsIn, setAbsent, textIn } from "../../fields.ts";
import type { BuiltInRules } from "./built-in-rules.ts";
import { checkedText, eachItem, requiredTexts, supportedText } from "./checks/field-checks.ts";

const STATUSES: readonly string[] = ["True", "False", "Unknown"];

/** Rules of APIServices beyond their schema: their name is that of the group version, and those of this server are available at once. */
export const apiServiceRules: BuiltInRules = {
  nameRule: "path-segment",
  allowsUnconditionalUpdate: false,
  setDefaults: (service) => setAbsent(objectIn(objectIn(service, "spec"), "service"), { port: 443 }),
  prepareForCreate: (service, { now }) => {
    if (objectIn(objectIn(service, "spec"), "service") !== undefined) return;
    const available = { type: "Available", status: "True", lastTransitionTime: now };
    const reason = { reason: "Local", message: "Local APIServices are always available" };
    service["status"] = { conditions: [{ ...available, ...reason }] };
  },
  keepsMetadataForStatus: true,
  checksEveryField: true,
  validate: (service) => [...nameErrors(service), ...specErrors(objectIn(service, "spec") ?? {})],
  validateStatus: (service) =>
    eachItem(objectsIn(objectIn(service, "status"), "conditions"), "status.conditions", (condition, at) =>
      supportedText(`${at}.status`, textIn(condition, "status"), STATUSES),
    ),
};

function nameErrors({ metadata, ...service }: ApiObject): readonly FieldError[] {
  const spec = objectIn(service, "spec");
  const wanted = `${textIn(spec, "version")}.${textIn(spec, "group")}`;
  return (["generateName", "name"] as const).flatMap((field) => {
    const name = metadata[field] ?? "";
    const isAnother = name !== "" && name !== wanted && pathSegmentErrors(name, false).length === 0;
    const problem = `must be \`spec.version+"."+spec.group\`: ${goQuote(wanted)}`;
    return isAnother ? [invalidField(`metadata.${field}`, name, problem)] : [];
  });
}

function specErrors(spec: MutableJsonObject): readonly FieldError[] {
  const group = textIn(spec, "group");
  const version = textIn(spec, "version");
  return [
    ...(group === "" && version !== "v1"
      ? [requiredField("spec.group", "only v1 may have an empty group and it better be legacy kube")]
      : []),
    ...(group === "" ? [] : checkedText("spec.group", group, dns1123SubdomainErrors)),
    ...checkedText("spec.version", version, dns1035LabelErrors),
    ...priorityErrors(spec, "groupPriorityMinimum", 20_000),
    ...priorityErrors(spec, "versionPriority", 1000),
    ...serverErrors(spec, objectIn(spec, "service")),
  ];
}

function priorityErrors(spec: MutableJsonObject, field: string, most: number): readonly FieldError[] {
  const priority = numberIn(spec, field) ?? 0;
  return priority > 0 && priority <= most
    ? []
    : [invalidField(`spec.${field}`, priority, `must be positive and less than ${String(most)}`)];
}

function serverErrors(spec: MutableJsonObject, service: MutableJsonObject | undefined): readonly FieldError[] {
  const caBytes = Buffer.from(textIn(spec, "caBundle"), "base64").length;
  const isInsecure = spec["insecureSkipTLSVerify"] === true;
  const insecure = (problem: string): FieldError => invalidField("spec.insecureSkipTLSVerify", true, problem);
  if (service === undefined) {
    return [
      ...(caBytes === 0
        ? []
        : [invalidField("spec.caBundle", `${String(caBytes)} bytes`, "local APIServices may not have a caBundle")]),
      ...(isInsecure ? [insecure("local APIServices may not have insecureSkipTLSVerify")] : []),
    ];
  }
  const port = numberIn(service, "port") ?? 0;
  const portProblems = portNumberErrors(port);
  return [
    ...requiredTexts(service, "spec.service", ["namespace", "name"]),
    ...(portProblems.length === 0
      ? []
      : [invalidField("spec.service.port", port, `port is not valid: ${portProblems.join(", ")}`)]),
    ...(isInsecure && caBytes > 0 ? [insecure("may not be true if caBundle is present")] : []),
  ];
}
