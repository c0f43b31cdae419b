import { type FieldError, forbiddenField, httpHeaderNameErrors, invalidField, requiredField } from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { integerIn, numberIn, objectIn, objectsIn, textIn, textsIn } from "../../../fields.ts";
import { checkedText, nonNegativeNumbers, portNumberOrName, supportedText } from "../checks/field-checks.ts";

/** What the checks of handlers need to know of the Pod. */
export interface HandlerContext {
  readonly gracePeriodSeconds: number | bigint | undefined;
  readonly osName: string | undefined;
}

const PROBES = ["livenessProbe", "readinessProbe", "startupProbe"] as const;
const NUMBERS = ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"];

/** Returns what is wrong with the lifecycle and the probes of a container that has them. */
export function lifecycleErrors(
  container: MutableJsonObject,
  at: string,
  context: HandlerContext,
): readonly FieldError[] {
  const lifecycle = objectIn(container, "lifecycle");
  return [
    ...(lifecycle === undefined ? [] : hookErrors(lifecycle, `${at}.lifecycle`, context)),
    ...PROBES.flatMap((name) => probeErrors(name, objectIn(container, name), `${at}.${name}`)),
  ];
}

/** Returns an error for each part of the lifecycle of an init container that does not run beside the others. */
export function forbiddenLifecycle(container: MutableJsonObject, at: string): readonly FieldError[] {
  return ["lifecycle", ...PROBES]
    .filter((name) => objectIn(container, name) !== undefined)
    .map((name) => forbiddenField(`${at}.${name}`, "may not be set for init containers without restartPolicy=Always"));
}

function hookErrors(lifecycle: MutableJsonObject, at: string, context: HandlerContext): readonly FieldError[] {
  const hooks = ["postStart", "preStop"].flatMap((name) => {
    const handler = objectIn(lifecycle, name);
    return handler === undefined
      ? []
      : handlerErrors(handler, `${at}.${name}`, { kinds: HOOK_KINDS, gracePeriodSeconds: context.gracePeriodSeconds });
  });
  return hooks;
}

function probeErrors(
  name: (typeof PROBES)[number],
  probe: MutableJsonObject | undefined,
  at: string,
): readonly FieldError[] {
  if (probe === undefined) return [];
  const seconds = integerIn(probe, "terminationGracePeriodSeconds");
  const threshold = numberIn(probe, "successThreshold") ?? 0;
  const field = `${at}.terminationGracePeriodSeconds`;
  return [
    ...handlerErrors(probe, at, { kinds: PROBE_KINDS, gracePeriodSeconds: undefined }),
    ...nonNegativeNumbers(probe, at, NUMBERS),
    ...(seconds !== undefined && seconds <= 0 ? [invalidField(field, seconds, "must be greater than 0")] : []),
    ...(name === "readinessProbe"
      ? seconds === undefined
        ? []
        : [invalidField(field, seconds, "must not be set for readinessProbes")]
      : threshold === 1
        ? []
        : [invalidField(`${at}.successThreshold`, threshold, "must be 1")]),
  ];
}

const HOOK_KINDS = ["exec", "httpGet", "tcpSocket", "sleep"] as const;
const PROBE_KINDS = ["exec", "httpGet", "tcpSocket", "grpc"] as const;
type HandlerKind = (typeof HOOK_KINDS | typeof PROBE_KINDS)[number];

function handlerErrors(
  handler: MutableJsonObject,
  at: string,
  {
    kinds,
    gracePeriodSeconds,
  }: { readonly kinds: readonly HandlerKind[]; readonly gracePeriodSeconds: number | bigint | undefined },
): readonly FieldError[] {
  const [first, ...others] = kinds.filter((kind) => objectIn(handler, kind) !== undefined);
  if (first === undefined) return [requiredField(at, "must specify a handler type")];
  return [
    ...actionErrors(first, objectIn(handler, first) ?? {}, `${at}.${first}`, gracePeriodSeconds),
    ...others.map((kind) => forbiddenField(`${at}.${kind}`, "may not specify more than 1 handler type")),
  ];
}

function actionErrors(
  kind: HandlerKind,
  action: MutableJsonObject,
  at: string,
  gracePeriodSeconds: number | bigint | undefined,
): readonly FieldError[] {
  switch (kind) {
    case "exec":
      return textsIn(action, "command").length === 0 ? [requiredField(`${at}.command`)] : [];
    case "httpGet":
      return [
        ...(textIn(action, "path") === "" ? [requiredField(`${at}.path`)] : []),
        ...portNumberOrName(`${at}.port`, action["port"]),
        ...supportedText(`${at}.scheme`, textIn(action, "scheme"), ["HTTP", "HTTPS"]),
        ...objectsIn(action, "httpHeaders").flatMap((header) =>
          checkedText(`${at}.httpHeaders`, textIn(header, "name"), httpHeaderNameErrors),
        ),
      ];
    case "tcpSocket":
    case "grpc":
      return portNumberOrName(`${at}.port`, action["port"]);
    case "sleep":
      return sleepErrors(integerIn(action, "seconds") ?? 0, at, gracePeriodSeconds);
  }
}

function sleepErrors(
  seconds: number | bigint,
  field: string,
  most: number | bigint | undefined,
): readonly FieldError[] {
  const detail = `must be non-negative and less than terminationGracePeriodSeconds (${String(most)})`;
  return most === undefined || (seconds >= 0 && seconds <= most) ? [] : [invalidField(field, seconds, detail)];
}
