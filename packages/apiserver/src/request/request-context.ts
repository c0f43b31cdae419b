import { isTrueParameter, parseFieldSelector, requiredFieldValue } from "@kubescaffold/k8s";

import type { CborLimits } from "../cbor/cbor-limits.ts";
import { notAcceptable, unroutableAccept } from "./failures.ts";
import type { ServerRequest } from "./server-request.ts";

/** A request with all that the pipeline has found out about it. */
export interface RequestContext {
  readonly request: ServerRequest;
  readonly info: RequestInfo;
  readonly user: UserInfo;
  /** Identifies the request in the audit log; the client may choose it. */
  readonly auditId: string;
  /** Absent unless the request is logged. */
  readonly audit?: AuditTrail | undefined;
  /** The texts of the answer's `Warning` headers, in order; equal ones are sent once. */
  readonly warnings: string[];
  /** Chooses the form of the answer; fails with 406. */
  output(): OutputFormat;
  /** Whether bodies and answers may be in CBOR. */
  readonly hasCbor: boolean;
  /** How many items lists and maps of bodies in CBOR may have. */
  readonly cborLimits: CborLimits;
  /** Notes a call of an admission webhook for the metrics. */
  readonly observeWebhook: (call: WebhookCall) => void;
  /** Whether the client received a timeout response, so nothing may be stored any more. */
  readonly deadline: { readonly isOver: boolean };
}

/** A call of an admission webhook. */
export interface WebhookCall {
  /** The name of the webhook. */
  readonly name: string;
  /** Whether it may change the object. */
  readonly type: "admit" | "validating";
  /** The operation, such as `CREATE`. */
  readonly operation: string;
  /** Whether the write was refused because of it. */
  readonly isRejected: boolean;
  /** The seconds that the call took. */
  readonly seconds: number;
}

/** The text of an annotation; one that is costly is a function, which is called if the annotation is logged. Undefined: there is none. */
export type Annotation = string | (() => string | undefined);

/** Collects facts about a request for the audit log. */
export interface AuditTrail {
  /** Notes an annotation from a level on (default: `Metadata`); the first value of a key stays. */
  annotate(key: string, value: Annotation, level?: "Metadata" | "Request"): void;
  /** Notes whom the request impersonates. */
  noteImpersonated(user: UserInfo): void;
  /** Notes the decoded object of the request. */
  noteObject(object: object): void;
  /** Notes the patch of the request, as JSON. */
  notePatch(text: () => string): void;
}

/** The verbs of the API, as authorization rules name them; other paths have the HTTP method in lower case. */
export type Verb =
  | "get"
  | "list"
  | "watch"
  | "create"
  | "update"
  | "patch"
  | "delete"
  | "deletecollection"
  | (string & {});

/** Target of a request, read from its method, path, and query alone. */
export interface RequestInfo {
  /** Whether the path is that of a resource, and not one like `/version`. */
  readonly isResourceRequest: boolean;
  /** The path of the URL. */
  readonly path: string;
  /** The verb, such as `list`; for other paths, the HTTP method in lower case. */
  readonly verb: Verb;
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The version of the API. */
  readonly version: string;
  /** The namespace; empty for cluster-scoped resources and for all namespaces. */
  readonly namespace: string;
  /** The plural name of the resource. */
  readonly resource: string;
  /** The subresource; empty for the resource itself. */
  readonly subresource: string;
  /** The name of the object; empty for collections. */
  readonly name: string;
}

