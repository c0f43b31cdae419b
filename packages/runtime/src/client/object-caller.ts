import { type GroupVersionKind, gvkOf, isNotFound, type StatusError } from "@kubescaffold/k8s";
import type { ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import { untilAborted } from "@kubescaffold/platform/clock";

import type { RestMapper, RestMapping } from "../discovery/rest-mapping.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import { fromCallSite, withinCall } from "../observe/call-site.ts";
import type { ReadList } from "../rest/list-reader.ts";
import type { RestAnswer, RestClient, RestRequest } from "../rest/rest-client.ts";
import { requireItem, requireList, requireObject } from "./checked-answers.ts";
import type { ObjectKey, SubResourceClient } from "./client.ts";
import { MissingKindError, MissingNameError, MissingNamespaceError } from "./errors.ts";
import { requireWhole } from "./partial-object.ts";
import { applyRequest, type ObjectRequest, patchRequest, resourcePath, signalOf, writeQuery } from "./requests.ts";
import { type AcceptedWrite, WriteResults } from "./write-results.ts";

/** Sends requests for kinds and objects: finds the endpoint, checks the key, and sends the request. */
export class ObjectCaller {
  readonly #rest: RestClient;
  readonly #restMapper: RestMapper;
  readonly #results: WriteResults;

  constructor(rest: RestClient, restMapper: RestMapper, registry?: MetricsRegistry) {
    this.#results = new WriteResults(registry);
    this.#rest = rest;
    this.#restMapper = restMapper;
  }

  /** Sends a request for an object or one of its subresources. */
  async callObject<A>(verb: string, object: ReadonlyObject, request: ObjectRequest): Promise<A> {
    const kind = kindOf(object, verb);
    const { name = "", namespace = "" } = object.metadata ?? {};
    const { subresource, ...rest } = request;
    return this.call(verb, kind, { key: { name, namespace }, object, subresource, request: rest });
  }

  /** Lists objects of a kind, and reads them one by one. */
  async list(kind: GroupVersionKind, call: Call, readItem: (item: unknown) => unknown): Promise<ReadList> {
    return await fromCallSite(() =>
      this.#send("list", kind, call, async (request) =>
        requireList(
          request,
          await withinCall(() => this.#rest.requestList(request, (item) => readItem(requireItem(request, item)))),
        ),
      ),
    );
  }

  /** Sends a request for a kind. */
  async call<A>(verb: string, kind: GroupVersionKind, call: Call): Promise<A> {
    return await fromCallSite(() =>
      this.#send(verb, kind, call, async (request) => {
        const writeOf = isStoring(request, call) ? acceptedWrites(verb, kind, call) : undefined;
        const sent: RestRequest =
          writeOf === undefined
            ? request
            : { ...request, isUnchanged: (answer) => this.#results.isUnchanged(writeOf(answer)) };
        const answer = await withinCall(() => this.#rest.negotiate<A>(sent));
        const isObject = request.method !== "DELETE" && call.subresource === undefined;
        const read = isObject ? requireObject(request, answer.body, kind.kind) : answer.body;
        if (writeOf !== undefined) this.#results.record(writeOf(answer));
        return read;
      }),
    );
  }

  async #send<A>(
    verb: string,
    kind: GroupVersionKind,
    call: Call,
    send: (request: RestRequest) => Promise<A>,
  ): Promise<A> {
    const mapping = await untilAborted(this.#restMapper.restMapping(gvkOnly(kind)), call.request.signal);
    const path = resourcePath({
      gvr: mapping.gvr,
      ...checkedKey(verb, mapping, call),
      ...(call.subresource === undefined ? {} : { subresource: call.subresource }),
    });
    try {
      return await send({ ...call.request, path });
    } catch (error) {
      this.#forgetIfGone(error);
      throw error;
    }
  }

  // A server answers an unknown endpoint with text, not with a Status: the kind was removed or changed.
  #forgetIfGone(error: unknown): void {
    if (
      isNotFound(error) &&
      (error as StatusError).status.details?.causes?.[0]?.reason === "UnexpectedServerResponse"
    ) {
      this.#restMapper.reset();
    }
  }
}

