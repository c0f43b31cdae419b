/**
 * A client for unit tests: {@link createFakeClient} creates one, on an API server in this process without sockets, controllers, and authorization.
 */
export { createFakeClient, type FakeClient, type FakeClientOptions } from "./fake-client.ts";
export { createFakeRecorder, type FakeRecordedEvent, type FakeRecorder } from "./fake-recorder.ts";
export { type FieldIndex, fieldIndex } from "./field-indexes.ts";
export { readCrds } from "./read-crds.ts";
export type { ServedKind } from "./served-kinds.ts";
export { FakeClientOptionsError } from "../failures/errors.ts";
