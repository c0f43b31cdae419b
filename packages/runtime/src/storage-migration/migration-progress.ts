import { isAlreadyExists, isNotFound } from "@kubescaffold/k8s";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { isRecord } from "@kubescaffold/platform";

import type { LiveClient } from "../client/client.ts";
import { raw } from "../client/patch.ts";
import type { DefinitionState } from "./definition-state.ts";

/** How far a migration of a CRD is. It holds for one generation of the CRD only, in which the storage version cannot have changed. */
export interface MigrationRecord {
  /** The `uid` of the CRD. */
  readonly uid: string;
  /** The `generation` of the CRD. */
  readonly generation: number;
  /** The `resourceVersion` after which all writes were stored in the storage version. */
  readonly checkpoint: string;
  /** Whether all objects were rewritten. */
  readonly isComplete: boolean;
}

/** Keeps how far migrations are, so that the next leader continues. */
export interface MigrationProgress {
  /** Returns the record of this generation of a CRD; undefined if there is none. */
  read(state: DefinitionState, signal: AbortSignal): Promise<MigrationRecord | undefined>;
  /** Replaces the record of a CRD. */
  write(crd: string, record: MigrationRecord, signal: AbortSignal): Promise<void>;
}

/** Keeps progress in the process: an interrupted migration starts again, which sends a request for each object, but writes none twice. */
export function progressInMemory(): MigrationProgress {
  const records = new Map<string, MigrationRecord>();
  return {
    read: (state) => Promise.resolve(matching(records.get(state.name), state)),
    write: (crd, record) => {
      records.set(crd, record);
      return Promise.resolve();
    },
  };
}

/** Keeps progress in a ConfigMap, with a key for each CRD. A damaged or deleted one starts migrations again. */
export function progressInConfigMap(
  client: LiveClient,
  key: { readonly name: string; readonly namespace: string },
): MigrationProgress {
  const empty = ConfigMap.create({ metadata: key });
  return {
    read: async (state, signal) => {
      try {
        const { data = {} } = await client.get(ConfigMap, key, { signal });
        return matching(parseRecord(data[state.name]), state);
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    },
    write: async (crd, record, signal) => {
      const data = { [crd]: JSON.stringify(record) };
      try {
        await client.patch(empty, raw("application/merge-patch+json", { data }), { signal });
      } catch (error) {
        if (!isNotFound(error)) throw error;
        await client.create({ ...empty, data }, { signal }).catch(async (failure: unknown) => {
          if (!isAlreadyExists(failure)) throw failure;
          await client.patch(empty, raw("application/merge-patch+json", { data }), { signal });
        });
      }
    },
  };
}

function matching(
  record: MigrationRecord | undefined,
  { uid, generation }: DefinitionState,
): MigrationRecord | undefined {
  return record?.uid === uid && record.generation === generation ? record : undefined;
}

function parseRecord(text: string | undefined): MigrationRecord | undefined {
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const { uid, generation, checkpoint, isComplete } = value;
  const isSound =
    typeof uid === "string" &&
    typeof generation === "number" &&
    typeof checkpoint === "string" &&
    typeof isComplete === "boolean";
  return isSound ? { uid, generation, checkpoint, isComplete } : undefined;
}