const CREATED = 201;

// Evictions, tokens, and bindings are created for an object that stays as it is.
function isStoring({ method, query }: RestRequest, { subresource }: Call): boolean {
  if (method === "POST" && subresource !== undefined) return false;
  return (method === "POST" || method === "PUT" || method === "PATCH") && (query?.["dryRun"] ?? "") === "";
}

// Returns what reads an answer as the write that it accepts.
function acceptedWrites(
  verb: string,
  kind: GroupVersionKind,
  { subresource, object }: Call,
): (answer: RestAnswer<unknown>) => AcceptedWrite {
  const isApply = verb.startsWith("apply");
  return ({ status, body }) => ({
    kind,
    isCreate: status === CREATED,
    isApply,
    subresource,
    sent: object,
    stored: body,
  });
}

/** A request for a kind. */
interface Call {
  readonly key: ObjectKey;
  /** The object that the caller wishes to write. */
  readonly object?: ReadonlyObject;
  /** Whether a collection is written, which requires a namespace; reads may span all namespaces. */
  readonly isWrite?: boolean;
  readonly subresource?: string | undefined;
  readonly request: Omit<RestRequest, "path">;
}

function checkedKey(
  verb: string,
  { scope, gvk }: RestMapping,
  { key, isWrite }: Call,
): { readonly namespace: string; readonly name: string } {
  const isCollection = isCollectionVerb(verb);
  if (!isCollection && key.name === "") {
    throw new MissingNameError(verb, gvk.kind);
  }
  const namespace = scope === "namespaced" ? (key.namespace ?? "") : "";
  if (scope === "namespaced" && namespace === "" && (!isCollection || isWrite === true)) {
    throw new MissingNamespaceError(verb, { kind: gvk.kind, name: key.name });
  }
  return { namespace, name: key.name };
}

function isCollectionVerb(verb: string): boolean {
  return verb === "list" || verb === "create" || verb === "delete all";
}

/** Returns the key of a collection. */
export function collectionOf(namespace: string | undefined): ObjectKey {
  return { name: "", namespace: namespace ?? "" };
}

/** Returns the group, version, and kind of an object. Fails: {@link MissingKindError}. */
export function kindOf(object: ReadonlyObject, verb: string): GroupVersionKind {
  if (!object.apiVersion || !object.kind) {
    throw new MissingKindError(verb);
  }
  return gvkOf(object);
}

/** Returns only the group, version, and kind. */
export function gvkOnly({ group, version, kind }: GroupVersionKind): GroupVersionKind {
  return { group, version, kind };
}

/** Creates the client of a subresource for all kinds. */
export function createSubResourceClient(caller: ObjectCaller, subresource: string): SubResourceClient {
  return {
    get: (object, options = {}) =>
      caller.callObject(`get the ${subresource} of`, object, {
        method: "GET",
        subresource,
        query: { resourceVersion: options.resourceVersion },
        ...signalOf(options),
      }),
    create: (object, body, options = {}) =>
      caller.callObject(`create the ${subresource} of`, object, {
        method: "POST",
        subresource,
        query: writeQuery(options),
        body,
        ...signalOf(options),
      }),
    update: async (object, options = {}) => {
      const verb = `update the ${subresource} of`;
      if (options.body === undefined) {
        requireWhole(object, verb);
      }
      return caller.callObject(verb, object, {
        method: "PUT",
        subresource,
        query: writeQuery(options),
        body: options.body ?? object,
        ...signalOf(options),
      });
    },
    patch: (object, patch, options = {}) =>
      caller.callObject(`patch the ${subresource} of`, object, {
        ...patchRequest(object, patch, options),
        subresource,
      }),
    apply: async (configuration, options = {}) =>
      caller.callObject(`apply the ${subresource} of`, configuration, {
        ...applyRequest(configuration, options),
        subresource,
      }),
  };
}
