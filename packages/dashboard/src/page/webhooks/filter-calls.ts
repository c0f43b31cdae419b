import type { WebhookCall } from "../feed/protocol.ts";

/** The filters of webhook calls, as the URL has them. */
export interface CallFilter {
  readonly text: string;
  readonly purpose: "" | WebhookCall["purpose"];
  readonly isDeniedOnly: boolean;
}

/** Reads the filters from the parameters of a URL. */
export function callFilterOf(params: Readonly<Record<string, string>>): CallFilter {
  const { purpose } = params;
  return {
    text: params["q"] ?? "",
    purpose: purpose === "mutate" || purpose === "validate" || purpose === "convert" ? purpose : "",
    isDeniedOnly: params["denied"] === "1",
  };
}

/** Returns the calls that match, newest first. */
export function filterCalls(
  calls: Iterable<WebhookCall>,
  { text, purpose, isDeniedOnly }: CallFilter,
): readonly WebhookCall[] {
  const words = text.toLowerCase().split(/\s+/u).filter(Boolean);
  return [...calls]
    .filter((call) => {
      if (purpose !== "" && call.purpose !== purpose) return false;
      if (isDeniedOnly && call.isAllowed) return false;
      const own =
        `${call.path} ${call.kind} ${call.namespace}/${call.name} ${call.user} ${call.message ?? ""}`.toLowerCase();
      return words.every((word) => own.includes(word));
    })
    .toReversed();
}

/** An operation of a JSON patch. */
export interface PatchOperation {
  readonly op: string;
  readonly path: string;
  readonly value: unknown;
}

/** Reads the operations of a JSON patch; what is no operation is left out. */
export function patchOperations(patch: readonly unknown[] = []): readonly PatchOperation[] {
  return patch.flatMap((each) => {
    if (typeof each !== "object" || each === null) return [];
    const { op, path, value, from } = each as Readonly<Record<string, unknown>>;
    return typeof op === "string" && typeof path === "string" ? [{ op, path, value: value ?? from }] : [];
  });
}
