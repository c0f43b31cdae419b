import { useEffect, useState } from "preact/hooks";

import type { WriteResult } from "../feed/protocol.ts";
import { applyObject } from "../feed/requests.ts";

/** The validation of a text by the server. */
export type DryRun =
  | { readonly kind: "idle" }
  | { readonly kind: "checking"; readonly last: WriteResult | undefined }
  | { readonly kind: "checked"; readonly result: WriteResult }
  | { readonly kind: "failed"; readonly message: string };

const PAUSE_MS = 350;

/** Validates a text with a dry run whenever it has not changed for a moment. */
export function useDryRun(text: string, isEnabled: boolean): DryRun {
  const [state, setState] = useState<DryRun>({ kind: "idle" });
  useEffect(() => {
    if (!isEnabled) {
      setState({ kind: "idle" });
      return;
    }
    const controller = new AbortController();
    setState((last) => ({ kind: "checking", last: last.kind === "checked" ? last.result : undefined }));
    const timer = setTimeout(() => {
      applyObject({ text, isDryRun: true }, controller.signal).then(
        (result) => setState({ kind: "checked", result }),
        (error: unknown) => {
          if (!controller.signal.aborted) setState({ kind: "failed", message: String(error) });
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text, isEnabled]);
  return state;
}

/** Returns what the server refused, also while a newer text is checked. */
export function refusalOf(dryRun: DryRun): Extract<WriteResult, { readonly kind: "refused" }> | undefined {
  const result = dryRun.kind === "checked" ? dryRun.result : dryRun.kind === "checking" ? dryRun.last : undefined;
  return result?.kind === "refused" ? result : undefined;
}
