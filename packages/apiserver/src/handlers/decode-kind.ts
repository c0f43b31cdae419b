import { apiVersionOf, type GroupVersion, type GroupVersionKind } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";

import type { Release } from "../release/release.ts";
import { checkKind, kindOfBody } from "../request/body-kind.ts";
import { decodeBody } from "../request/body.ts";
import { badRequest } from "../request/failures.ts";
import type { RequestContext } from "../request/request-context.ts";
import { createBuiltInStrategy } from "../resources/built-in/built-in-strategy.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { rephrasing, reportStrictProblems, strictTexts, type WriteOptions } from "./write-request.ts";

/**
 * Reads the body of a request as an object of a kind without storage, which the endpoint decides where the body leaves it out.
 *
 * Fails: with 400 when it is another kind, or not valid.
 */
export async function decodeKind(
  context: RequestContext,
  expected: {
    readonly release: Release;
    readonly kind: GroupVersionKind;
    /** Other API versions of the kind that the body may have. */
    readonly otherVersions?: readonly GroupVersion[] | undefined;
    readonly options: WriteOptions;
  },
): Promise<ApiObject> {
  const { release, kind, otherVersions, options } = expected;
  const body = await decodeBody(context, kind);
  checkKind(kindOfBody(body, kind), kind, { api: release.api, others: otherVersions });
  const { metadata, ...rest } = body.value;
  const unknownFields: string[] = [];
  const strategy = createBuiltInStrategy(release, kind);
  const object = rephrasing(body, () =>
    strategy.decode(
      { ...rest, kind: kind.kind, apiVersion: apiVersionOf(kind), metadata: isRecord(metadata) ? metadata : {} },
      { unknownFields },
    ),
  );
  reportStrictProblems({
    problems: body.unknownFieldTexts?.(unknownFields) ?? strictTexts(body.duplicateFields, unknownFields),
    options,
    context,
    refuse: (texts) =>
      badRequest(
        `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: strict decoding error: ${texts}`,
      ),
  });
  return object;
}
