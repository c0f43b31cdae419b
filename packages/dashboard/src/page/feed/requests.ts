import type {
  ApplyRequest,
  DeleteRequest,
  FaultRequest,
  KindInfo,
  ManagerRequest,
  ObjectDetail,
  ObjectHistory,
  WriteResult,
} from "./protocol.ts";

/** A request that the process did not answer, or refused without a result. */
class RequestError extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.name = "RequestError";
    this.status = status;
  }
}

/** What names an object in requests. */
export type ObjectName = DeleteRequest;

/** Reads an object; undefined if it does not exist any more. */
export async function getObject(name: ObjectName, signal: AbortSignal): Promise<ObjectDetail | undefined> {
  const query = new URLSearchParams({ ...name });
  try {
    return await getJson<ObjectDetail>(`./api/object?${query.toString()}`, signal);
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return undefined;
    throw error;
  }
}

/** Reads the versions of an object, oldest first. */
export async function getHistory(uid: string, signal: AbortSignal): Promise<ObjectHistory> {
  return await getJson<ObjectHistory>(`./api/history?${new URLSearchParams({ uid }).toString()}`, signal);
}

/** Reads the kinds that the page can create. */
export async function getKinds(signal: AbortSignal): Promise<readonly KindInfo[]> {
  return await getJson<readonly KindInfo[]>("./api/kinds", signal);
}

/** Creates or updates an object, or validates it only. */
export async function applyObject(request: ApplyRequest, signal?: AbortSignal): Promise<WriteResult> {
  return await write("./api/apply", request, signal);
}

/** Deletes an object. */
export async function deleteObject(request: DeleteRequest): Promise<WriteResult> {
  return await write("./api/delete", request);
}

/** Turns a fault on or off, or injects it once. */
export async function setFault(request: FaultRequest): Promise<void> {
  await post("./api/faults", request);
}

/** Restarts the manager. */
export async function controlManager(request: ManagerRequest): Promise<void> {
  await post("./api/manager", request);
}

async function getJson<T>(url: string, signal: AbortSignal): Promise<T> {
  const response = await fetch(url, { signal, headers: { accept: "application/json" } });
  if (!response.ok) throw await failureOf(response);
  return (await response.json()) as T;
}

// A refusal of the API server is a result as well; its status is that of the response.
async function write(url: string, body: unknown, signal?: AbortSignal): Promise<WriteResult> {
  const response = await send(url, body, signal);
  const text = await response.text();
  const result = parseResult(text);
  if (result !== undefined) return result;
  throw new RequestError(messageOf(response, text), response.status);
}

async function post(url: string, body: unknown): Promise<void> {
  const response = await send(url, body);
  if (!response.ok) throw await failureOf(response);
}

async function send(url: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "x-kubescaffold-dashboard": "1" },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function failureOf(response: Response): Promise<RequestError> {
  return new RequestError(messageOf(response, await response.text()), response.status);
}

function messageOf(response: Response, text: string): string {
  return text.trim() === "" || text.startsWith("<") ? `the server responded with ${String(response.status)}` : text;
}

function parseResult(text: string): WriteResult | undefined {
  try {
    const value = JSON.parse(text) as { readonly kind?: unknown };
    return value.kind === "written" || value.kind === "refused" ? (value as WriteResult) : undefined;
  } catch {
    return undefined;
  }
}