/** The user that makes a request. */
export interface UserInfo {
  /** The user name. */
  readonly name: string;
  /** The unique ID, if the authenticator has one. */
  readonly uid?: string;
  /** The groups of the user. */
  readonly groups: readonly string[];
  /** Further attributes, for authorizers. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The group of all users with credentials. */
export const AUTHENTICATED = "system:authenticated";

/** The group of all users without credentials. */
export const UNAUTHENTICATED = "system:unauthenticated";

/** The user of requests without credentials. */
export const ANONYMOUS: UserInfo = { name: "system:anonymous", groups: [UNAUTHENTICATED] };

/** The user of requests to a server that has no authenticator: may do everything. */
export const ADMIN: UserInfo = { name: "kubernetes-admin", groups: ["system:masters", AUTHENTICATED] };

/** The user of requests that the server makes to itself. */
export const API_SERVER: UserInfo = { name: "system:apiserver", groups: ["system:masters", AUTHENTICATED] };

const VERBS: Readonly<Record<string, Verb>> = {
  POST: "create",
  GET: "get",
  HEAD: "get",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

/** Reads what a request is about from its method, path and query; returns nothing when the path is not well encoded. */
export function parseRequestInfo({
  method,
  path,
  query,
}: {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
}): RequestInfo | undefined {
  const decoded = decodePath(path);
  if (decoded === undefined) return undefined;
  return requestInfoOf({ method, path: decoded, query });
}

function requestInfoOf({
  method,
  path,
  query,
}: {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
}): RequestInfo {
  // A slash too many names nothing, but for those at the end.
  const trimmed = path.slice(1, endOfPath(path));
  const segments = trimmed === "" || trimmed.startsWith("/") ? [] : trimmed.split("/");
  if (segments.includes("") || path.startsWith("//")) {
    return { path, verb: method.toLowerCase(), ...NOTHING };
  }
  const location = locate(segments);
  if (location === undefined) {
    return { path, verb: method.toLowerCase(), ...NOTHING };
  }
  const { group, version, rest, isWatchPath } = location;
  const target = parseTarget(rest);
  const verb = isWatchPath ? "watch" : refineVerb({ verb: VERBS[method] ?? "", name: target.name, query });
  const isCollection = verb === "list" || verb === "watch" || verb === "deletecollection";
  const name = isCollection && target.name === "" ? fieldSelectorName(query.get("fieldSelector")) : target.name;
  return { isResourceRequest: true, path, verb, group, version, ...target, name };
}

/** Reads a boolean of a query as the API does: anything but absence, `false` and `0` is true. */
export function queryFlag(query: URLSearchParams, name: string): boolean {
  return isTrueParameter(query.get(name));
}

const NOTHING = {
  isResourceRequest: false,
  group: "",
  version: "",
  namespace: "",
  resource: "",
  subresource: "",
  name: "",
} as const;

const NAMESPACE_SUBRESOURCES: ReadonlySet<string> = new Set(["status", "finalize"]);

interface Location {
  readonly group: string;
  readonly version: string;
  readonly rest: readonly string[];
  readonly isWatchPath: boolean;
}

function locate(segments: readonly string[]): Location | undefined {
  const [prefix, first = "", second = ""] = segments;
  const depth = prefix === "api" ? 2 : prefix === "apis" ? 3 : undefined;
  if (depth === undefined || segments.length <= depth) {
    return undefined;
  }
  const isWatchPath = segments[depth] === "watch";
  const rest = segments.slice(isWatchPath ? depth + 1 : depth);
  if (rest.length === 0) {
    return undefined;
  }
  return prefix === "api"
    ? { group: "", version: first, rest, isWatchPath }
    : { group: first, version: second, rest, isWatchPath };
}

function parseTarget(rest: readonly string[]): Pick<RequestInfo, "namespace" | "resource" | "name" | "subresource"> {
  const [first = "", second, third = ""] = rest;
  if (first !== "namespaces" || second === undefined) {
    return { namespace: "", resource: first, name: second ?? "", subresource: subresourceOf(rest.slice(2)) };
  }
  if (rest.length === 2 || NAMESPACE_SUBRESOURCES.has(third)) {
    return { namespace: second, resource: "namespaces", name: second, subresource: third };
  }
  return { namespace: second, resource: third, name: rest[3] ?? "", subresource: subresourceOf(rest.slice(4)) };
}

// What follows a proxy is a path of the program behind it.
function subresourceOf(rest: readonly string[]): string {
  return rest[0] === "proxy" ? "proxy" : rest.join("/");
}

function refineVerb({ verb, name, query }: { verb: Verb; name: string; query: URLSearchParams }): Verb {
  if (name !== "") {
    return verb;
  }
  if (verb === "get") {
    return queryFlag(query, "watch") ? "watch" : "list";
  }
  return verb === "delete" ? "deletecollection" : verb;
}

function endOfPath(path: string): number {
  let end = path.length;
  while (end > 0 && path[end - 1] === "/") {
    end -= 1;
  }
  return Math.max(end, 1);
}

// As upstream, before the path is split: an encoded slash is a slash. Bytes that are not UTF-8 are replaced.
function decodePath(path: string): string | undefined {
  if (!path.includes("%")) {
    return path;
  }
  if (/%(?![\da-f]{2})/iu.test(path)) {
    return undefined;
  }
  const bytes = Buffer.from(path, "utf8")
    .toString("latin1")
    .replaceAll(/%([\da-f]{2})/giu, (_match, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** Returns the name that a field selector asks for with `metadata.name=x`, else the empty string; a selector that is wrong asks for none. */
function fieldSelectorName(text: string | null): string {
  if (text === null || !text.includes("metadata.name")) {
    return "";
  }
  try {
    return requiredFieldValue(parseFieldSelector(text), "metadata.name") ?? "";
  } catch {
    // The handler answers what is wrong with it.
    return "";
  }
}

/** The media type of protocol buffers. */
export const PROTOBUF = "application/vnd.kubernetes.protobuf";

/** The media type of CBOR. */
export const CBOR = "application/cbor";

/** The media type of a sequence of data items in CBOR, as which watches are sent. */
export const CBOR_SEQUENCE = "application/cbor-seq";

/** Returns the media types of bodies and answers. */
export function mediaTypeNames({ hasCbor }: Pick<RequestContext, "hasCbor">): readonly string[] {
  return hasCbor ? ALL_NAMES : NAMES_WITHOUT_CBOR;
}

/** Returns the media types of the events of watches. */
export function streamTypeNames({ hasCbor }: Pick<RequestContext, "hasCbor">): readonly string[] {
  return hasCbor ? ALL_STREAM_NAMES : STREAM_NAMES_WITHOUT_CBOR;
}

/** Returns the media types of lists and watches, which share a route. */
export function collectionTypeNames({ hasCbor }: Pick<RequestContext, "hasCbor">): readonly string[] {
  return hasCbor ? ALL_COLLECTION_NAMES : COLLECTION_NAMES_WITHOUT_CBOR;
}

const NAMES_WITHOUT_CBOR = ["application/json", "application/yaml", PROTOBUF];
const ALL_NAMES = [...NAMES_WITHOUT_CBOR, CBOR];
const STREAM_NAMES_WITHOUT_CBOR = ["application/json;stream=watch", `${PROTOBUF};stream=watch`];
const ALL_STREAM_NAMES = [...STREAM_NAMES_WITHOUT_CBOR, CBOR_SEQUENCE];
const COLLECTION_NAMES_WITHOUT_CBOR = [...NAMES_WITHOUT_CBOR, ...STREAM_NAMES_WITHOUT_CBOR];
const ALL_COLLECTION_NAMES = [...ALL_NAMES, ...ALL_STREAM_NAMES];

/** Kinds that an object may be transformed into in a response. */
type TransformKind = "Table" | "PartialObjectMetadata" | "PartialObjectMetadataList";

/** A media type of bodies and answers. */
export type MediaType =
  | "application/json"
  | "application/yaml"
  | "application/vnd.kubernetes.protobuf"
  | "application/cbor";

/** Reports whether a media type is a text, and not bytes. */
export function isText(mediaType: MediaType): mediaType is "application/json" | "application/yaml" {
  return mediaType !== PROTOBUF && mediaType !== CBOR;
}

/** The form of an answer. */
export interface OutputFormat {
  readonly mediaType: MediaType;
  readonly transform?: { readonly as: TransformKind; readonly version: "v1" | "v1beta1" };
  readonly isPretty: boolean;
}

interface Clause {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

const TRANSFORMS: ReadonlySet<string> = new Set(["Table", "PartialObjectMetadata", "PartialObjectMetadataList"]);
const MEDIA_TYPES: ReadonlyMap<string, MediaType> = new Map([
  ["application/json", "application/json"],
  ["application/yaml", "application/yaml"],
  [PROTOBUF, PROTOBUF],
  [CBOR, CBOR],
  ["*/*", "application/json"],
]);

function servedType(name: string, { hasCbor }: Pick<RequestContext, "hasCbor">): MediaType | undefined {
  const mediaType = MEDIA_TYPES.get(name);
  return mediaType === CBOR && !hasCbor ? undefined : mediaType;
}

// Clients send the same few headers with all of their requests.
const MOST_HEADERS = 100;
const clausesByHeader = new Map<string, readonly Clause[]>();

/** Splits an `Accept` header into its clauses, the preferred first. */
export function parseAccept(header: string): readonly Clause[] {
  let clauses = clausesByHeader.get(header);
  if (clauses === undefined) {
    clauses = readAccept(header);
    if (clausesByHeader.size >= MOST_HEADERS) clausesByHeader.clear();
    clausesByHeader.set(header, clauses);
  }
  return clauses;
}

function readAccept(header: string): readonly Clause[] {
  return header
    .split(",")
    .map((text) => parseClause(text))
    .filter((clause) => clause.type !== "")
    .sort((left, right) => right.quality - left.quality);
}

/**
 * Chooses the form of an answer from the `Accept` header.
 *
 * Fails: with 406 when no clause names a form that can be given.
 */
export function negotiate(
  accept: string | undefined,
  options: {
    readonly isPretty: boolean;
    /** Whether the objects themselves have a form in protocol buffers; that of their metadata always has. */
    readonly hasProtobuf: boolean;
    /** Whether answers may be in CBOR. */
    readonly hasCbor: boolean;
    /** Whether the objects can be rows of a table. Default: true. */
    readonly hasTable?: boolean;
    /** What the route of the request produces; undefined if no route decides by it. */
    readonly representations?: readonly string[] | undefined;
  },
): OutputFormat {
  const { isPretty, representations } = options;
  if (accept === undefined || accept.trim() === "") {
    return { mediaType: "application/json", isPretty };
  }
  const clauses = parseAccept(accept);
  const isRouted = clauses.some(({ type }) => type === "*/*" || representations?.includes(type) !== false);
  if (representations !== undefined && !isRouted) throw unroutableAccept(representations);
  for (const clause of clauses) {
    const mediaType = servedType(clause.type, options);
    const as = clause.parameters.get("as");
    if (mediaType !== undefined && as === undefined && (options.hasProtobuf || mediaType !== PROTOBUF)) {
      return { mediaType, isPretty };
    }
    const version = clause.parameters.get("v");
    if (mediaType === undefined) continue;
    const hasForm = as !== "Table" || (isText(mediaType) && options.hasTable !== false);
    if (hasForm && isTransform(as) && isMetaVersion(clause, version)) {
      return { mediaType, transform: { as, version }, isPretty };
    }
  }
  throw notAcceptable(mediaTypeNames(options));
}

/** Chooses the form of a failure, which is never transformed and always given. */
export function negotiateFailure(accept: string | undefined, served: Pick<RequestContext, "hasCbor">): OutputFormat {
  const clauses = accept === undefined ? [] : parseAccept(accept);
  const clause = clauses.find(
    ({ type, parameters }) =>
      servedType(type, served) !== undefined && ((type !== PROTOBUF && type !== CBOR) || !parameters.has("as")),
  );
  return { mediaType: servedType(clause?.type ?? "", served) ?? "application/json", isPretty: false };
}

function parseClause(text: string): Clause {
  const [type = "", ...rest] = text.split(";").map((part) => part.trim());
  const parameters = new Map<string, string>();
  for (const part of rest) {
    const [key = "", value = ""] = part.split("=");
    parameters.set(key.toLowerCase(), value.replaceAll('"', ""));
  }
  const quality = Number(parameters.get("q") ?? "1");
  return { type: type.toLowerCase(), parameters, quality: Number.isNaN(quality) ? 1 : quality };
}

function isTransform(as: string | undefined): as is TransformKind {
  return as !== undefined && TRANSFORMS.has(as);
}

function isMetaVersion(clause: Clause, version: string | undefined): version is "v1" | "v1beta1" {
  return clause.parameters.get("g") === "meta.k8s.io" && (version === "v1" || version === "v1beta1");
}

/** Returns the part of a path behind the subresource `proxy`. */
export function proxiedPath(path: string): string {
  return /^\/api\/v1\/(?:namespaces\/[^/]+\/)?[^/]+\/[^/]+\/proxy(?<rest>\/.*)?$/u.exec(path)?.groups?.["rest"] ?? "";
}
